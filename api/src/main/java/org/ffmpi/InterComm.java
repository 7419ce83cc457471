// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.function.Supplier;
import org.ffmpi.GroupExchange.Call;
import org.ffmpi.GroupExchange.Told;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Members;
import org.ffmpi.spi.Operation;

/**
 * A communicator between two groups without a common process ({@code intercommunicator}, MPI-4.1 §7.6). Each process is
 * in one of them, its <em>local</em> group: {@link #rank}, {@link #size} and {@link #group} speak of that one. Messages
 * go to and come from the other, the <em>remote</em> group: destinations, sources and those in a {@link Status} are
 * ranks there.
 *
 * {@snippet :
 * boolean solver = world.rank() < world.size() - 1;
 * try (IntraComm half = world.split(solver ? 0 : 1, world.rank());
 *     InterComm other = half.intercomm(0, world, solver ? world.size() - 1 : 0, 99)) {
 *   if (solver && half.rank() == 0) {
 *     other.send(frame, 0, 1);
 *   } else if (!solver) {
 *     other.recv(frame, 0, 1);
 *   }
 * }
 * }
 *
 * <p>Intercommunicators are made by {@link IntraComm#intercomm}, {@link #createFromGroups}, and out of others.
 * {@link #merge} makes an ordinary communicator of both groups. All point-to-point calls work on them, and all
 * collective operations but scans, which have ERR_COMM for them; no buffer is in place then (MPI-4.1 §6.2.3).
 *
 * <p>Collective operations move data from one group to the other: blocks are those of the remote group's ranks, as many
 * as {@link #remoteSize}. Where all send to all, each group gets what the other has sent, and the amounts of the two
 * directions may differ, except in reductions. Where there is a root, data go from its group to the other or come from
 * there, and the other ranks of its group have no part: the root says {@code ROOT} (of {@link Constants}), the others
 * of its group {@code PROC_NULL}, which look at no other argument, and the ranks of the other group say which rank it
 * is. The root's own buffer for the other direction is not looked at.
 *
 * <p>The calls that make communicators are collective over both groups, and one thread at a time makes them out of one
 * communicator. An error that one group's rank 0 finds in its arguments is thrown at all ranks of both.
 */
public final class InterComm extends Comm {
  /** Carries what the processes of this group tell each other. */
  private final Channel within;

  InterComm(World world, Channel channel, Errhandler<? super Comm> errhandler) {
    super(world, channel, "", errhandler);
    this.within = new Channel(engine, channel.within(), channel.local());
  }

  // ---- how they begin

  /** Makes an intercommunicator as {@link IntraComm#intercomm} says. */
  static InterComm of(IntraComm local, int localLeader, Comm peerComm, int remoteLeader, int tag) {
    try {
      Channel channel = meet(local.world, local.channel, localLeader, "peerComm", () -> {
        Channel peers = checkPeers(local, peerComm, remoteLeader, tag);
        return call(local.world, local.channel.local(), peers.peer(remoteLeader), peers.creation(), tag);
      });
      return new InterComm(local.world, channel, local.errhandler());
    } catch (MpiException e) {
      throw local.raise(e);
    }
  }

  private static Channel checkPeers(IntraComm local, Comm peerComm, int remoteLeader, int tag) {
    if (peerComm == null || peerComm.isClosed() || peerComm.world != local.world) {
      throw MpiException.argument(ErrorClass.ERR_COMM, "peerComm", peerComm,
          "communicators of the same session, not closed, that have both leaders");
    }
    Channel peers = peerComm.channel;
    if (remoteLeader < 0 || remoteLeader >= peers.remote().size()) {
      throw MpiException.argument(
          ErrorClass.ERR_RANK, "remoteLeader", remoteLeader, "0.." + (peers.remote().size() - 1));
    }
    if (local.channel.local().rankOf(peers.peer(remoteLeader)) != Constants.UNDEFINED) {
      throw MpiException.argument(
          ErrorClass.ERR_RANK, "remoteLeader", remoteLeader, "ranks of processes outside the local group");
    }
    if (tag < 0) {
      throw MpiException.argument(ErrorClass.ERR_TAG, "tag", tag, "0.." + Integer.MAX_VALUE);
    }
    return peers;
  }

  /** A leader tells who its group has, and proposes a context if its number is the lower one. */
  private static Call call(World world, Members members, int peer, long context, int tag) {
    Engine engine = world.engine();
    long proposed = engine.self() < peer ? engine.takeContexts(1) : 0;
    return new Call(peer, context, tag, GroupExchange.words(GroupExchange.write(proposed, members)));
  }

  /**
   * Has two groups meet through their leaders.
   *
   * @param local channel within this process's group
   * @param argument what is wrong when the groups overlap
   * @return a channel between them
   */
  private static Channel meet(World world, Channel local, int leader, String argument, Supplier<Call> call) {
    for (long others : Exchange.allgather(local, world, leader)) {
      if (leader < 0 || leader >= local.size() || others != leader) {
        throw MpiException.argument(ErrorClass.ERR_RANK, "localLeader", leader,
            "0.." + (local.size() - 1) + ", the same at all ranks of the group");
      }
    }
    Told told = GroupExchange.run(world, local, leader, call);
    Members remote = GroupExchange.read(told.theirs());
    if (MemberSets.intersection(local.local(), remote).size() > 0) {
      throw new MpiException(
          argument.equals("peerComm") ? ErrorClass.ERR_COMM : ErrorClass.ERR_GROUP,
          argument + ": the groups " + local.local() + " and " + remote + " have processes in common");
    }
    return new Channel(world.engine(), told.ours()[0] + told.theirs()[0], local.local(), remote);
  }

  /**
   * Makes an intercommunicator of two groups, without a communicator that was there before, with the error handler that
   * communicators of the groups' environment begin with ({@code MPI_Intercomm_create_from_groups}, MPI-4.1 §7.6.2).
   *
   * @param localGroup as {@link #createFromGroups(Group, int, Group, int, String, Info, Errhandler)}
   * @param localLeader as there
   * @param remoteGroup as there
   * @param remoteLeader as there
   * @param stringtag as there
   * @return as there
   * @throws MpiException as there
   */
  @Standard({"MPI_Intercomm_create_from_groups"})
  public static InterComm createFromGroups(
      Group localGroup, int localLeader, Group remoteGroup, int remoteLeader, String stringtag) {
    return createFromGroups(localGroup, localLeader, remoteGroup, remoteLeader, stringtag, null, null);
  }

  /**
   * Makes an intercommunicator of two groups, without a communicator that was there before
   * ({@code MPI_Intercomm_create_from_groups}, MPI-4.1 §7.6.2). Collective over both groups; blocks until both leaders
   * have called it.
   *
   * @param localGroup this process's group; the same at all its members
   * @param localLeader rank in it of the process that talks to the other group; the same at all members
   * @param remoteGroup the other group; looked at by the leader only
   * @param remoteLeader rank in the other group of its leader; looked at by the leader only
   * @param stringtag tells apart what several threads make at the same time, the same everywhere; less than
   *     {@code MAX_STRINGTAG_LEN} characters
   * @param info hints, as {@link #setInfo}; null for none
   * @param errhandler the new communicator's error handler, also for this call (a function is given null then); null
   *     for the one that communicators of the groups' environment begin with
   * @return the new communicator, to be closed by the program; null when one of the groups is empty, which then has to
   *     be so at all processes
   * @throws MpiException ERR_GROUP when a group is null or closed, the local one is without this process, or both have
   *     a process in common; ERR_RANK when a leader is no rank of its group; ERR_ARG when the tag is null or too long;
   *     ERR_INFO, ERR_INFO_VALUE, ERR_ERRHANDLER
   */
  @Standard({"MPI_Intercomm_create_from_groups"})
  public static InterComm createFromGroups(
      Group localGroup, int localLeader, Group remoteGroup, int remoteLeader, String stringtag, Info info,
      Errhandler<? super Comm> errhandler) {
    if (localGroup != null && localGroup.members().size() == 0
        || remoteGroup != null && remoteGroup.members().size() == 0) {
      return null;
    }
    World world = Bootstrap.worldOf("localGroup", localGroup);
    Errhandler<? super Comm> handler = errhandler == null ? world.errhandler() : errhandler;
    try {
      Bootstrap.check("localGroup", localGroup);
      Bootstrap.checkTag(stringtag);
      Members members = localGroup.members();
      Channel local = Bootstrap.of(world, members, "\0group of an intercommunicator\0" + stringtag);
      Channel channel = meet(world, local, localLeader, "remoteGroup", () -> {
        int leader = checkRemote(localGroup, remoteGroup, remoteLeader);
        int self = world.engine().self();
        Members leaders = Members.of(Math.min(self, leader), Math.max(self, leader));
        Channel line = Bootstrap.of(world, leaders, "\0leaders of an intercommunicator\0" + stringtag);
        return call(world, members, leader, line.creation(), 0);
      });
      CommHints hints = Bootstrap.hints(info, handler); // late: whoever gives what is right gets a communicator
      InterComm made = new InterComm(world, channel, handler);
      made.setHints(hints);
      return made;
    } catch (MpiException e) {
      throw handler.handle(world, null, e);
    }
  }

  /** Checks what the leader says of the other group and returns the leader there. */
  private static int checkRemote(Group local, Group remote, int remoteLeader) {
    MpiException wrong = Group.unusable("remoteGroup", remote, local.world());
    if (wrong != null) {
      throw wrong;
    }
    Members members = remote.members();
    if (remoteLeader < 0 || remoteLeader >= members.size()) {
      throw MpiException.argument(ErrorClass.ERR_RANK, "remoteLeader", remoteLeader, "0.." + (members.size() - 1));
    }
    if (MemberSets.intersection(local.members(), members).size() > 0) {
      throw MpiException.argument(ErrorClass.ERR_GROUP, "remoteGroup", remote, "groups without local processes");
    }
    return members.peer(remoteLeader);
  }

  // ---- what it is

  /**
   * Returns how many processes the remote group has ({@code MPI_Comm_remote_size}, MPI-4.1 §7.6.1). Local.
   *
   * @return number of ranks that messages can be sent to, at least 1
   */
  @Standard({"MPI_Comm_remote_size"})
  public int remoteSize() {
    checkOpen();
    return channel.remote().size();
  }

  /**
   * Returns the remote group ({@code MPI_Comm_remote_group}, MPI-4.1 §7.6.1). Local. The group may be used after the
   * communicator has been closed.
   *
   * @return the processes in the order of their ranks
   */
  @Standard({"MPI_Comm_remote_group"})
  public Group remoteGroup() {
    checkOpen();
    return new Group(world, channel.remote());
  }

  // ---- others made of it

  /**
   * Makes a communicator of the processes of both groups ({@code MPI_Intercomm_merge}, MPI-4.1 §7.6.2). Collective;
   * blocks until rank 0 of both groups has called it.
   *
   * @param high whether this group's processes come behind the others; the same at all of the group. When both groups
   *     say the same, either may come first
   * @return the new communicator, to be closed by the program; within each group the order of ranks is kept
   * @throws MpiException ERR_ARG when rank 0 of the group says otherwise
   */
  @Standard({"MPI_Intercomm_merge"})
  public IntraComm merge(boolean high) {
    checkCommunication();
    Told told = tell(() -> GroupExchange.words(high ? 1 : 0));
    long next = nextContext();
    boolean ours = told.ours()[0] != 0;
    boolean theirs = told.theirs()[0] != 0;
    if (high != ours) {
      throw raise(MpiException.argument(ErrorClass.ERR_ARG, "high", high, ours + ", as rank 0 of the group says"));
    }
    Members local = channel.local();
    Members remote = channel.remote();
    boolean first = ours != theirs ? theirs : local.peer(0) < remote.peer(0);
    Members both = first ? MemberSets.union(local, remote) : MemberSets.union(remote, local);
    return new IntraComm(world, new Channel(engine, next, both), "", errhandler());
  }

  @Override
  @Standard({"MPI_Comm_dup"})
  public InterComm dup() {
    checkCommunication();
    InterComm duplicate = copy(nextContext());
    copyAttributesTo(duplicate);
    return duplicate;
  }

  @Override
  @Standard({"MPI_Comm_idup"})
  public CommRequest<? extends InterComm> idup() {
    return startDuplicate(this::copy);
  }

  @Override
  @Standard({"MPI_Comm_dup_with_info"})
  public InterComm dup(Info info) {
    return (InterComm) super.dup(info);
  }

  @Override
  @Standard({"MPI_Comm_idup_with_info"})
  @SuppressWarnings("unchecked") // what idup() makes here
  public CommRequest<? extends InterComm> idup(Info info) {
    return (CommRequest<? extends InterComm>) super.idup(info);
  }

  /**
   * Makes communicators of those of each group that have the same colour ({@code MPI_Comm_split}, MPI-4.1 §7.4.2): for
   * each colour an intercommunicator between the processes of that colour in this group and those in the other.
   * Collective; blocks until all ranks of both groups have called it.
   *
   * @param color which one this process goes to, not negative, or {@code UNDEFINED} for none
   * @param key by which ranks are ordered in the new local group; equal ones as here
   * @return the new communicator, to be closed by the program; null for {@code UNDEFINED}, and when nobody in the other
   *     group has the colour
   * @throws MpiException ERR_ARG when the colour is negative and not {@code UNDEFINED}
   */
  @Override
  @Standard({"MPI_Comm_split"})
  public InterComm split(int color, int key) {
    checkCommunication();
    boolean isColor = color >= 0 || color == Constants.UNDEFINED;
    long[] all;
    try {
      all = Exchange.allgather(within, world, Coloring.word(isColor ? color : Constants.UNDEFINED, key));
    } catch (MpiException e) {
      throw raise(e);
    }
    Told told = tell(() -> GroupExchange.words(all));
    long next = nextContext();
    if (!isColor) {
      throw raise(MpiException.argument(
          ErrorClass.ERR_ARG, "color", color, "0.." + Integer.MAX_VALUE + " or UNDEFINED"));
    }
    if (color == Constants.UNDEFINED) {
      return null;
    }
    Members remote = Coloring.members(told.theirs(), color, channel.remote());
    return between(next, Coloring.members(told.ours(), color, channel.local()), remote);
  }

  /**
   * Makes an intercommunicator of some of each group's processes ({@code MPI_Comm_create}, MPI-4.1 §7.4.2).
   * Collective: all ranks of both groups call it. Blocks until rank 0 of both groups has.
   *
   * @param group processes of the local group, in the order of their new ranks; the same at all of the local group
   * @return the new communicator, to be closed by the program; null at processes that are not in the group, and
   *     everywhere when one side names nobody
   * @throws MpiException ERR_GROUP when the group is null, closed, not a subset, or another one than that of rank 0
   */
  @Override
  @Standard({"MPI_Comm_create"})
  public InterComm create(Group group) {
    checkCommunication();
    MpiException wrong = Group.notWithin("group", group, world, channel.local());
    Told told = tell(() -> wrong != null
        ? GroupExchange.error(wrong)
        : GroupExchange.words(GroupExchange.write(0, group.members())));
    long next = nextContext();
    if (wrong != null) {
      throw raise(wrong);
    }
    Members ours = GroupExchange.read(told.ours());
    if (!ours.equals(group.members())) {
      throw raise(MpiException.argument(
          ErrorClass.ERR_GROUP, "group", group.members(), "the group that rank 0 names, " + ours));
    }
    return between(next, ours, GroupExchange.read(told.theirs()));
  }

  private InterComm between(long context, Members local, Members remote) {
    return remote.size() == 0 || local.rankOf(engine.self()) == Constants.UNDEFINED
        ? null
        : new InterComm(world, new Channel(engine, context, local, remote), errhandler());
  }

  private InterComm copy(long context) {
    return new InterComm(world, new Channel(engine, context, channel.local(), channel.remote()), errhandler());
  }

  /** Has the ranks 0 of both groups tell something; every rank learns both. */
  private Told tell(Supplier<long[]> words) {
    int tag = channel.nextCollectiveTag();
    try {
      return GroupExchange.run(
          world, within, 0, () -> new Call(channel.peer(0), channel.collective(), tag, words.get()));
    } catch (MpiException e) {
      throw raise(e);
    }
  }

  /**
   * Spreads contexts over both groups: the rank 0 whose process has the lower number takes them and sends the first to
   * everybody.
   */
  @Override
  Operation spread(long[] first) {
    int tag = channel.nextCollectiveTag();
    Members local = channel.local();
    Members remote = channel.remote();
    int giver = Math.min(local.peer(0), remote.peer(0));
    if (giver != engine.self()) {
      return engine.irecv(
          Memory.LONGS, first, 0, 1, TypeHandle.planOf(Datatype.INT64_T), giver, channel.collective(), tag);
    }
    first[0] = engine.takeContexts(ContextSupply.BLOCK);
    for (int r = 0; r < remote.size(); r++) {
      tell(first, remote.peer(r), tag);
    }
    for (int r = 1; r < local.size(); r++) {
      tell(first, local.peer(r), tag);
    }
    return engine.completed();
  }

  /** Sends a number without waiting. A receiver that has gone misses nothing, and the others have to get theirs. */
  private void tell(long[] number, int peer, int tag) {
    try {
      engine.isend(
          Engine.STANDARD, Memory.LONGS, number, 0, 1, TypeHandle.planOf(Datatype.INT64_T), peer,
          channel.collective(), tag);
    } catch (MpiException e) {
      // it is told to whoever waits for that process
    }
  }

  /**
   * Describes the communicator for messages.
   *
   * @return name, rank and the sizes of both groups
   */
  @Override
  public String toString() {
    return (name().isEmpty() ? "InterComm" : name()) + "[rank " + rank() + " of " + size() + ", "
        + channel.remote().size() + " remote]";
  }
}
