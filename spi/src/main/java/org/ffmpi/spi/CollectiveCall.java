// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import org.ffmpi.datatype.reduce.ReduceKernel;

/**
 * The arguments of one collective call at one rank, checked as far as one rank can check them. Refilled for each call:
 * {@link Collectives#call} reads it and retains only the objects that it refers to. Used by one thread at a time.
 *
 * <p>A side of the call is one buffer ({@link #send}, {@link #recv}), or blocks where {@link Collective#isOfBlocks}
 * holds and the operation has one block for each peer on that side. Arguments that are not significant at this rank are
 * absent.
 *
 * <table>
 * <caption>What is present; "all" means blocks for all ranks in one buffer</caption>
 * <tr><th>operation</th><th>send</th><th>receive</th><th>besides</th></tr>
 * <tr><td>BARRIER</td><td></td><td></td><td></td></tr>
 * <tr><td>BCAST</td><td>at the root</td><td>elsewhere</td><td>root</td></tr>
 * <tr><td>GATHER, GATHERV</td><td>this rank's block</td><td>at the root: all, or blocks</td><td>root</td></tr>
 * <tr><td>SCATTER, SCATTERV</td><td>at the root: all, or blocks</td><td>this rank's block</td><td>root</td></tr>
 * <tr><td>ALLGATHER, ALLGATHERV</td><td>this rank's block</td><td>all, or blocks</td><td></td></tr>
 * <tr><td>ALLTOALL, ALLTOALLV</td><td>all, or blocks</td><td>all, or blocks</td><td></td></tr>
 * <tr><td>REDUCE</td><td>contribution</td><td>at the root</td><td>root, kernel</td></tr>
 * <tr><td>ALLREDUCE, SCAN</td><td>contribution</td><td>result</td><td>kernel</td></tr>
 * <tr><td>EXSCAN</td><td>contribution</td><td>result; at rank 0, which has none, any of its size</td>
 * <td>kernel</td></tr>
 * <tr><td>REDUCE_SCATTER_BLOCK</td><td>all</td><td>result</td><td>kernel</td></tr>
 * <tr><td>REDUCE_SCATTER</td><td>all</td><td>result</td><td>kernel, counts</td></tr>
 * <tr><td>NEIGHBOR_ALLGATHER</td><td>one block</td><td>blocks</td><td>neighbors</td></tr>
 * <tr><td>NEIGHBOR_ALLTOALL</td><td>blocks</td><td>blocks</td><td>neighbors</td></tr>
 * </table>
 *
 * <p>In place, the side whose data already lie in the other one is absent: the receive side of SCATTER and SCATTERV,
 * the send side of all others. Between two groups the root is ROOT, PROC_NULL or a rank of the other group; ranks with
 * PROC_NULL have neither side and no kernel.
 */
@SuppressWarnings("exports") // kernels cross this port only between our own modules, to which their package is exported
public final class CollectiveCall {
  private final FlatBuffer send = new FlatBuffer();
  private final FlatBuffer recv = new FlatBuffer();
  private final FlatBlocks sendBlocks = new FlatBlocks();
  private final FlatBlocks recvBlocks = new FlatBlocks();
  private Collective operation = Collective.BARRIER;
  private int root;
  private boolean inPlace;

  /** Kept from call to call, as the plan of a {@link FlatBuffer} is. */
  private ReduceKernel kernel;

  private boolean hasKernel;
  private boolean commutative;
  private long[] counts;
  private Neighbors neighbors;

  /** Creates a call without arguments. */
  public CollectiveCall() {}

  /**
   * Returns a call with the same arguments but blocks, for use after this one is filled again.
   *
   * @return a new object
   */
  public CollectiveCall copyOfWhole() {
    CollectiveCall copy = new CollectiveCall();
    copy.operation = operation;
    copy.root = root;
    copy.inPlace = inPlace;
    copy.kernel = kernel;
    copy.hasKernel = hasKernel;
    copy.commutative = commutative;
    copy.counts = counts;
    copy.send.copy(send);
    copy.recv.copy(recv);
    return copy;
  }

  /**
   * Begins the description of a call: all arguments are absent, the root is 0.
   *
   * @param operation the operation
   * @return this call
   */
  public CollectiveCall begin(Collective operation) {
    if (this.operation != operation) {
      this.operation = operation;
    }
    root = 0;
    inPlace = false;
    commutative = true;
    return this;
  }

  /**
   * Begins the description of a call whose buffers are absent.
   *
   * @param operation the operation
   * @param rootOfCall rank of the root; 0 for calls without one
   * @param isInPlace whether this rank's data already lie in the other side's buffer or blocks
   */
  public void begin(Collective operation, int rootOfCall, boolean isInPlace) {
    if (this.operation != operation) {
      this.operation = operation;
    }
    root = rootOfCall;
    inPlace = isInPlace;
    commutative = true;
  }

  /** Forgets the arguments, so that their memory can be collected; after the call has crossed the port. */
  public void clear() {
    send.clear();
    recv.clear();
    hasKernel = false;
    if (operation.isOfBlocks()) {
      clearBlocks();
    } else if (counts != null) {
      counts = null;
    }
  }

  private void clearBlocks() {
    sendBlocks.clear();
    recvBlocks.clear();
    neighbors = null;
  }

  /**
   * Sets the root.
   *
   * @param rank rank of the root
   */
  public void setRoot(int rank) {
    root = rank;
  }

  /** Marks that this rank's data already lie in the other side's buffer or blocks. */
  public void setInPlace() {
    inPlace = true;
  }

  /**
   * Sets the kernel that combines elements.
   *
   * @param combines the kernel of the operation for the elements' type
   * @param mayCommute operands may change places
   */
  public void setKernel(ReduceKernel combines, boolean mayCommute) {
    if (kernel != combines) {
      kernel = combines;
    }
    hasKernel = combines != null;
    commutative = mayCommute;
  }

  /**
   * Sets the number of elements of each rank's part of a result.
   *
   * @param perRank counts, not changed any more
   */
  public void setCounts(long[] perRank) {
    counts = perRank;
  }

  /**
   * Sets the ranks that blocks come from and go to.
   *
   * @param topology the communicator's neighbours
   */
  public void setNeighbors(Neighbors topology) {
    neighbors = topology;
  }

  /**
   * Returns the operation.
   *
   * @return the operation
   */
  public Collective operation() {
    return operation;
  }

  /**
   * Returns the buffer that this rank sends.
   *
   * @return the buffer, possibly absent
   */
  public FlatBuffer send() {
    return send;
  }

  /**
   * Returns the buffer that this rank receives into.
   *
   * @return the buffer, possibly absent
   */
  public FlatBuffer recv() {
    return recv;
  }

  /**
   * Returns the blocks that this rank sends.
   *
   * @return the blocks, possibly absent
   */
  public FlatBlocks sendBlocks() {
    return sendBlocks;
  }

  /**
   * Returns the blocks that this rank receives into.
   *
   * @return the blocks, possibly absent
   */
  public FlatBlocks recvBlocks() {
    return recvBlocks;
  }

  /**
   * Returns the root.
   *
   * @return a rank, or between groups ROOT or PROC_NULL; 0 where there is none
   */
  public int root() {
    return root;
  }

  /**
   * Returns whether this rank's data already lie in the other side's buffer or blocks.
   *
   * @return true in place
   */
  public boolean isInPlace() {
    return inPlace;
  }

  /**
   * Returns the kernel that combines elements.
   *
   * @return the kernel, or null where nothing is combined
   */
  public ReduceKernel kernel() {
    return hasKernel ? kernel : null;
  }

  /**
   * Returns whether operands may change places.
   *
   * @return false when they stay in the order of ranks
   */
  public boolean isCommutative() {
    return commutative;
  }

  /**
   * Returns the number of elements of each rank's part of a result.
   *
   * @return counts, or null; not to be changed
   */
  public long[] counts() {
    return counts;
  }

  /**
   * Returns whether blocks come from and go to neighbours. Calls of programs without topologies never load their class,
   * and a method that returns an unloaded class is not inlined.
   *
   * @return true when {@link #neighbors} is not null
   */
  public boolean hasNeighbors() {
    return neighbors != null;
  }

  /**
   * Returns the ranks that blocks come from and go to.
   *
   * @return the neighbours, or null
   */
  public Neighbors neighbors() {
    return neighbors;
  }
}
