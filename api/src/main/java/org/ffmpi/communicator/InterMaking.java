// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import java.util.function.Supplier;
import org.ffmpi.Group;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.communicator.GroupExchange.LeaderMessage;
import org.ffmpi.communicator.GroupExchange.LeaderWords;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.process.CommState;
import org.ffmpi.process.GroupAccess;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Members;
import org.ffmpi.spi.Operation;

/** Makes communicators out of one that lies between two groups. */
public final class InterMaking {
  private final CommState state;
  private final World world;
  private final Channel channel;
  private final ContextSupply contexts;

  /** The channel between the processes of this group. */
  private final Channel within;

  InterMaking(CommState state, ContextSupply contexts) {
    this.state = state;
    this.world = state.world;
    this.channel = state.channel;
    this.contexts = contexts;
    this.within = new Channel(state.engine, channel.within(), channel.local());
  }

  public IntraComm merge(boolean high) {
    state.checkCollective();
    LeaderWords words = exchange(() -> GroupExchange.words(high ? 1 : 0));
    long next = contexts.next();
    boolean ours = words.ours()[0] != 0;
    boolean theirs = words.theirs()[0] != 0;
    if (high != ours) {
      throw state.raise(MpiException.argument(
          ErrorClass.ERR_ARG, "high", high, ours + ", as rank 0 of the group says"));
    }
    Members local = channel.local();
    Members remote = channel.remote();
    boolean first = ours != theirs ? theirs : local.peer(0) < remote.peer(0);
    Members both = first ? MemberSets.union(local, remote) : MemberSets.union(remote, local);
    return new IntraCommImpl(world, new Channel(state.engine, next, both), "", state.errhandler());
  }

  public InterComm split(int color, int key) {
    state.checkCollective();
    boolean isColor = color >= 0 || color == Constants.UNDEFINED;
    long[] all;
    try {
      all = Exchange.allgather(within, world, Coloring.word(isColor ? color : Constants.UNDEFINED, key));
    } catch (MpiException e) {
      throw state.raise(e);
    }
    LeaderWords words = exchange(() -> GroupExchange.words(all));
    if (words.ours().length != all.length || words.theirs().length != channel.remote().size()) {
      throw state.raise(new MpiException(ErrorClass.ERR_OTHER, "the other group makes another call than this one"));
    }
    long next = contexts.next();
    if (!isColor) {
      throw state.raise(MpiException.argument(
          ErrorClass.ERR_ARG, "color", color, "0.." + Integer.MAX_VALUE + " or UNDEFINED"));
    }
    if (color == Constants.UNDEFINED) {
      return null;
    }
    Members remote = Coloring.members(words.theirs(), color, channel.remote());
    return between(next, Coloring.members(words.ours(), color, channel.local()), remote);
  }

  public InterComm create(Group group) {
    state.checkCollective();
    MpiException wrong = GroupAccess.notWithin("group", group, world, channel);
    LeaderWords words = exchange(() -> wrong != null
        ? GroupExchange.error(wrong)
        : GroupExchange.words(GroupExchange.write(0, GroupAccess.members(group, state.engine))));
    long next = contexts.next();
    if (wrong != null) {
      throw state.raise(wrong);
    }
    Members ours;
    Members theirs;
    try {
      ours = GroupExchange.read(words.ours());
      theirs = GroupExchange.read(words.theirs());
    } catch (MpiException e) {
      throw state.raise(e);
    }
    if (!ours.equals(GroupAccess.members(group, state.engine))) {
      throw state.raise(MpiException.argument(
          ErrorClass.ERR_GROUP, "group", GroupAccess.members(group), "the group that rank 0 names, " + ours));
    }
    return between(next, ours, theirs);
  }

  private InterComm between(long context, Members local, Members remote) {
    return remote.size() == 0 || local.rankOf(state.engine.self()) == Constants.UNDEFINED
        ? null
        : new InterCommImpl(world, new Channel(state.engine, context, local, remote), state.errhandler());
  }

  /** Exchanges the words of the ranks 0 of both groups; every rank gets both. */
  private LeaderWords exchange(Supplier<long[]> words) {
    if (channel.order() != null) {
      channel.order().await();
    }
    int tag = channel.nextCollectiveTag();
    try {
      return GroupExchange.run(
          world, within, 0,
          () -> new LeaderMessage(state.engine, channel.peer(0), channel.collective(), tag, words.get()));
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  /**
   * Spreads contexts over both groups: the rank 0 whose process has the lower number claims them and sends the first to
   * all.
   */
  Operation spread(long[] first) {
    return channel.order() == null ? spreadNow(first) : channel.order().after(() -> spreadNow(first));
  }

  private Operation spreadNow(long[] first) {
    int tag = channel.nextCollectiveTag();
    Members local = channel.local();
    Members remote = channel.remote();
    int giver = Math.min(local.peer(0), remote.peer(0));
    if (giver != state.engine.self()) {
      return state.engine.irecv(
          Memory.LONGS, first, 0, 1, TypeHandle.planOf(Datatype.INT64_T), giver, channel.collective(), tag);
    }
    first[0] = state.engine.claimContexts(ContextSupply.BLOCK);
    for (int r = 0; r < remote.size(); r++) {
      send(first, remote.peer(r), tag);
    }
    for (int r = 1; r < local.size(); r++) {
      send(first, local.peer(r), tag);
    }
    return state.engine.completed();
  }

  /**
   * Sends a number without waiting. An error of a receiver that has departed is dropped, since the others need theirs.
   */
  private void send(long[] number, int peer, int tag) {
    try {
      state.engine.isend(
          Engine.STANDARD, Memory.LONGS, number, 0, 1, TypeHandle.planOf(Datatype.INT64_T), peer,
          channel.collective(), tag);
    } catch (MpiException e) {
      // a call that waits for that process gets the error
    }
  }
}
