// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import org.ffmpi.Buf;
import org.ffmpi.Op;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.collective.CollectiveChecks;
import org.ffmpi.collective.CommCollectives;
import org.ffmpi.collective.MovingCollective;
import org.ffmpi.collective.ReducingCollective;
import org.ffmpi.process.CommState;
import org.ffmpi.spi.Channel;

/**
 * The end of one collective call with objects, at which all ranks learn whether one of them has failed in writing,
 * reading or combining values. Used by the calling thread.
 */
final class CallOutcome {
  private final CommState state;
  private final Channel channel;
  private final CommCollectives collectives;
  private final boolean between;

  /** The first error of this rank in the call; null for none. */
  private MpiException failure;

  CallOutcome(CommState state, CommCollectives collectives) {
    this.state = state;
    this.channel = state.channel;
    this.collectives = collectives;
    this.between = CollectiveChecks.isBetweenGroups(channel);
  }

  /** Records an error of this rank; the first one counts. */
  void fail(MpiException error) {
    if (failure == null) {
      failure = error;
    }
  }

  boolean hasFailed() {
    return failure != null;
  }

  /**
   * Ends the call at all ranks alike. Collective.
   *
   * @throws MpiException when a rank has failed: the own error where there is one, otherwise that of the lowest rank
   */
  void agree() {
    long worst = worst(failure == null ? 0 : own(failure));
    long ours = between ? worst(worst) : worst; // the first number is that of the other group
    if (worst != 0 || ours != 0) {
      MpiException theirs = between ? described(ours, worst) : shared(rank(ours, channel.size()));
      throw state.raise(failure == null ? theirs : failure);
    }
  }

  /** Returns a number that is larger the lower this rank is, with the class of its error in the lower half. */
  private long own(MpiException error) {
    return (long) (channel.size() - channel.rank()) << Integer.SIZE | error.errorClass().code();
  }

  private static int rank(long number, int size) {
    return size - (int) (number >> Integer.SIZE);
  }

  /** Returns the largest number of all ranks; between groups, of the other group's. */
  private long worst(long own) {
    long[] worst = new long[1];
    collectives.run(ReducingCollective.allreduce(Buf.of(new long[] {own}), Buf.of(worst), Op.MAX));
    return worst[0];
  }

  /** Sends the error of a rank to the others of the one group; returns it. */
  private MpiException shared(int rank) {
    byte[] head = new byte[ObjectCollectives.HEAD];
    if (rank == channel.rank()) {
      OutgoingObject out = OutgoingObject.failed(failure, channel, ObjectCollectives.HEAD);
      out.putHead(head, 0);
      collectives.run(MovingCollective.bcast(Buf.of(head), rank));
      for (ObjectPart part : out.parts()) {
        collectives.run(MovingCollective.bcast(part.buf(), rank));
      }
      return failure;
    }
    collectives.run(MovingCollective.bcast(Buf.of(head), rank));
    IncomingObject in = new IncomingObject(head, 0, head.length, head.length, false);
    while (in.isPartial()) {
      collectives.run(MovingCollective.bcast(in.accept(-1).buf(), rank));
    }
    return in.senderError();
  }

  /** Returns an error that names a failed rank, of this group if one has failed there. */
  private MpiException described(long ours, long theirs) {
    boolean isOurs = ours != 0;
    long number = isOurs ? ours : theirs;
    int rank = rank(number, isOurs ? channel.size() : channel.remote().size());
    return new MpiException(
        ErrorClass.ofCode((int) number).orElse(ErrorClass.ERR_OTHER),
        "rank " + rank + (isOurs ? "" : " of the other group")
            + " has failed to write, read or combine a value in this call");
  }
}
