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
import org.ffmpi.collectives.region.BlockTableLayout;
import org.ffmpi.collectives.region.Region;
import org.ffmpi.collectives.region.SharedValues;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.FailedElsewhere;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.FlatBlocks;
import org.ffmpi.spi.FlatBuffer;
import org.ffmpi.spi.WaitNote;
import org.ffmpi.spi.WaitSubject;

/**
 * A blocking call of short data over the communicator's region, without a schedule: this rank publishes its
 * contribution in its slot, looks at the slots of the ranks whose data it needs, and copies or combines them straight
 * from there.
 *
 * <p>What is written to the region is what the schedules of the algorithms {@code region} and {@code direct} write.
 * So it is each rank's own affair whether it walks through a schedule, and which calls are short enough is what the
 * {@code Selector} says of these algorithms. Numbers, ends, failures and the checks of waits are those of
 * {@link Region}.
 *
 * <p>Belongs to one communicator, whose blocking calls use it one after the other, in any threads. Waits in
 * {@link org.ffmpi.spi.SharedMemory#await}, so that everything else of the rank progresses meanwhile.
 */
public final class FlatExchange implements BooleanSupplier, WaitSubject {
  /** What became of a call. */
  public enum Result {
    /** It is not one for this exchange, and nothing has been done. */
    REFUSED,
    /** It is complete. */
    COMPLETE,
    /** It has begun, and blocks are left that are not in slots. */
    BLOCKS_LEFT
  }

  /** Looks at a slot before the engine waits: what comes within half a microsecond needs no more. */
  private static final int LOOKS = 32;

  /** Unsuccessful looks after which a wait is no longer short: some microseconds. */
  private static final int SHORT_WAIT = 128;

  private static final int LOOKS_PER_QUESTION = 32;

  private final Region region;
  private final int rank;
  private final int size;

  private static final long NOT_ASKED = -1;

  /** By operation, the most bytes of a contribution, and 0 for operations that do not come here. */
  private final long[] limits = new long[Collective.values().length];

  private final ToLongFunction<Collective> mostBytes;

  private final PublishedOperands operands;

  /** Room for this rank's own block where it is in no slot. */
  private MemorySegment own;

  private Collective operation = Collective.BARRIER;
  private int root;
  private long units;
  private long unitBytes;
  private boolean ordered;
  private long context;
  private int tag;
  private long number;

  /** What the slots of the call's ranks have to agree in; of the call that was the last one, too. */
  private int signature;

  private long callSignature;

  /** The ranks to wait for, which follow one another; all slots that are looked at. */
  private int first;

  private int awaited;
  private int arrived;
  private boolean isWriting;
  private int looks;

  /**
   * Creates the exchange of a communicator.
   *
   * @param region the communicator's
   * @param rank own rank
   * @param size number of ranks
   * @param mostBytes returns the most bytes of a contribution to an operation; 0 for those that go by other schedules
   */
  public FlatExchange(Region region, int rank, int size, ToLongFunction<Collective> mostBytes) {
    this.region = region;
    this.rank = rank;
    this.size = size;
    this.mostBytes = mostBytes;
    Arrays.fill(limits, NOT_ASKED);
    this.operands = new PublishedOperands(region, rank, size);
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
    begin(channel, call);
    try {
      return operation.isOfBlocks() ? exchangeBlocks(call) : exchange(call);
    } catch (Throwable t) {
      throw fail(channel, t);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private Result exchange(CollectiveCall call) {
    if (publishes()) {
      awaitSlot();
      if (units > 0) {
        write(call);
      }
      region.publish(number, signature, reader());
    }
    chooseAwaited();
    if (awaited > 0) {
      awaitOthers();
    }
    if (units > 0 && call.recv().isPresent()) {
      read(call);
    }
    region.finish(number);
    return Result.COMPLETE;
  }

  /** Returns whether a call comes here, and measures it. */
  private boolean accepts(CollectiveCall call) {
    Collective asked = call.operation();
    long limit = limits[asked.ordinal()];
    if (limit <= 0) {
      if (limit == 0 || (limits[asked.ordinal()] = mostBytes.applyAsLong(asked)) == 0) {
        return false;
      }
      return accepts(call);
    }
    long length = 0;
    long each = 1;
    if (asked.isReduction()) {
      FlatBuffer elements = call.recv().isPresent() ? call.recv() : call.send();
      if (!elements.isPresent() || !Execution.isPublishable(elements.plan())) {
        return false;
      }
      each = elements.plan().size();
      length = switch (asked) {
        case REDUCE_SCATTER_BLOCK -> call.isInPlace() ? elements.count() / size : elements.count();
        case REDUCE_SCATTER -> sum(call.counts(), size);
        default -> elements.count();
      };
    } else if (asked.isOfBlocks()) {
      length = 1;
      if (!fits(call, asked)) {
        return false;
      }
    } else if (asked == Collective.BCAST) {
      length = (call.send().isPresent() ? call.send() : call.recv()).packedBytes();
    } else if (asked != Collective.BARRIER) {
      FlatBuffer all = asked == Collective.SCATTER ? call.send() : call.recv();
      FlatBuffer mine = asked == Collective.SCATTER ? call.recv() : call.send();
      length = all.isPresent() ? all.packedBytes() / size : mine.packedBytes();
    }
    if (asked != Collective.BARRIER && (length <= 0 || length > limit || length * each - 1 >= limit || each == 0)) {
      return false;
    }
    describe(asked, call, length, each);
    return true;
  }

  private static long sum(long[] counts, int until) {
    long sum = 0;
    for (int r = 0; r < until; r++) {
      sum += counts[r];
    }
    return sum;
  }

  /** Keeps what the call is, and what its ranks have to agree in; calls mostly repeat. */
  private void describe(Collective asked, CollectiveCall call, long length, long each) {
    ordered = !call.isCommutative();
    if (callSignature != 0 && asked == operation && call.root() == root && length == units && each == unitBytes) {
      return;
    }
    operation = asked;
    root = call.root();
    units = length;
    unitBytes = each;
    signature = CallShape.signature(asked, root, units, unitBytes);
    callSignature = CallShape.callSignature(asked, root, units, unitBytes);
  }

  private void begin(Channel channel, CollectiveCall call) {
    context = Channel.signed(channel.collective(), callSignature);
    tag = channel.nextCollectiveTag();
    number = region.begin(callSignature);
  }

  /** Ends a call that has failed here, after all ranks have been notified. */
  private MpiException fail(Channel channel, Throwable t) {
    MpiException error = Execution.failure(t, operation);
    try {
      if (!(error instanceof FailedElsewhere)) {
        channel.engine().failCall(context, tag, error.errorClass(), 0, 0, channel.local().toArray());
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

  // ---- who publishes for whom

  private boolean publishes() {
    return switch (operation) {
      case BCAST, SCATTER, SCATTERV -> rank == root;
      case GATHER, GATHERV -> rank != root;
      default -> true;
    };
  }

  private int reader() {
    return switch (operation) {
      case GATHER, GATHERV, REDUCE -> root;
      default -> Step.ALL;
    };
  }

  private void chooseAwaited() {
    first = rank + 1; // each rank begins with its neighbour, so that not all look at one line
    awaited = size - 1;
    switch (operation) {
      case BCAST, SCATTER -> {
        first = root;
        awaited = rank == root ? 0 : 1;
      }
      case GATHER, REDUCE -> awaited = rank == root ? size - 1 : 0;
      case SCAN, EXSCAN -> {
        first = 0;
        awaited = rank;
      }
      default -> { }
    }
  }

  private int other(int index) {
    int at = first + index;
    return at < size ? at : at - size;
  }

  // ---- waiting

  private void awaitSlot() {
    if (!region.isFree(number)) {
      isWriting = true;
      looks = 0;
      region.memory().await(this);
    }
    isWriting = false;
  }

  /** Blocks until the ranks to wait for have published, and checks what they call. */
  private void awaitOthers() {
    arrived = 0;
    int left = LOOKS;
    while (arrived < awaited && left > 0) {
      if (region.isPublished(other(arrived), number)) {
        arrived++;
      } else {
        Thread.onSpinWait();
        left--;
      }
    }
    if (arrived < awaited) {
      looks = 0;
      region.memory().await(this);
    }
    for (int i = 0; i < awaited; i++) {
      check(other(i));
    }
  }

  private void check(int other) {
    if (!region.agrees(other, number, signature)) {
      throw region.mismatch(other, number, shape());
    }
  }

  /**
   * Looks whether the wait is over. The count of ranks that have arrived only grows; a thread that sees an old one
   * looks at some of them again.
   */
  @Override
  public boolean getAsBoolean() {
    // The line that shows a departure is one that the other rank writes often, and so is not read at every look.
    boolean asks = ++looks > SHORT_WAIT || looks % LOOKS_PER_QUESTION == 0;
    if (isWriting) {
      if (region.isFree(number)) {
        return true;
      }
      if (asks) {
        region.checkAllPresent(number);
      }
      return false;
    }
    for (int i = arrived; i < awaited; i++) {
      if (!region.isPublished(other(i), number)) {
        if (asks) {
          region.checkPresent(other(i), number, shape());
        }
        return false;
      }
      arrived = i + 1;
    }
    return true;
  }

  @Override
  public void describe(WaitNote note) {
    int missing = isWriting ? region.findUnfinished(number) : arrived < awaited ? other(arrived) : -1;
    if (missing >= 0) {
      note.peer(region.peer(missing));
    }
    note.collective(operation, context, tag, shape().isRooted() ? root : -1,
        operation.isOfBlocks() ? -1 : units * unitBytes);
  }

  private CallShape shape() {
    return new CallShape(operation, rank, size, root, units, unitBytes, false, ordered, true, 1, 1);
  }

  // ---- one contribution

  private long allUnits() {
    return switch (operation) {
      case SCATTER, ALLTOALL, REDUCE_SCATTER_BLOCK -> units * size;
      default -> units;
    };
  }

  /** Writes this rank's contribution to its slot; in place it lies in the receive buffer. */
  private void write(CollectiveCall call) {
    FlatBuffer from = call.send().isPresent() ? call.send() : call.recv();
    boolean isOwnBlock = operation == Collective.ALLGATHER && from == call.recv();
    from.plan().pack(from.kind(), from.owner(), from.offset(), from.count(),
        isOwnBlock ? rank * units : 0, allUnits() * unitBytes, region.payload(rank, number));
  }

  /** Reads the result out of the slots. */
  private void read(CollectiveCall call) {
    switch (operation) {
      case BCAST -> copy(root, 0, call.recv(), 0);
      case SCATTER -> copy(root, rank * units, call.recv(), 0);
      case GATHER -> {
        if (!call.isInPlace()) {
          long block = ownBlock(call.send(), units);
          call.recv().plan().unpack(block, call.recv().kind(), call.recv().owner(), call.recv().offset(),
              call.recv().count(), rank * units, units);
        }
        copyAll(call.recv(), 0);
      }
      case ALLGATHER -> {
        if (!call.isInPlace()) {
          copy(rank, 0, call.recv(), rank * units);
        }
        copyAll(call.recv(), 0);
      }
      case ALLTOALL -> {
        if (!call.isInPlace()) {
          copy(rank, rank * units, call.recv(), rank * units);
        }
        copyAll(call.recv(), rank * units);
      }
      default -> combine(call);
    }
  }

  private void copyAll(FlatBuffer into, long from) {
    for (int i = 0; i < awaited; i++) {
      copy(other(i), from, into, other(i) * units);
    }
  }

  /** Copies a block out of a slot. */
  private void copy(int other, long from, FlatBuffer into, long to) {
    into.plan().unpack(
        region.payload(other, number) + from, into.kind(), into.owner(), into.offset(), into.count(), to, units);
  }

  private void combine(CollectiveCall call) {
    long from = 0;
    long count = units;
    if (operation == Collective.REDUCE_SCATTER_BLOCK) {
      from = rank * units;
    } else if (operation == Collective.REDUCE_SCATTER) {
      from = sum(call.counts(), rank);
      count = call.counts()[rank];
    } else if (operation == Collective.REDUCE ? rank != root : operation == Collective.EXSCAN && rank == 0) {
      return;
    }
    if (count > 0) {
      operands.combine(operation, root, ordered, number, from * unitBytes, count, call.kernel(), call.recv());
    }
  }

  /** Copies this rank's own block to memory with an address. */
  private long ownBlock(FlatBuffer block, long bytes) {
    if (own == null) {
      own = Arena.ofAuto().allocate(region.capacity(), Long.BYTES);
    }
    block.plan().pack(block.kind(), block.owner(), block.offset(), block.count(), 0, bytes, Raw.address(own));
    return Raw.address(own);
  }

  // ---- blocks of any lengths

  /** Returns whether all blocks that this rank has for others fit its slot, with their table. */
  private boolean fits(CollectiveCall call, Collective asked) {
    if (call.isInPlace() && asked == Collective.ALLTOALLV || call.hasNeighbors()) {
      return false;
    }
    long capacity = region.capacity();
    FlatBlocks blocks = call.sendBlocks();
    if (!blocks.isPresent()) {
      FlatBuffer one = call.send().isPresent() ? call.send()
          : asked == Collective.ALLGATHERV ? call.recvBlocks().get(rank) : null;
      return one == null || BlockTableLayout.blocksFrom(1) + one.packedBytes() <= capacity;
    }
    long end = BlockTableLayout.blocksFrom(size);
    for (int r = 0; r < size; r++) {
      long bytes = blocks.get(r).packedBytes();
      if (bytes > capacity) {
        return false;
      }
      end += r == rank ? 0 : BlockTableLayout.aligned(bytes);
    }
    return end <= capacity;
  }

  private Result exchangeBlocks(CollectiveCall call) {
    if (publishes()) {
      awaitSlot();
      writeBlocks(call);
      region.publish(number, signature, reader());
    }
    isWriting = false;
    boolean isWhole = switch (operation) {
      case GATHERV -> rank != root || readOwn(call.send(), call.recvBlocks().get(rank), call) && readBlocks(call, 0);
      case SCATTERV -> rank == root
          ? readOwn(call.sendBlocks().get(rank), call.recv(), call)
          : readBlock(root, rank, call.recv());
      case ALLGATHERV -> readOwn(call.send(), call.recvBlocks().get(rank), call) && readBlocks(call, 0);
      default -> readOwn(call.sendBlocks().get(rank), call.recvBlocks().get(rank), call) && readBlocks(call, rank);
    };
    if (!isWhole) {
      return Result.BLOCKS_LEFT;
    }
    region.finish(number);
    return Result.COMPLETE;
  }

  private void writeBlocks(CollectiveCall call) {
    long table = region.payload(rank, number);
    FlatBlocks blocks = call.sendBlocks();
    if (!blocks.isPresent()) {
      FlatBuffer one = call.send().isPresent() ? call.send() : call.recvBlocks().get(rank);
      BlockTableLayout.setPlainEntries(table, 1);
      writeBlock(table, 0, BlockTableLayout.blocksFrom(1), reader(), one);
      return;
    }
    BlockTableLayout.setPlainEntries(table, size);
    long position = BlockTableLayout.blocksFrom(size);
    for (int r = 0; r < size; r++) {
      position = r == rank
          ? writeNothing(table, r, position)
          : writeBlock(table, r, position, r, blocks.get(r));
    }
  }

  private static long writeNothing(long table, int entry, long position) {
    BlockTableLayout.setPlainEntry(
        table, entry, BlockTableLayout.entry(RegionBlockTable.Where.HERE.ordinal(), position, Step.NOBODY, 0));
    return position;
  }

  private static long writeBlock(long table, int entry, long position, int reader, FlatBuffer block) {
    long bytes = block.packedBytes();
    BlockTableLayout.setPlainEntry(
        table, entry, BlockTableLayout.entry(RegionBlockTable.Where.HERE.ordinal(), position, reader, bytes));
    if (bytes > 0) {
      block.plan().pack(block.kind(), block.owner(), block.offset(), block.count(), 0, bytes, table + position);
    }
    return position + BlockTableLayout.aligned(bytes);
  }

  /** Copies this rank's own block, unless it is in place; returns true. */
  private boolean readOwn(FlatBuffer from, FlatBuffer into, CollectiveCall call) {
    if (!call.isInPlace()) {
      long bytes = from.packedBytes();
      if (bytes != into.packedBytes()) {
        throw CallShape.ownBlockError(operation, bytes, into.packedBytes());
      }
      if (bytes > 0) {
        into.plan().unpack(
            ownBlock(from, bytes), into.kind(), into.owner(), into.offset(), into.count(), 0, bytes);
      }
    }
    return true;
  }

  /** Copies the block of each other rank; returns false when one is in no slot. */
  private boolean readBlocks(CollectiveCall call, int entry) {
    boolean isWhole = true;
    for (int i = 1; i < size && isWhole; i++) {
      int other = rank + i < size ? rank + i : rank + i - size;
      isWhole = readBlock(other, entry, call.recvBlocks().get(other));
    }
    return isWhole;
  }

  /** Copies a block of another rank, if it is not empty here; returns false when it is in no slot. */
  private boolean readBlock(int other, int index, FlatBuffer into) {
    long due = into.packedBytes();
    if (due == 0) {
      return true;
    }
    first = other;
    awaited = 1;
    awaitOthers();
    long entry = RegionBlockTable.find(region, number, other, index);
    if (RegionBlockTable.where(entry) != RegionBlockTable.Where.HERE) {
      return false;
    }
    long bytes = BlockTableLayout.bytes(entry);
    if (bytes != due) {
      throw shape().lengthError(other, bytes, due);
    }
    long at = RegionBlockTable.checkedPosition(region, entry, other);
    into.plan().unpack(region.payload(other, number) + at, into.kind(), into.owner(), into.offset(), into.count(), 0,
        due);
    return true;
  }
}
