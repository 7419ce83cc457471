// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.CollectiveForm;
import org.ffmpi.spi.Members;
import org.ffmpi.spi.Operation;

/**
 * A communicator whose ranks all belong to one group ({@code intracommunicator}, MPI-4.1 §7.1): {@link Mpi#world} and
 * {@link Mpi#self} are such, and what is made out of them.
 *
 * {@snippet :
 * try (IntraComm rows = world.split(world.rank() / columns, world.rank())) {
 *   rows.allreduce(Buf.of(sums), Op.SUM);
 * }
 * }
 *
 * <p>The calls that make communicators are collective, so one thread at a time makes them out of one communicator;
 * different communicators are independent of each other.
 */
public sealed class IntraComm extends TopologyCalls permits TopologyComm {
  IntraComm(World world, Channel channel, String name, Errhandler<? super Comm> errhandler) {
    super(world, channel, name, errhandler);
  }

  /** Takes contexts at rank 0 and tells them to all. */
  @Override
  final Operation spread(long[] first) {
    if (channel.rank() == 0) {
      first[0] = engine.takeContexts(ContextSupply.BLOCK);
    }
    if (channel.size() == 1) {
      return engine.completed();
    }
    CollectiveCall call = new CollectiveCall().begin(Collective.BCAST);
    CollectiveChecks.put(channel.rank() == 0 ? call.send() : call.recv(), Buf.of(first));
    return world.collectives().call(channel, call, CollectiveForm.NONBLOCKING);
  }

  // ---- for whoever makes communicators

  /**
   * Takes the next context for a communicator of some of this one's processes. Collective: all ranks call it.
   *
   * @return the channel; null when this process is not among the members
   */
  final Channel nextChannel(Members members) {
    long next = nextContext();
    return isMember(members) ? new Channel(engine, next, members) : null;
  }

  private boolean isMember(Members members) {
    return members.rankOf(engine.self()) != Constants.UNDEFINED;
  }

  /** Makes a communicator like this one, with the same error handler and topology. */
  IntraComm copy(Channel duplicate) {
    return new IntraComm(world, duplicate, "", errhandler());
  }

  /** Makes a communicator that is an ordinary one whatever this one is; null where there is no channel. */
  final IntraComm plain(Channel made) {
    return made == null ? null : new IntraComm(world, made, "", errhandler());
  }

  // ---- making others

  @Override
  @Standard({"MPI_Comm_dup"})
  public IntraComm dup() {
    checkCommunication();
    IntraComm duplicate = copy(nextChannel(channel.local()));
    copyAttributesTo(duplicate);
    return duplicate;
  }

  @Override
  @Standard({"MPI_Comm_idup"})
  public CommRequest<? extends IntraComm> idup() {
    return startDuplicate(next -> copy(new Channel(engine, next, channel.local())));
  }

  @Override
  @Standard({"MPI_Comm_dup_with_info"})
  public IntraComm dup(Info info) {
    return (IntraComm) super.dup(info);
  }

  @Override
  @Standard({"MPI_Comm_idup_with_info"})
  @SuppressWarnings("unchecked") // what idup() makes here
  public CommRequest<? extends IntraComm> idup(Info info) {
    return (CommRequest<? extends IntraComm>) super.idup(info);
  }

  @Override
  @Standard({"MPI_Comm_create"})
  public IntraComm create(Group group) {
    checkCommunication();
    MpiException wrong = Group.notWithin("group", group, world, channel.local());
    long next = nextContext(); // also at a rank that is refused: the others count on
    if (wrong != null) {
      throw raise(wrong);
    }
    Members members = group.members();
    return members.rankOf(engine.self()) == Constants.UNDEFINED ? null : plain(new Channel(engine, next, members));
  }

  @Override
  @Standard({"MPI_Comm_split"})
  public IntraComm split(int color, int key) {
    checkCommunication();
    boolean isColor = color >= 0 || color == Constants.UNDEFINED;
    long[] all;
    try {
      all = Exchange.allgather(channel, world, Coloring.word(isColor ? color : Constants.UNDEFINED, key));
    } catch (MpiException e) {
      throw raise(e);
    }
    long next = nextContext();
    if (!isColor) {
      throw raise(MpiException.argument(
          ErrorClass.ERR_ARG, "color", color, "0.." + Integer.MAX_VALUE + " or UNDEFINED"));
    }
    return color == Constants.UNDEFINED
        ? null
        : plain(new Channel(engine, next, Coloring.members(all, color, channel.local())));
  }

  /**
   * Makes a communicator of some of this one's processes, without the others taking part
   * ({@code MPI_Comm_create_group}, MPI-4.1 §7.4.2). Collective over the group; may block until its first member has
   * called it.
   *
   * @param group processes of this communicator, in the order of their new ranks; at all of them the same
   * @param tag not negative; tells apart what several threads make at the same time
   * @return the new communicator, to be closed by the program; null for the empty group
   * @throws MpiException ERR_GROUP when the group is null, closed, not a subset, or without this process; ERR_TAG
   */
  @Standard({"MPI_Comm_create_group"})
  public IntraComm createGroup(Group group, int tag) {
    checkCommunication();
    MpiException wrong = Group.notWithin("group", group, world, channel.local());
    if (wrong != null) {
      throw raise(wrong);
    }
    Members members = group.members();
    if (tag < 0) {
      throw raise(MpiException.argument(ErrorClass.ERR_TAG, "tag", tag, "0.." + Integer.MAX_VALUE));
    }
    if (members.size() == 0) {
      return null;
    }
    try {
      return plain(Bootstrap.of(world, members, "\0group of " + context + " by tag " + tag));
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  /**
   * Makes an intercommunicator between this group and another one ({@code MPI_Intercomm_create}, MPI-4.1 §7.6.2): the
   * two <em>leaders</em>, one process of each group, meet in a communicator that both are in. Collective over both
   * groups; blocks until both leaders have called it.
   *
   * @param localLeader rank in this communicator of the leader; the same at all ranks
   * @param peerComm communicator of both leaders; looked at by the leader only, null elsewhere
   * @param remoteLeader rank in {@code peerComm} of the other group's leader; looked at by the leader only
   * @param tag not negative, the same at both leaders: tells apart what several threads make with the same
   *     {@code peerComm}; looked at by the leader only. Messages of the program with that tag are not disturbed
   * @return the new communicator, to be closed by the program
   * @throws MpiException at all ranks of this group, when its leader's arguments are wrong (the other group then waits
   *     for it): ERR_RANK when a leader is no rank, or the remote one belongs to this group; ERR_COMM when
   *     {@code peerComm} is null or closed, or both groups have a process in common; ERR_TAG
   */
  @Standard({"MPI_Intercomm_create"})
  public InterComm intercomm(int localLeader, Comm peerComm, int remoteLeader, int tag) {
    checkCommunication();
    return InterComm.of(this, localLeader, peerComm, remoteLeader, tag);
  }

  /**
   * Makes a communicator out of a group, without one that was there before ({@code MPI_Comm_create_from_group}, MPI-4.1
   * §7.4.2). Collective over the group; may block until its first member has called it.
   *
   * @param group processes in the order of their ranks; at all of them the same
   * @param stringtag tells apart what several threads make at the same time; less than {@code MAX_STRINGTAG_LEN}
   *     characters
   * @return the new communicator, to be closed by the program
   * @throws MpiException as {@link #createFromGroup(Group, String, Info, Errhandler)}, through the error handler that
   *     new communicators of the group's environment begin with
   */
  @Standard({"MPI_Comm_create_from_group"})
  public static IntraComm createFromGroup(Group group, String stringtag) {
    return createFromGroup(group, stringtag, null, null);
  }

  /**
   * Makes a communicator out of a group, without one that was there before ({@code MPI_Comm_create_from_group}, MPI-4.1
   * §7.4.2). Collective over the group; may block until its first member has called it.
   *
   * @param group processes in the order of their ranks; at all of them the same
   * @param stringtag tells apart what several threads make at the same time; less than {@code MAX_STRINGTAG_LEN}
   *     characters
   * @param info hints, as {@link #setInfo}; null for none
   * @param errhandler the new communicator's error handler, also for this call (a function is given null then); null
   *     for the one that communicators of the group's environment begin with
   * @return the new communicator, to be closed by the program; null for an empty group
   * @throws MpiException ERR_GROUP when the group is null, closed, or without this process; ERR_ARG when the tag
   *     is null or too long; ERR_INFO, ERR_INFO_VALUE, ERR_ERRHANDLER
   */
  @Standard({"MPI_Comm_create_from_group"})
  public static IntraComm createFromGroup(
      Group group, String stringtag, Info info, Errhandler<? super Comm> errhandler) {
    if (group != null && !group.isClosed() && group.members().size() == 0) {
      return null;
    }
    World world = Bootstrap.worldOf("group", group);
    Errhandler<? super Comm> handler = errhandler == null ? world.errhandler() : errhandler;
    try {
      Bootstrap.check("group", group);
      Bootstrap.checkTag(stringtag);
      Channel channel = Bootstrap.of(world, group.members(), stringtag);
      CommHints hints = Bootstrap.hints(info, handler); // late: whoever gives what is right gets a communicator
      IntraComm made = new IntraComm(world, channel, "", handler);
      made.setHints(hints);
      return made;
    } catch (MpiException e) {
      throw handler.handle(world, null, e);
    }
  }
}
