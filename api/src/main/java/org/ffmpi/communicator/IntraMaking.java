// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.Group;
import org.ffmpi.Info;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.CommHints;
import org.ffmpi.process.CommState;
import org.ffmpi.process.ErrhandlerImpl;
import org.ffmpi.process.GroupAccess;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Members;

/** Makes communicators out of one whose ranks all belong to one group, or out of a group. */
public final class IntraMaking {
  private final CommState state;
  private final World world;
  private final Channel channel;
  private final ContextSupply contexts;

  IntraMaking(CommState state, ContextSupply contexts) {
    this.state = state;
    this.world = state.world;
    this.channel = state.channel;
    this.contexts = contexts;
  }

  public IntraComm create(Group group) {
    state.checkCollective();
    MpiException wrong = GroupAccess.notWithin("group", group, world, channel);
    long next = contexts.next(); // also at a rank with an error: the others count on
    if (wrong != null) {
      throw state.raise(wrong);
    }
    Members members = GroupAccess.members(group, state.engine);
    if (world.isChecking()) {
      compare(members);
    }
    return members.rankOf(state.engine.self()) == Constants.UNDEFINED
        ? null
        : plain(new Channel(state.engine, next, members));
  }

  /** Throws when a member of this rank's group calls with another group (MPI-4.1 §7.4.2). */
  private void compare(Members members) {
    try {
      long own = Arrays.hashCode(IntStream.range(0, members.size()).map(members::peer).toArray());
      long[] all = Exchange.allgather(channel, world, own);
      for (int rank = 0; rank < all.length; rank++) {
        if (all[rank] != own && members.rankOf(channel.peer(rank)) != Constants.UNDEFINED
            && members.rankOf(state.engine.self()) != Constants.UNDEFINED) {
          throw new MpiException(
              ErrorClass.ERR_GROUP, "create: rank " + rank + " of the group has another group than rank "
                  + channel.rank() + ": allowed is the same at all of its members");
        }
      }
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  public IntraComm split(int color, int key) {
    state.checkCollective();
    boolean isColor = color >= 0 || color == Constants.UNDEFINED;
    long[] all;
    try {
      all = Exchange.allgather(channel, world, Coloring.word(isColor ? color : Constants.UNDEFINED, key));
    } catch (MpiException e) {
      throw state.raise(e);
    }
    long next = contexts.next();
    if (!isColor) {
      throw state.raise(MpiException.argument(
          ErrorClass.ERR_ARG, "color", color, "0.." + Integer.MAX_VALUE + " or UNDEFINED"));
    }
    return color == Constants.UNDEFINED
        ? null
        : plain(new Channel(state.engine, next, Coloring.members(all, color, channel.local())));
  }

  public IntraComm createGroup(Group group, int tag) {
    state.checkCommunication();
    MpiException wrong = GroupAccess.notWithin("group", group, world, channel);
    if (wrong != null) {
      throw state.raise(wrong);
    }
    Members members = GroupAccess.members(group, state.engine);
    if (tag < 0) {
      throw state.raise(MpiException.argument(ErrorClass.ERR_TAG, "tag", tag, "0.." + Integer.MAX_VALUE));
    }
    if (members.size() == 0) {
      return null;
    }
    try {
      String purpose = "\0group of " + channel.pointToPoint() + " by tag " + tag;
      return plain(Bootstrap.of(world, state.engine, members, purpose));
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  public InterComm intercomm(int localLeader, Comm peerComm, int remoteLeader, int tag) {
    state.checkCollective();
    return Meeting.of(state, localLeader, peerComm, remoteLeader, tag);
  }

  /** Makes a communicator without a topology. Returns null where there is no channel. */
  private IntraComm plain(Channel made) {
    return made == null ? null : new IntraCommImpl(world, made, "", state.errhandler());
  }

  public static IntraComm createFromGroup(
      Group group, String stringtag, Info info, Errhandler<? super Comm> errhandler) {
    if (group != null && !GroupAccess.isClosed(group) && GroupAccess.members(group).size() == 0) {
      return null;
    }
    World world = Bootstrap.worldOf("group", group);
    Errhandler<? super Comm> handler = errhandler == null ? world.errhandler() : errhandler;
    try {
      Bootstrap.check("group", group);
      Bootstrap.checkTag(stringtag);
      Channel channel = Bootstrap.of(world, GroupAccess.engine(group), GroupAccess.members(group), stringtag);
      CommHints hints = Bootstrap.hints(info, handler); // late: a rank whose arguments are right gets a communicator
      IntraCommImpl made = new IntraCommImpl(world, channel, "", handler);
      made.state().setHints(hints);
      return made;
    } catch (MpiException e) {
      throw ErrhandlerImpl.of(handler).handle(world, null, e);
    }
  }
}
