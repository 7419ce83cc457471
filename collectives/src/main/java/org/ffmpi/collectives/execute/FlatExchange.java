// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.execute;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.collectives.region.Region;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.FailedElsewhere;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.ReduceKernel;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.FlatBuffer;
import org.ffmpi.spi.WaitNote;
import org.ffmpi.spi.WaitSubject;

/**
 * A call of short data over a region, without a schedule. This rank publishes its contribution in its slot, looks at
 * the slots of the ranks whose data it needs, and copies or combines them straight from there.
 *
 * <p>It writes the same words to the region as the schedules of the algorithms {@code region} and {@code direct}. So it
 * is each rank's own affair whether it walks through a schedule. Calls are short enough where the {@code Selector}
 * gives them one of these algorithms. Numbers, ends, failures and the checks of waits are those of {@link Region}.
 *
 * <p>Belongs to one communicator, whose blocking calls use it one after the other, in any threads, or to a
 * {@link FlatPersistent}. Waits in {@link org.ffmpi.spi.SharedMemory#await}, so that everything else of the rank
 * progresses meanwhile.
 *
 * <p>This file is long because the course of a call, its waits and its copies share the state of one call.
 */
public final class FlatExchange implements BooleanSupplier, WaitSubject {
  /** The outcome of a call. */
  public enum Result {
    /** It is not one for this exchange, and nothing has been done. */
    REFUSED,
    /** It is complete. */
    COMPLETE,
    /** It has begun, and blocks are left that are not in slots. */
    BLOCKS_LEFT
  }

  /** Looks at a slot before the engine waits: as many as are right where ranks share cores. */
  private static final int LOOKS = 4;

  /** Unsuccessful looks after which a wait is no longer short: some microseconds. */
  private static final int SHORT_WAIT = 128;

  private static final int LOOKS_PER_QUESTION = 32;

  private static final long NOT_ASKED = -1;

  /** The name of this way of a call, beside those of algorithms. */
  public static final String NAME = "flat exchange";

  /** What is published of a call with blocks of any lengths. */
  private static final long ANY_BLOCKS = -1;

  private final Region region;
  private final int rank;
  private final int size;

  /** By operation, the most bytes of a contribution, and 0 for operations that do not come here. */
  private final long[] limits = new long[Collective.values().length];

  private final ToLongFunction<Collective> mostBytes;

  private final PublishedOperands operands;
  private final PublishedBlocks blocks;

  /** Room for this rank's own block where it is in no slot. */
  private MemorySegment own;

  /** Of the last call that combined; calls mostly repeat. */
  private ReduceKernel kernel;

  /** A plan whose elements have no gaps, and begin where their data do; calls mostly repeat. */
  private Plan knownPlan;

  /** The matching context of the communicator's collectives without a signature. */
  private final long collective;

  /** The buffers of the call. */
  private FlatBuffer send;

  private FlatBuffer recv;
  private Collective operation = Collective.BARRIER;
  private int root;
  private long units;
  private long unitBytes;
  private boolean ordered;
  private int tag;
  private long context;
  private long number;

  /** What the slots of the call's ranks have to agree in; kept from call to call, as what follows is. */
  private int signature;

  /** 0 before the first call. */
  private long callSignature;

  /** The call for errors and notes; null until one is needed. */
  private CallShape shape;

  private boolean publishes;
  private int reader;

  /** The bytes of this rank's contribution. */
  private long published;

  /** The ranks to wait for follow one another. */
  private int first;

  private int awaited;
  private int arrived;
  private boolean isWriting;
  private int looks;

  /**
   * Creates the exchange of a communicator.
   *
   * @param region the communicator's
   * @param channel the ranks
   * @param mostBytes returns the most bytes of a contribution to an operation; 0 for those that go by other schedules
   */
  public FlatExchange(Region region, Channel channel, ToLongFunction<Collective> mostBytes) {
    this.region = region;
    this.rank = channel.rank();
    this.size = channel.size();
    this.collective = channel.collective();
    this.mostBytes = mostBytes;
    this.operands = new PublishedOperands(region, rank, size);
    this.blocks = new PublishedBlocks(region, rank, size);
    Arrays.fill(limits, NOT_ASKED);
  }

  // ---- the course of one call

  /**
   * Carries out a call if it is short. Throws its error.
   *
   * @return whether it is complete
   */
  public Result run(Channel channel, CollectiveCall call) {
    if (!accepts(call)) {
      return Result.REFUSED;
    }
    begin(channel.nextCollectiveTag(), collective);
    try {
      return published == ANY_BLOCKS ? exchangeBlocks(call) : exchange(call);
    } catch (Throwable t) {
      throw fail(channel, t);
    } finally {
      send = null; // a caller's memory
      recv = null;
      Reference.reachabilityFence(this);
    }
  }

  private Result exchange(CollectiveCall call) {
    if (publishes) {
      if (!region.isFree(number)) {
        await();
      }
      publish();
    }
    if (!haveArrived()) {
      awaitOthers();
    }
    complete(call);
    return Result.COMPLETE;
  }

  /** Returns whether a call comes here, and measures it. */
  public boolean accepts(CollectiveCall call) {
    Collective asked = call.operation();
    long limit = limits[asked.ordinal()];
    if (limit == NOT_ASKED) {
      limit = mostBytes.applyAsLong(asked);
      limits[asked.ordinal()] = limit;
    }
    send = call.send();
    recv = call.recv();
    long length;
    long each = 1;
    switch (asked) {
      case BARRIER -> {
        length = 0;
      }
      case BCAST -> length = (send.isPresent() ? send : recv).packedBytes();
      case GATHER, ALLGATHER -> length = send.isPresent() ? send.packedBytes() : recv.packedBytes() / size;
      case SCATTER -> length = recv.isPresent() ? recv.packedBytes() : send.packedBytes() / size;
      case ALLTOALL -> length = recv.packedBytes() / size;
      case REDUCE, ALLREDUCE, SCAN, EXSCAN, REDUCE_SCATTER_BLOCK, REDUCE_SCATTER -> {
        FlatBuffer elements = recv.isPresent() ? recv : send;
        Plan plan = elements.plan();
        if (plan == null || plan != knownPlan && !Execution.isPublishable(plan)) {
          return false;
        }
        knownPlan = plan;
        if (call.kernel() != kernel) {
          kernel = call.kernel();
          callSignature = 0;
        }
        each = plan.size();
        length = elements.count();
        if (asked == Collective.REDUCE_SCATTER) {
          length = sum(call.counts(), size);
        } else if (asked == Collective.REDUCE_SCATTER_BLOCK && call.isInPlace()) {
          length /= size;
        }
      }
      default -> {
        if (limit == 0 || !blocks.fits(call, asked)) {
          return false;
        }
        length = 1;
      }
    }
    // Nothing is published of no bytes: the number of bytes less 1 is then the largest.
    if (asked == Collective.BARRIER ? limit == 0 : Long.compareUnsigned(length * each - 1, limit) >= 0) {
      return false;
    }
    ordered = !call.isCommutative();
    if (length != units || asked != operation || each != unitBytes || call.root() != root || callSignature == 0) {
      describe(asked, call.root(), length, each);
    }
    return true;
  }

  private static long sum(long[] counts, int until) {
    long sum = 0;
    for (int r = 0; r < until; r++) {
      sum += counts[r];
    }
    return sum;
  }

  /** Keeps what the call is, what its ranks have to agree in, and who publishes what for whom. */
  private void describe(Collective asked, int rootOfCall, long length, long each) {
    operation = asked;
    root = rootOfCall;
    units = length;
    unitBytes = each;
    shape = null;
    int kind = asked.isReduction() ? kernel.kind() : 0;
    signature = CallShape.signature(asked, root, units, unitBytes, kind);
    callSignature = CallShape.callSignature(asked, root, units, unitBytes, kind);
    boolean isRoot = rank == root;
    publishes = switch (asked) {
      case BCAST, SCATTER, SCATTERV -> isRoot;
      case GATHER, GATHERV -> !isRoot;
      default -> true;
    };
    reader = switch (asked) {
      case GATHER, GATHERV, REDUCE -> root;
      default -> Step.ALL;
    };
    published = asked.isOfBlocks() ? ANY_BLOCKS : units * unitBytes * switch (asked) {
      case SCATTER, ALLTOALL, REDUCE_SCATTER_BLOCK -> size;
      default -> 1;
    };
    first = rank + 1; // each rank begins with its neighbour, so that not all look at one line
    awaited = size - 1;
    switch (asked) {
      case BCAST, SCATTER -> {
        first = root;
        awaited = isRoot ? 0 : 1;
      }
      case GATHER, REDUCE -> awaited = isRoot ? size - 1 : 0;
      case SCAN, EXSCAN -> {
        first = 0;
        awaited = rank;
      }
      default -> { }
    }
  }

  /**
   * Begins a call that has been accepted.
   *
   * @param withTag its tag
   * @param within the matching context, to which a signature is added where it can have one
   */
  void begin(int withTag, long within) {
    tag = withTag;
    context = within;
    number = region.begin(callSignature);
    isWriting = publishes;
    arrived = 0;
  }

  /** Ends a call that has failed here, after all ranks have been notified. */
  private MpiException fail(Channel channel, Throwable t) {
    return fail(channel.engine(), Channel.signed(context, callSignature), channel.local().toArray(), t);
  }

  /** Ends a call that has failed here, after all ranks have been notified; returns the error. */
  MpiException fail(Engine engine, long context, int[] peers, Throwable t) {
    MpiException error = Execution.failure(t, operation);
    try {
      if (!(error instanceof FailedElsewhere)) {
        engine.failCall(context, tag, error.errorClass(), 0, 0, peers);
      }
    } catch (RuntimeException ended) { // the engine has left or the job has ended: the first error is enough
      if (ended != error) {
        error.addSuppressed(ended);
      }
    }
    region.fail(number, false);
    return error;
  }

  /** Returns the number in the region of the call that has blocks left. */
  public long number() {
    return number;
  }

  /** Returns the tag of the call that has blocks left. */
  public int tag() {
    return tag;
  }

  // ---- waiting

  /** Blocks until the ranks to wait for have published. */
  private void awaitOthers() {
    for (int left = LOOKS; left > 0; left--) {
      Thread.onSpinWait();
      if (haveArrived()) {
        return;
      }
    }
    await();
  }

  private void await() {
    looks = 0;
    region.memory().await(this);
  }

  /** Looks at the slots of the ranks that had not published before. Throws for calls that differ. */
  private boolean haveArrived() {
    for (int i = arrived; i < awaited; i++) {
      int at = first + i;
      int seen = region.look(at < size ? at : at - size, number, signature);
      if (seen != Region.PRESENT) {
        if (seen == Region.DIFFERENT) {
          throw region.mismatch(other(i), number, shape());
        }
        return false;
      }
      arrived = i + 1;
    }
    return true;
  }

  private int other(int index) {
    int at = first + index;
    return at < size ? at : at - size;
  }

  /**
   * Looks whether the wait is over. The count of ranks that have arrived only grows; a thread that sees an old one
   * looks at some of them again.
   */
  @Override
  public boolean getAsBoolean() {
    if (isWriting ? region.isFree(number) : haveArrived()) {
      return true;
    }
    // The line that shows a departure is one that the other rank writes often, and so is not read at every look.
    if (++looks > SHORT_WAIT || looks % LOOKS_PER_QUESTION == 0) {
      checkProgress();
    }
    return false;
  }

  /** Fails when what this rank waits for will never come. */
  void checkProgress() {
    if (isWriting) {
      region.checkAllPresent(number);
    } else {
      region.checkPresent(other(arrived), number, shape());
    }
  }

  @Override
  public void describe(WaitNote note) {
    int missing = isWriting ? region.findUnfinished(number) : arrived < awaited ? other(arrived) : -1;
    if (missing >= 0) {
      note.peer(region.peer(missing));
    }
    note.collective(operation, Channel.signed(context, callSignature), tag, shape().isRooted() ? root : -1,
        published == ANY_BLOCKS ? -1 : units * unitBytes);
  }

  private CallShape shape() {
    if (shape == null) {
      shape = new CallShape(operation, rank, size, root, units, unitBytes, false, ordered, 0, null, null, true, 1, 1,
          operation.isReduction() ? kernel.kind() : 0);
    }
    return shape;
  }

  // ---- one contribution

  /** Publishes this rank's contribution in its slot, which is free; in place it lies in the receive buffer. */
  private void publish() {
    if (published > 0) {
      FlatBuffer from = send.isPresent() ? send : recv;
      boolean isOwnBlock = operation == Collective.ALLGATHER && from == recv;
      from.read(isOwnBlock ? rank * units : 0, published, region.payload(rank, number));
    }
    region.publish(number, signature, reader);
    isWriting = false;
  }

  /** Reads the result out of the slots, and ends the call. */
  private void complete(CollectiveCall call) {
    FlatBuffer into = recv;
    switch (operation) {
      case BARRIER -> { }
      case BCAST -> {
        if (rank != root) {
          into.write(0, units, region.payload(root, number));
        }
      }
      case SCATTER -> {
        if (into.isPresent()) {
          into.write(0, units, region.payload(root, number) + rank * units);
        }
      }
      case GATHER -> {
        if (rank == root) {
          if (!call.isInPlace()) {
            into.write(rank * units, units, ownBlock(send, units));
          }
          readBlocks(into, 0);
        }
      }
      case ALLGATHER -> {
        if (!call.isInPlace()) {
          into.write(rank * units, units, region.payload(rank, number));
        }
        readBlocks(into, 0);
      }
      case ALLTOALL -> {
        if (!call.isInPlace()) {
          into.write(rank * units, units, region.payload(rank, number) + rank * units);
        }
        readBlocks(into, rank * units);
      }
      case REDUCE -> {
        if (rank == root) {
          combine(call, 0, units);
        }
      }
      case EXSCAN -> {
        if (rank > 0) {
          combine(call, 0, units);
        }
      }
      case REDUCE_SCATTER -> {
        long count = call.counts()[rank];
        if (count > 0) {
          combine(call, sum(call.counts(), rank), count);
        }
      }
      default -> combine(call, operation == Collective.REDUCE_SCATTER_BLOCK ? rank * units : 0, units);
    }
    region.finish(number);
  }

  private void combine(CollectiveCall call, long from, long count) {
    operands.combine(operation, root, ordered, number, from, count, unitBytes, kernel, recv);
  }

  private void readBlocks(FlatBuffer into, long from) {
    for (int i = 0; i < awaited; i++) {
      int other = other(i);
      into.write(other * units, units, region.payload(other, number) + from);
    }
  }

  /** Copies this rank's own block to memory with an address. */
  private long ownBlock(FlatBuffer block, long bytes) {
    if (own == null) {
      own = Arena.ofAuto().allocate(region.capacity(), Long.BYTES);
    }
    block.read(0, bytes, Raw.address(own));
    return Raw.address(own);
  }

  // ---- without waiting

  /**
   * Does what can be done of a call that has begun and has no blocks of different lengths.
   *
   * @return whether it is complete
   */
  boolean advance(CollectiveCall call) {
    if (isWriting) {
      if (!region.isFree(number)) {
        return false;
      }
      publish();
    }
    if (!haveArrived()) {
      return false;
    }
    complete(call);
    return true;
  }

  /** Carries a call that has begun to its end, waiting for other ranks. */
  void drive(CollectiveCall call) {
    if (isWriting) {
      if (!region.isFree(number)) {
        await();
      }
      publish();
    }
    if (!haveArrived()) {
      awaitOthers();
    }
    complete(call);
  }

  // ---- blocks of any lengths

  private Result exchangeBlocks(CollectiveCall call) {
    if (publishes) {
      if (!region.isFree(number)) {
        await();
      }
      blocks.write(call, number, reader);
      region.publish(number, signature, reader);
      isWriting = false;
    }
    boolean isWhole = switch (operation) {
      case GATHERV -> rank != root || readOwn(call.send(), call.recvBlocks().get(rank), call) && readAll(call, 0);
      case SCATTERV -> rank == root
          ? readOwn(call.sendBlocks().get(rank), call.recv(), call)
          : readBlock(root, rank, call.recv());
      case ALLGATHERV -> readOwn(call.send(), call.recvBlocks().get(rank), call) && readAll(call, 0);
      default -> readOwn(call.sendBlocks().get(rank), call.recvBlocks().get(rank), call) && readAll(call, rank);
    };
    if (!isWhole) {
      return Result.BLOCKS_LEFT;
    }
    region.finish(number);
    return Result.COMPLETE;
  }

  /** Copies this rank's own block, unless it is in place; returns true. */
  private boolean readOwn(FlatBuffer from, FlatBuffer into, CollectiveCall call) {
    if (!call.isInPlace()) {
      long bytes = from.packedBytes();
      if (bytes != into.packedBytes()) {
        throw CallShape.ownBlockError(operation, bytes, into.packedBytes());
      }
      if (bytes > 0) {
        into.write(0, bytes, ownBlock(from, bytes));
      }
    }
    return true;
  }

  /** Copies the block of each other rank; returns false when one is in no slot. */
  private boolean readAll(CollectiveCall call, int entry) {
    boolean isWhole = true;
    for (int i = 1; i < size && isWhole; i++) {
      int other = rank + i < size ? rank + i : rank + i - size;
      isWhole = readBlock(other, entry, call.recvBlocks().get(other));
    }
    return isWhole;
  }

  /** Copies a block of another rank, if it is not empty here; returns false when it is in no slot. */
  private boolean readBlock(int other, int index, FlatBuffer into) {
    if (into.packedBytes() == 0) {
      return true;
    }
    first = other;
    awaited = 1;
    arrived = 0;
    if (!haveArrived()) {
      awaitOthers();
    }
    return blocks.read(number, other, index, into, shape());
  }
}
