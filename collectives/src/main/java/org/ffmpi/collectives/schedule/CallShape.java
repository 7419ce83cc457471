// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.schedule;

import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.Neighbors;

/**
 * The key of a schedule: the kind of call, and those of its arguments that change the steps of this rank. The buffers'
 * addresses, kinds of memory and datatype are not among them, so that one schedule serves many calls.
 *
 * <p>{@link #collective}, {@link #size}, {@link #root}, {@link #units} times {@link #unitBytes}, {@link #ordered} and
 * {@link #shared} are the same on all ranks of a call, and so is {@link #nodes}; algorithms are selected by
 * them alone. The rest is this rank's own affair.
 *
 * @param collective the operation
 * @param rank own rank
 * @param size number of ranks
 * @param root rank of the root; 0 where there is none
 * @param units length of a contribution: elements in reductions, else bytes; 1 where units are whole blocks
 * @param unitBytes packed bytes of one unit
 * @param inPlace this rank's contribution lies in the receive buffer
 * @param ordered the operation does not commute: operands stay in the order of ranks
 * @param remote number of ranks in the other group; 0 within one group
 * @param layout further arguments that change the steps, {@link Counts} or {@code Neighbors}; null without such
 * @param nodes how the ranks are spread over nodes; null where that makes no difference
 * @param shared all ranks may use the communicator's region for this call
 * @param sendGrain the send buffer can be cut at multiples of this only: 1, or an element's size where memory has gaps
 * @param receiveGrain the same of the receive buffer
 * @param kind what is combined and how, see {@link org.ffmpi.datatype.reduce.ReduceKernel#kind}; 0 without a reduction
 */
public record CallShape(
    Collective collective,
    int rank,
    int size,
    int root,
    long units,
    long unitBytes,
    boolean inPlace,
    boolean ordered,
    int remote,
    Object layout,
    RanksByNode nodes,
    boolean shared,
    long sendGrain,
    long receiveGrain,
    int kind) {
  /** Number of calls of one length that a signature distinguishes; a prime: neighbouring roots and types differ. */
  private static final int KINDS = 31;

  private static final int LENGTH_BITS = 26;
  private static final int LENGTH_SHIFT = 32;
  private static final long LENGTH_MASK = (1L << LENGTH_BITS) - 1 << LENGTH_SHIFT;

  /** Bytes that are copied in less time than a message takes. */
  private static final long SHORT = 4 << 10;

  /** The shape of a call within one group whose steps need no more to be known. */
  public CallShape(
      Collective collective, int rank, int size, int root, long units, long unitBytes, boolean inPlace,
      boolean ordered, boolean shared, long sendGrain, long receiveGrain) {
    this(
        collective, rank, size, root, units, unitBytes, inPlace, ordered, 0, null, null, shared, sendGrain,
        receiveGrain, 0);
  }

  /**
   * Returns the shape of a call among some of the ranks, in units of this one.
   *
   * @param part its operation
   * @param number own number among those ranks
   * @param members how many they are
   * @param first number of the root
   * @param length length of a contribution, in units
   * @param counts where the blocks are when they differ in length; else null
   * @param within whether the contribution lies in the receive buffer
   */
  public CallShape among(
      Collective part, int number, int members, int first, long length, Counts counts, boolean within) {
    return new CallShape(
        part, number, members, first, length, unitBytes, within, ordered, 0, counts, null, false, 1, 1, 0);
  }

  /** Returns the shape of the same call of ranks that are spread over nodes. */
  public CallShape over(RanksByNode spread) {
    return new CallShape(collective, rank, size, root, units, unitBytes, inPlace, ordered, remote, layout, spread,
        shared, sendGrain, receiveGrain, kind);
  }

  /** Returns the bytes by which an algorithm is selected: those of one rank's contribution. */
  public long bytes() {
    return units * unitBytes;
  }

  /** Returns the shape of the same call where there is a region. */
  public CallShape withRegion() {
    return withRegion(true);
  }

  /** Returns the shape of the same call where there is no region. */
  public CallShape withoutRegion() {
    return withRegion(false);
  }

  private CallShape withRegion(boolean there) {
    return new CallShape(collective, rank, size, root, units, unitBytes, inPlace, ordered, remote, layout, nodes,
        there, sendGrain, receiveGrain, kind);
  }

  /** Returns whether the call has a root. */
  public boolean isRooted() {
    return switch (collective) {
      case BCAST, GATHER, GATHERV, SCATTER, SCATTERV, REDUCE -> true;
      default -> false;
    };
  }

  public boolean isRoot() {
    return isBetweenGroups() ? root == Constants.ROOT : rank == root;
  }

  public boolean isBetweenGroups() {
    return remote > 0;
  }

  /** Returns how many ranks send to this one, or receive from it: those of the other group, where there is one. */
  int peers() {
    return isBetweenGroups() ? remote : size;
  }

  /** Returns the length of a rank's block where each rank has one. */
  public long length(int rank) {
    return layout instanceof Counts counts ? counts.of(rank) : units;
  }

  /** Returns where a rank's block begins where each rank has one; for the number of ranks, where the last one ends. */
  public long start(int rank) {
    return layout instanceof Counts counts ? counts.start(rank) : rank * units;
  }

  /** Returns the number by which steps name a rank of this group. */
  public int local(int rank) {
    return remote + rank;
  }

  /** Returns the rank counted from the root on, as rotated trees number it. */
  public int relative() {
    return Math.floorMod(rank - root, size);
  }

  /** Turns what {@link #relative} counts back into a rank. */
  public int absolute(int relative) {
    return (relative + root) % size;
  }

  /**
   * Returns whether a rank should copy its own block before it receives those of others: a short one is copied
   * while they are on their way, and the last receive need not be started and awaited; a long one would keep senders
   * waiting.
   */
  public boolean copiesFirst() {
    return bytes() <= SHORT;
  }

  public long sendUnits() {
    return switch (collective) {
      case SCATTER, SCATTERV -> isRoot() ? units * peers() : 0;
      case ALLTOALL, ALLTOALLV -> units * peers();
      case REDUCE_SCATTER_BLOCK -> units * size;
      case NEIGHBOR_ALLTOALL -> ((Neighbors) layout).destinations().length;
      default -> units;
    };
  }

  public long receiveUnits() {
    return switch (collective) {
      case GATHER, GATHERV -> isRoot() ? units * peers() : 0;
      case ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV -> units * peers();
      case REDUCE_SCATTER_BLOCK -> inPlace ? units * size : units;
      case REDUCE_SCATTER -> inPlace ? units : ((Counts) layout).of(rank);
      case NEIGHBOR_ALLGATHER, NEIGHBOR_ALLTOALL -> ((Neighbors) layout).sources().length;
      default -> units;
    };
  }

  /** Compares with a call's arguments without an object for them; rank, size and nodes are those of a communicator. */
  boolean matches(
      Collective collective, int root, long units, long unitBytes, boolean inPlace, boolean ordered, boolean shared,
      long sendGrain, long receiveGrain, int kind) {
    return this.units == units
        && this.collective == collective
        && this.root == root
        && this.unitBytes == unitBytes
        && this.inPlace == inPlace
        && this.ordered == ordered
        && this.shared == shared
        && this.remote == 0
        && this.layout == null
        && this.sendGrain == sendGrain
        && this.receiveGrain == receiveGrain
        && this.kind == kind;
  }

  /**
   * Returns the error of a block, or of a rank's whole contribution, that is not as long at both ranks.
   *
   * @param other the other rank, as steps name it
   * @param theirs its length there, in bytes
   * @param ours its length here, in bytes
   */
  public MpiException lengthError(int other, long theirs, long ours) {
    return new MpiException(ErrorClass.ERR_COUNT,
        collective + ": " + name(other) + " has " + theirs + " bytes where rank " + rank + " has " + ours
            + ": counts or types differ between ranks");
  }

  /** Returns the error of a rank whose call differs in more than its length. */
  public MpiException otherCall(int other) {
    return new MpiException(ErrorClass.ERR_COUNT, collective + ": " + name(other)
        + " calls something else: collectives, roots, operations or element types, or their order, differ between"
        + " ranks; --check full says which");
  }

  /**
   * Returns the error of a rank whose call has another {@link #callSignature}.
   *
   * @param other the other rank, as steps name it
   * @param signature what it has instead, 0 when that is not known any more
   */
  public MpiException differs(int other, long signature) {
    if (signature == 0) {
      return new MpiException(ErrorClass.ERR_COUNT, collective + ": " + name(other)
          + " calls something else, or this with another length: counts, types, roots or the order of calls differ"
          + " between ranks");
    }
    long difference = signature ^ callSignature();
    if ((difference & ~LENGTH_MASK) != 0 || difference == 0) {
      return otherCall(other);
    }
    // The signature has the length modulo a power of two; the nearest possible one is right.
    long apart = (signature & LENGTH_MASK) - (callSignature() & LENGTH_MASK) << 64 - LENGTH_BITS - LENGTH_SHIFT
        >> 64 - LENGTH_BITS;
    long theirs = units + apart < 0 ? units + apart + (1L << LENGTH_BITS) : units + apart;
    return lengthError(other, theirs * unitBytes, bytes());
  }

  /**
   * Returns the error of a rank's own block that is not received as it is sent.
   *
   * @param sent its bytes where it is sent
   * @param received its bytes where it is received
   */
  public static MpiException ownBlockError(Collective collective, long sent, long received) {
    return new MpiException(ErrorClass.ERR_COUNT, collective + ": this rank's own block has " + sent
        + " bytes where it is sent and " + received + " where it is received");
  }

  /** Returns the error, of a class, of a call that cannot end because another rank has failed in it. */
  public FailedElsewhere failedElsewhere(int other, ErrorClass errorClass) {
    return new FailedElsewhere(errorClass, collective, name(other));
  }

  private String name(int other) {
    return remote == 0 ? "rank " + other : other >= remote ? "rank " + (other - remote)
        : "rank " + other + " of the other group";
  }

  /**
   * Returns what messages of ranks in the same call must agree in, as {@link org.ffmpi.spi.Channel#signed} has it: in
   * its upper bits which call it is, then the length of a contribution in units. Calls that differ in their lengths
   * only can so be told from others. Between groups there is none, since each group has lengths of its own.
   */
  public long callSignature() {
    return isBetweenGroups() ? 0 : callSignature(collective, root, units, unitBytes, kind);
  }

  /** Returns the {@link #callSignature} of a call within one group. */
  public static long callSignature(Collective collective, int root, long units, long unitBytes, int kind) {
    long what = collective.ordinal() + (root + 1L) * 11 + unitBytes % KINDS * 7 + kind;
    return Long.MIN_VALUE | what % KINDS << LENGTH_SHIFT + LENGTH_BITS
        | (units & (1L << LENGTH_BITS) - 1) << LENGTH_SHIFT;
  }

  /** Returns a word that differs, most likely, where the ranks' calls differ in what they must agree about. */
  int signature() {
    return signature(collective, root, units, unitBytes, kind);
  }

  /** Returns the {@link #signature} of a call within one group. */
  public static int signature(Collective collective, int root, long units, long unitBytes, int kind) {
    return hash(collective, root, units, unitBytes, false, kind);
  }

  /**
   * Returns the number of bytes that each rank publishes where it publishes its whole contribution, as far as all ranks
   * know that.
   */
  public long publishedBytes() {
    return collective.isOfBlocks() ? Long.MAX_VALUE : switch (collective) {
      case SCATTER, ALLTOALL, REDUCE_SCATTER_BLOCK -> bytes() * size;
      default -> bytes();
    };
  }

  /** Spreads calls over the entries of a cache. */
  static int hash(Collective collective, int root, long units, long unitBytes, boolean inPlace, int kind) {
    long h = ((units * 31 + unitBytes) * 31 + root) * 31 + kind;
    h = (h * 31 + collective.ordinal()) * 2 + (inPlace ? 1 : 0);
    h *= 0x9E3779B97F4A7C15L; // Fibonacci hashing: the upper bits depend on all lower ones
    return (int) (h >>> 32);
  }
}
