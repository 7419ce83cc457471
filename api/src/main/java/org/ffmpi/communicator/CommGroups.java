// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import org.ffmpi.Comm;
import org.ffmpi.Comparison;
import org.ffmpi.Group;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.CommState;
import org.ffmpi.process.GroupAccess;
import org.ffmpi.process.Identities;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Members;

/** The processes of a communicator, with this one's rank, the groups, and comparison with another communicator. */
public final class CommGroups {
  private final CommState state;
  private final Channel channel;

  CommGroups(CommState state) {
    this.state = state;
    this.channel = state.channel;
  }

  public boolean isInter() {
    return channel.local() != channel.remote();
  }

  public Group group() {
    state.checkOpen();
    return GroupAccess.of(state.world, state.engine, channel.local());
  }

  public Comparison compare(Comm other) {
    state.checkOpen();
    checkComm("other", other);
    Channel theirs = CommState.of(other).channel;
    if (channel == theirs) {
      return Comparison.IDENT;
    }
    if (isInter() != other.isInter()) {
      return Comparison.UNEQUAL;
    }
    Comparison locals = GroupAccess.compare(channel.local(), ours(theirs, theirs.local()));
    Comparison remotes = isInter() ? GroupAccess.compare(channel.remote(), ours(theirs, theirs.remote())) : locals;
    Comparison worse = locals.compareTo(remotes) > 0 ? locals : remotes;
    return worse == Comparison.IDENT ? Comparison.CONGRUENT : worse;
  }

  private Members ours(Channel other, Members members) {
    return Identities.in(channel.engine(), other.engine(), members);
  }

  public int remoteSize() {
    state.checkOpen();
    return channel.remote().size();
  }

  public Group remoteGroup() {
    state.checkOpen();
    return GroupAccess.of(state.world, state.engine, channel.remote());
  }

  /** Checks a communicator that is another argument of a call. */
  private void checkComm(String argument, Comm comm) {
    if (comm == null || CommState.of(comm).isClosed()) {
      throw state.raise(MpiException.argument(
          ErrorClass.ERR_COMM, argument, comm, "communicators that have not been closed"));
    }
    if (CommState.of(comm).world != state.world) {
      throw state.raise(MpiException.argument(
          ErrorClass.ERR_COMM, argument, comm, "communicators of the same process and session"));
    }
  }
}
