// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import java.util.function.Supplier;
import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.Group;
import org.ffmpi.Info;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.communicator.GroupExchange.LeaderMessage;
import org.ffmpi.communicator.GroupExchange.LeaderWords;
import org.ffmpi.process.CommHints;
import org.ffmpi.process.CommState;
import org.ffmpi.process.ErrhandlerImpl;
import org.ffmpi.process.GroupAccess;
import org.ffmpi.process.Identities;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Meetings;
import org.ffmpi.spi.Members;

/** The making of an intercommunicator between two groups, which meet through one process of each, their leaders. */
public final class Meeting {
  private Meeting() {}

  /** Makes an intercommunicator, see {@link IntraComm#intercomm}. */
  static InterComm of(CommState local, int localLeader, Comm peerComm, int remoteLeader, int tag) {
    try {
      LeaderWords words = meet(local.world, local.channel, localLeader, () -> {
        Channel peers = checkPeers(local, peerComm, remoteLeader, tag);
        boolean isOne = peers.engine() == local.engine;
        return isOne
            ? message(local.engine, local.channel.local(), peers.peer(remoteLeader), peers.creation(), tag)
            : elsewhere(local, peers, remoteLeader, tag);
      });
      if (words.ours()[0] < 0 || words.theirs()[0] < 0) {
        return new Joining(local, localLeader, peerComm, remoteLeader, tag).join(
            GroupExchange.read(words.ours()).size(), GroupExchange.read(words.theirs()).size());
      }
      Channel channel = between(local.channel, words, "peerComm");
      return new InterCommImpl(local.world, channel, local.errhandler());
    } catch (MpiException e) {
      throw local.raise(e);
    }
  }

  private static Channel checkPeers(CommState local, Comm peerComm, int remoteLeader, int tag) {
    if (peerComm == null || CommState.of(peerComm).isClosed()
        || CommState.of(peerComm).world != local.world) {
      throw MpiException.argument(ErrorClass.ERR_COMM, "peerComm", peerComm,
          "communicators of the same session, not closed, that have both leaders");
    }
    Channel peers = CommState.of(peerComm).channel;
    if (remoteLeader < 0 || remoteLeader >= peers.remote().size()) {
      throw MpiException.argument(
          ErrorClass.ERR_RANK, "remoteLeader", remoteLeader, "0.." + (peers.remote().size() - 1));
    }
    Members remote = Identities.in(local.engine, peers.engine(), Members.of(peers.remote().peer(remoteLeader)));
    if (local.channel.local().rankOf(remote.peer(0)) != Constants.UNDEFINED) {
      throw MpiException.argument(
          ErrorClass.ERR_RANK, "remoteLeader", remoteLeader, "ranks of processes outside the local group");
    }
    if (tag < 0) {
      throw MpiException.argument(ErrorClass.ERR_TAG, "tag", tag, "0.." + Integer.MAX_VALUE);
    }
    return peers;
  }

  /** Makes the words of a leader: its group, and a proposed context if its number is the lower one. */
  private static LeaderMessage message(Engine engine, Members members, int peer, long context, int tag) {
    long proposed = engine.self() < peer ? engine.claimContexts(1) : 0;
    return new LeaderMessage(engine, peer, context, tag, GroupExchange.words(GroupExchange.write(proposed, members)));
  }

  /** Makes the words of a leader whose group is not in the engine that both leaders are in, so that it has to meet. */
  private static LeaderMessage elsewhere(CommState local, Channel peers, int remoteLeader, int tag) {
    long[] words = GroupExchange.words(GroupExchange.write(-1, local.channel.local()));
    return new LeaderMessage(peers.engine(), peers.peer(remoteLeader), peers.creation(), tag, words);
  }

  /**
   * The meeting of two groups that have no engine in common. The leader with the lower number makes a place, all enter,
   * and the leaders tell each other that they have.
   */
  private record Joining(CommState local, int leader, Comm peerComm, int remoteLeader, int tag) {
    InterComm join(int own, int others) {
      Gathering gathering = new Gathering(local);
      Meetings meetings = Gathering.meetings(local.world);
      String[] made = new String[1];
      try {
        LeaderWords words =
            GroupExchange.run(local.world, local.channel, leader, () -> place(meetings, made, own + others));
        boolean isMaker = words.ours().length > 0;
        String place = text(isMaker ? words.ours() : words.theirs());
        int first = isMaker ? 0 : others;
        Engine engine = gathering.enter(place, first, own + others);
        try {
          GroupExchange.run(local.world, local.channel, leader, () -> message(GroupExchange.words(0)));
        } catch (RuntimeException e) {
          meetings.leave(engine, false);
          throw e;
        }
        Channel between = gathering.between(engine, first, isMaker ? own : 0, others);
        return new InterCommImpl(local.world, between, local.errhandler());
      } finally {
        if (made[0] != null) {
          meetings.discard(made[0]);
        }
      }
    }

    private LeaderMessage place(Meetings meetings, String[] made, int processes) {
      Channel peers = CommState.of(peerComm).channel;
      if (peers.engine().self() > peers.peer(remoteLeader)) {
        return message(GroupExchange.words());
      }
      boolean withinJvm = meetings.isWithinJvm(peers.engine()) && meetings.isWithinJvm(local.engine);
      made[0] = meetings.make(processes, withinJvm);
      return message(GroupExchange.words(made[0].chars().asLongStream().toArray()));
    }

    private LeaderMessage message(long[] words) {
      Channel peers = CommState.of(peerComm).channel;
      return new LeaderMessage(peers.engine(), peers.peer(remoteLeader), peers.creation(), tag, words);
    }

    private static String text(long[] letters) {
      StringBuilder text = new StringBuilder();
      for (long letter : letters) {
        text.append((char) letter);
      }
      return text.toString();
    }
  }

  /**
   * Exchanges the words of the leaders of two groups.
   *
   * @param local channel within this process's group
   */
  private static LeaderWords meet(World world, Channel local, int leader, Supplier<LeaderMessage> call) {
    for (long others : Exchange.allgather(local, world, leader)) {
      if (leader < 0 || leader >= local.size() || others != leader) {
        throw MpiException.argument(ErrorClass.ERR_RANK, "localLeader", leader,
            "0.." + (local.size() - 1) + ", the same at all ranks of the group");
      }
    }
    return GroupExchange.run(world, local, leader, call);
  }

  /**
   * Returns the channel between two groups.
   *
   * @param argument the argument to blame when the groups overlap
   */
  private static Channel between(Channel local, LeaderWords words, String argument) {
    Members remote = GroupExchange.read(words.theirs());
    if (MemberSets.intersection(local.local(), remote).size() > 0) {
      throw new MpiException(
          argument.equals("peerComm") ? ErrorClass.ERR_COMM : ErrorClass.ERR_GROUP,
          argument + ": the groups " + local.local() + " and " + remote + " have processes in common");
    }
    return new Channel(local.engine(), words.ours()[0] + words.theirs()[0], local.local(), remote);
  }

  /** Checks the leader's argument for the other group and returns the leader there. */
  private static int checkRemote(Group local, Group remote, int remoteLeader) {
    MpiException wrong = GroupAccess.unusable("remoteGroup", remote, GroupAccess.world(local));
    if (wrong != null) {
      throw wrong;
    }
    Members members = GroupAccess.members(remote, GroupAccess.engine(local));
    if (remoteLeader < 0 || remoteLeader >= members.size()) {
      throw MpiException.argument(ErrorClass.ERR_RANK, "remoteLeader", remoteLeader, "0.." + (members.size() - 1));
    }
    if (MemberSets.intersection(GroupAccess.members(local), members).size() > 0) {
      throw MpiException.argument(ErrorClass.ERR_GROUP, "remoteGroup", remote, "groups without local processes");
    }
    return members.peer(remoteLeader);
  }

  public static InterComm createFromGroups(
      Group localGroup, int localLeader, Group remoteGroup, int remoteLeader, String stringtag, Info info,
      Errhandler<? super Comm> errhandler) {
    if (localGroup != null && GroupAccess.members(localGroup).size() == 0
        || remoteGroup != null && GroupAccess.members(remoteGroup).size() == 0) {
      return null;
    }
    World world = Bootstrap.worldOf("localGroup", localGroup);
    Errhandler<? super Comm> handler = errhandler == null ? world.errhandler() : errhandler;
    try {
      Bootstrap.check("localGroup", localGroup);
      Bootstrap.checkTag(stringtag);
      Members members = GroupAccess.members(localGroup);
      Engine engine = GroupAccess.engine(localGroup);
      Channel local = Bootstrap.of(world, engine, members, "\0group of an intercommunicator\0" + stringtag);
      LeaderWords words = meet(world, local, localLeader, () -> {
        int leader = checkRemote(localGroup, remoteGroup, remoteLeader);
        int self = engine.self();
        Members leaders = Members.of(Math.min(self, leader), Math.max(self, leader));
        Channel line = Bootstrap.of(world, engine, leaders, "\0leaders of an intercommunicator\0" + stringtag);
        return message(engine, members, leader, line.creation(), 0);
      });
      Channel channel = between(local, words, "remoteGroup");
      CommHints hints = Bootstrap.hints(info, handler); // late: a rank whose arguments are right gets a communicator
      InterCommImpl made = new InterCommImpl(world, channel, handler);
      made.state().setHints(hints);
      return made;
    } catch (MpiException e) {
      throw ErrhandlerImpl.of(handler).handle(world, null, e);
    }
  }
}
