// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.Address;
import org.ffmpi.Buf;
import org.ffmpi.Info;
import org.ffmpi.Win;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.communicator.CommImpl;
import org.ffmpi.communicator.Exchange;
import org.ffmpi.port.WindowOperations;
import org.ffmpi.process.CommState;
import org.ffmpi.process.Failures;
import org.ffmpi.process.InfoAccess;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.CountedMemory;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.FlatBuffer;
import org.ffmpi.spi.RunSettings;
import org.ffmpi.spi.SharedMemory;
import org.ffmpi.spi.WindowWatch;

/**
 * Makes windows. The ranks exchange the places of their parts; when one could not make its part, all of them fail.
 */
final class WindowMaking implements WindowOperations {
  private static final int ALIGNMENT = 64;
  private static final int PAGE = 4096;

  /** Words that each rank contributes to the exchange. */
  private static final int FAILURE = 0;
  private static final int BYTES = 1;
  private static final int UNIT = 2;
  private static final int PLACE = 3;
  private static final int BLOCK = 4;
  private static final int FLAVOR = 5;
  private static final int PRIVATE = 6;
  private static final int NONCONTIGUOUS = 7;
  private static final int WORDS = 8;

  /** Longest wait until the kernel lets peers reach private memory; it takes less. */
  private static final long REACHABLE_WITHIN_NANOS = 2_000_000_000L;

  private final CommState parent;
  private final CommImpl comm;
  private final World world;
  private final Engine engine;
  /** The shared memory of this rank's node; null without any, and when the setting forbids its use. */
  private final SharedMemory node;
  /** The same if parts are accessed there; null otherwise. */
  private final SharedMemory memory;
  /** The same if all ranks of the window are on this node; null otherwise. */
  private final SharedMemory shared;
  private final int size;
  private final int rank;

  WindowMaking(CommState parent) {
    this.comm = CommImpl.of(parent.comm());
    this.parent = parent;
    this.world = parent.world;
    this.engine = parent.engine;
    boolean message = RunSettings.WINDOW.get(world.settings()) == RunSettings.WindowPath.MESSAGE;
    this.node = message ? null : engine.sharedMemory();
    this.memory = engine.choices() != null ? null : node;
    this.shared = memory != null && memory.reachesAll(parent.channel) ? memory : null;
    this.size = parent.channel.size();
    this.rank = parent.channel.rank();
  }

  /** The contribution of this rank to a window. */
  private static final class Own {
    long bytes;
    int unit;
    /** Memory of the program that the window is made over; null for none. */
    BufImpl<?> buf;
    /** Lease of that memory if its users are counted; null otherwise. */
    CountedMemory.Lease lease;
    /** Memory that was allocated for the window; null for none. */
    MemorySegment memory;
    MemorySegment block;
    MpiException failure;
  }

  // ---- flavors

  @Standard({"MPI_Win_allocate", "MPI_Win_allocate_c"})
  @Override
  public Win winAllocate(long bytes, int dispUnit, Info info) {
    parent.checkCollective();
    return make(Win.Flavor.ALLOCATE, info, own -> {
      checkSize(bytes, dispUnit, own);
      own.memory = newMemory(bytes, alignment(info));
    });
  }

  @Standard({"MPI_Win_allocate_shared", "MPI_Win_allocate_shared_c"})
  @Override
  public Win winAllocateShared(long bytes, int dispUnit, Info info) {
    parent.checkCollective();
    return make(Win.Flavor.SHARED, info, own -> {
      checkSize(bytes, dispUnit, own);
      if (node == null || !node.reachesAll(parent.channel)) {
        throw new MpiException(ErrorClass.ERR_RMA_SHARED, "winAllocateShared: these ranks share no memory"
            + (engine.choices() == null ? "" : ", since the order of loads and stores cannot be explored or replayed"));
      }
    });
  }

  @Standard({"MPI_Win_create", "MPI_Win_create_c"})
  @Override
  public Win winCreate(Buf<?> memory, int dispUnit, Info info) {
    parent.checkCollective();
    return make(Win.Flavor.CREATE, info, own -> {
      checkSize(0, dispUnit, own);
      if (memory == null) {
        return;
      }
      MpiException unusable = BufImpl.of(memory).unusable("memory", true);
      if (unusable != null || memory.count() > 0 && memory.type().trueLowerBound() < 0) {
        throw new MpiException(ErrorClass.ERR_BASE, unusable != null ? unusable.getMessage()
            : "memory: elements that begin before the buffer cannot be a part of a window");
      }
      if (BufImpl.of(memory).isOfObjects()) {
        throw MpiException.argument(ErrorClass.ERR_BASE, "memory", memory,
            "memory: objects are written to memory for the time of a message only");
      }
      own.buf = BufImpl.of(memory);
      own.lease = own.buf.lease();
      own.bytes = span(own.buf);
    });
  }

  /** Returns the bytes from the beginning of a buffer to the end of its elements, extents included. */
  private static long span(BufImpl<?> buf) {
    if (buf.count() == 0) {
      return 0;
    }
    long ends = (buf.count() - 1) * buf.type().extent() + buf.type().trueLowerBound() + buf.type().trueExtent();
    return Math.min(buf.memoryBytes(), Math.max(ends, buf.count() * buf.type().extent()));
  }

  @Standard({"MPI_Win_create_dynamic"})
  @Override
  public Win winCreateDynamic(Info info) {
    parent.checkCollective();
    return make(Win.Flavor.DYNAMIC, info, own -> own.unit = 1);
  }

  private static void checkSize(long bytes, int dispUnit, Own own) {
    if (bytes < 0) {
      throw MpiException.argument(ErrorClass.ERR_SIZE, "bytes", bytes, "0 or more");
    }
    if (dispUnit <= 0) {
      throw MpiException.argument(ErrorClass.ERR_DISP, "dispUnit", dispUnit, "1 or more");
    }
    own.bytes = bytes;
    own.unit = dispUnit;
  }

  private static int alignment(Info info) {
    String value = InfoAccess.entries(info).get("mpi_minimum_memory_alignment");
    if (value == null) {
      return ALIGNMENT;
    }
    if (!value.matches("[0-9]{1,8}") || Integer.bitCount(Integer.parseInt(value)) != 1) {
      throw MpiException.argument(
          ErrorClass.ERR_INFO_VALUE, "mpi_minimum_memory_alignment", value, "powers of two");
    }
    return Math.max(ALIGNMENT, Integer.parseInt(value));
  }

  private MemorySegment newMemory(long bytes, int alignment) {
    return memory == null
        ? Arena.ofAuto().allocate(bytes, alignment)
        : engine.allocateCollecting(bytes, alignment, null);
  }

  // ---- making

  /** Makes this rank's part. */
  private interface Part {
    void make(Own own);
  }

  private Win make(Win.Flavor flavor, Info info, Part part) {
    Own own = new Own();
    WindowHints hints = new WindowHints();
    try {
      part.make(own);
      hints.add(InfoAccess.entries(info));
      own.block = needsBlock(flavor) ? engine.allocateCollecting(blockBytes(), ALIGNMENT, null) : null;
    } catch (RuntimeException e) {
      own.failure = Failures.translate(e);
    }
    try {
      long context = comm.nextContext();
      WindowState state = new WindowState(world, new Channel(engine, context, parent.channel.local()));
      long[] all = Exchange.allgather(parent.channel, world, words(own, flavor, hints));
      checkAll(own, all, flavor);
      if (engine.observer() != null) {
        engine.observer().opened(state.channel);
      }
      engine.opened(state.channel);
      return switch (flavor) {
        case SHARED -> makeShared(state, hints, own, all);
        case DYNAMIC -> makeDynamic(state, hints, own, all);
        default -> makeSeparate(state, flavor, hints, own, all);
      };
    } catch (RuntimeException e) {
      if (own.lease != null) {
        own.lease.close();
      }
      throw parent.failed(e);
    }
  }

  /** Returns whether parts have synchronization blocks: not in dynamic windows of several nodes. */
  private boolean needsBlock(Win.Flavor flavor) {
    return shared != null || memory != null && flavor != Win.Flavor.DYNAMIC;
  }

  private long blockBytes() {
    return shared == null
        ? SyncLayout.bytes(0)
        : SyncLayout.bytes(size) + (world.isChecking() ? AccessLogLayout.BYTES : 0);
  }

  private long[] words(Own own, Win.Flavor flavor, WindowHints hints) {
    long[] words = new long[WORDS];
    words[FAILURE] = own.failure == null ? 0 : own.failure.errorClass().code();
    words[BYTES] = own.bytes;
    words[UNIT] = own.unit;
    words[PLACE] = own.failure == null ? place(own) : SharedMemory.NOT_SHARED;
    words[BLOCK] = own.block == null ? SharedMemory.NOT_SHARED : offset(own.block);
    words[FLAVOR] = flavor.ordinal();
    words[NONCONTIGUOUS] = hints.nonContiguous() ? 1 : 0;
    words[PRIVATE] = words[PLACE] == SharedMemory.NOT_SHARED ? privateAddress(own) : 0;
    return words;
  }

  /** Returns the offset of this rank's part in shared memory, or NOT_SHARED. */
  private long place(Own own) {
    if (memory == null) {
      return SharedMemory.NOT_SHARED;
    }
    if (own.memory != null) {
      return offset(own.memory);
    }
    return own.buf != null && own.buf.memoryKind() == Memory.NATIVE && own.bytes > 0
        ? memory.offset(own.buf.memoryOffset(), own.bytes)
        : SharedMemory.NOT_SHARED;
  }

  /** Returns the address of this rank's part if others can access it through the kernel; otherwise 0. */
  private long privateAddress(Own own) {
    if (memory == null || own.failure != null || own.buf == null || own.buf.memoryKind() != Memory.NATIVE
        || own.bytes == 0 || own.lease != null) {
      return 0;
    }
    long begin = System.nanoTime();
    while (!memory.isReachable()) {
      if (System.nanoTime() - begin > REACHABLE_WITHIN_NANOS) {
        return 0;
      }
      LockSupport.parkNanos(100_000);
    }
    return own.buf.memoryOffset();
  }

  private long offset(MemorySegment segment) {
    return node.offset(Raw.address(segment), segment.byteSize());
  }

  private void checkAll(Own own, long[] all, Win.Flavor flavor) {
    if (own.failure != null) {
      throw own.failure;
    }
    for (int r = 0; r < size; r++) {
      if (all[r * WORDS + FLAVOR] != flavor.ordinal()) {
        throw new MpiException(ErrorClass.ERR_OTHER, "rank " + r + " makes another kind of window than rank " + rank);
      }
      int code = (int) all[r * WORDS + FAILURE];
      if (code != 0) {
        throw new MpiException(
            ErrorClass.ofCode(code).orElse(ErrorClass.ERR_OTHER),
            "rank " + r + " could not make its part of the window");
      }
    }
  }

  /** Returns whether a rank is on this node. */
  private boolean reaches(int other) {
    return shared != null || memory != null && memory.reaches(parent.channel.peer(other));
  }

  /** Makes a window of parts that the ranks have made separately. */
  private Win makeSeparate(WindowState state, Win.Flavor flavor, WindowHints hints, Own own, long[] all) {
    long[] addresses = new long[size];
    MemorySegment[] views = new MemorySegment[size];
    boolean anyPrivate = false;
    for (int r = 0; r < size; r++) {
      long place = all[r * WORDS + PLACE];
      long bytes = all[r * WORDS + BYTES];
      if (place != SharedMemory.NOT_SHARED && reaches(r)) {
        views[r] = r == rank && own.memory != null ? own.memory : memory.view(place, bytes);
        addresses[r] = Raw.address(views[r]);
      } else {
        anyPrivate |= bytes > 0;
        views[r] = r == rank ? own.memory : null;
      }
    }
    Object part = own.buf != null ? own.buf : own.memory;
    Object base = part != null ? part : MemorySegment.NULL;
    return makeFixed(state, flavor, hints, own, all, addresses, views, anyPrivate, base);
  }

  /** Returns the offsets at which the parts of all ranks begin in one segment, and its length. */
  private long[] starts(long[] all) {
    boolean apart = all[NONCONTIGUOUS] != 0; // the hint of rank 0 decides if the ranks differ
    long[] starts = new long[size + 1];
    for (int r = 0; r < size; r++) {
      long next = Math.addExact(starts[r], all[r * WORDS + BYTES]);
      starts[r + 1] = apart ? Math.addExact(next, PAGE - 1) / PAGE * PAGE : next;
    }
    return starts;
  }

  /** Makes a window whose parts lie in one segment, which rank 0 allocates. */
  private Win makeShared(WindowState state, WindowHints hints, Own own, long[] all) {
    long[] starts = starts(all);
    long[] place = new long[1];
    MpiException failure = null;
    MemorySegment whole = null;
    if (rank == 0) {
      try {
        whole = engine.allocateCollecting(starts[size], PAGE, null);
        place[0] = offset(whole);
      } catch (MpiException e) {
        failure = e;
        place[0] = SharedMemory.NOT_SHARED;
      }
    }
    Exchange.bcast(parent.channel, world, place, 0);
    if (place[0] == SharedMemory.NOT_SHARED) {
      throw failure != null ? failure
          : new MpiException(ErrorClass.ERR_NO_MEM, "rank 0 could not allocate the " + starts[size] + " bytes of all");
    }
    if (whole == null) {
      whole = node.view(place[0], starts[size]);
    }
    boolean direct = shared != null;
    long[] addresses = new long[size];
    MemorySegment[] parts = new MemorySegment[size];
    for (int r = 0; r < size; r++) {
      parts[r] = whole.asSlice(starts[r], all[r * WORDS + BYTES]);
      addresses[r] = direct ? Raw.address(whole) + starts[r] : 0;
    }
    if (!direct) {
      own.memory = parts[rank]; // served, though all ranks reach it by loads and stores
    }
    return makeFixed(state, Win.Flavor.SHARED, hints, own, all, addresses, parts, !direct, parts[rank]);
  }

  /** Makes a window that is not dynamic. */
  private Win makeFixed(
      WindowState state, Win.Flavor flavor, WindowHints hints, Own own, long[] all, long[] addresses,
      MemorySegment[] parts, boolean anyPrivate, Object base) {
    long[] bytes = new long[size];
    int[] units = new int[size];
    for (int r = 0; r < size; r++) {
      bytes[r] = all[r * WORDS + BYTES];
      units[r] = (int) all[r * WORDS + UNIT];
    }
    MemorySegment[] kept = blocks(own, all, memory);
    return assemble(state, flavor, hints, own, kept, new FixedTable(addresses, bytes, units), parts, base,
        service(state, own, addresses[rank] != 0, anyPrivate, kept), null, crossMemory(state, all));
  }

  /**
   * Returns the service of this rank's part, for all ranks if it lies in private memory, and always for those of other
   * nodes. Null when all ranks reach all parts.
   */
  private PartService service(
      WindowState state, Own own, boolean reached, boolean anyPrivate, MemorySegment[] blocks) {
    if (shared != null && !anyPrivate) {
      return null;
    }
    boolean served = own.bytes > 0 && (shared == null || !reached);
    PartGuard guard = served && reached
        ? new PartGuard(new Stripes(memory, state.channel), Raw.address(blocks[rank])) : PartGuard.NONE;
    LockQueue locks = blocks == null ? LockQueue.ofPrivateWord(state.channel) : LockQueue.ofSharedWord(
        state.channel, new SharedLocks(state.channel, memory, addresses(blocks)), Raw.address(blocks[rank]));
    return new PartService(
        state.channel, served ? localPart(own) : new LocalPart.Fixed(Memory.BYTES, new byte[0], 0, 0), guard, locks);
  }

  /** Returns the access to private parts through the kernel; null when it reaches none. */
  private CrossMemoryAccess crossMemory(WindowState state, long[] all) {
    long[] addresses = new long[size];
    boolean any = false;
    for (int r = 0; r < size; r++) {
      addresses[r] = reaches(r) ? all[r * WORDS + PRIVATE] : 0;
      any |= addresses[r] != 0;
    }
    return any ? new CrossMemoryAccess(state.channel, memory, addresses) : null;
  }

  private static LocalPart localPart(Own own) {
    if (own.buf == null) {
      return new LocalPart.Fixed(Memory.NATIVE, own.memory, Raw.address(own.memory), own.bytes);
    }
    return new LocalPart.Fixed(own.buf.memoryKind(), own.buf.memoryOwner(), own.buf.memoryOffset(), own.bytes);
  }

  private Win makeDynamic(WindowState state, WindowHints hints, Own own, long[] all) {
    MemorySegment[] kept = blocks(own, all, shared);
    long[] blocks = addresses(kept);
    Attachments attachments = new Attachments(state, shared, blocks == null ? 0 : blocks[rank]);
    return assemble(state, Win.Flavor.DYNAMIC, hints, own, kept, new DynamicTable(shared, blocks, size),
        new MemorySegment[size], Address.BOTTOM,
        new PartService(state.channel, attachments, PartGuard.NONE, LockQueue.ofPrivateWord(state.channel)),
        attachments, null);
  }

  /** Returns the synchronization blocks of all ranks on this node; null without shared memory. */
  private MemorySegment[] blocks(Own own, long[] all, SharedMemory where) {
    if (where == null) {
      return null;
    }
    MemorySegment[] kept = new MemorySegment[size];
    for (int r = 0; r < size; r++) {
      if (r == rank) {
        kept[r] = own.block;
      } else if (reaches(r)) {
        kept[r] = where.view(all[r * WORDS + BLOCK], blockBytes());
      }
    }
    return kept;
  }

  private static long[] addresses(MemorySegment[] segments) {
    return segments == null ? null
        : Arrays.stream(segments).mapToLong(segment -> segment == null ? 0 : Raw.address(segment)).toArray();
  }

  /**
   * Assembles a window.
   *
   * @param kept synchronization blocks of the ranks on this node; null without shared memory
   * @param service service of this rank's part; null when all ranks reach all parts
   * @param attachments null for windows that are not dynamic
   */
  private Win assemble(
      WindowState state, Win.Flavor flavor, WindowHints hints, Own own, MemorySegment[] kept, WindowTable table,
      MemorySegment[] parts, Object base, PartService service, Attachments attachments,
      CrossMemoryAccess crossMemory) {
    long[] blocks = addresses(kept);
    RemoteAccess remote = service == null ? new NoRemoteAccess() : new MessageAccess(state.channel, service);
    Synchronizer synchronizer = shared != null ? new SharedSynchronizer(state, shared, blocks)
        : new MessageSynchronizer(state, blocks == null ? null : new SharedLocks(state.channel, memory, blocks));
    Stripes stripes = blocks == null ? null : new Stripes(memory, state.channel);
    FlatBuffer bytes = WindowChecks.bytesOf(flavor, own.buf, own.memory, own.bytes);
    WindowWatch watch = engine.watch(state.channel, new WindowWatch.Parts(
        WindowOverlaps.nameOf(state.channel), bytes, parts, hints::sameOp, hints::ordered));
    AccessLog log = shared == null || watch != null && watch.comparesAccesses() ? null
        : WindowOverlaps.logOf(parent, state, blocks, stripes, hints, attachments == null ? bytes : null);
    if (attachments != null) {
      attachments.setWatch(watch);
    }
    WindowChecks checks = WindowChecks.of(log, watch);
    Epochs epochs = new Epochs(state, synchronizer, remote, hints, checks);
    WindowEpochs.addTo(state.channel, epochs);
    WindowMemory memoryOfWindow = new WindowMemory(state, flavor, table, parts, kept, attachments, base);
    WindowProperties properties = new WindowProperties(state, hints);
    WindowData data = new WindowData(state, epochs, table, remote, crossMemory, checks);
    Accumulations accumulations = new Accumulations(state, epochs, table, stripes, blocks, remote, checks);
    WinImpl win = engine.observer() == null
        ? new WinImpl(
            state, memoryOfWindow, properties, epochs, data, accumulations, synchronizer, remote, checks,
            own.lease)
        : new ObservedWin(
            state, memoryOfWindow, properties, epochs, data, accumulations, synchronizer, remote, checks,
            own.lease);
    if (service != null) {
      service.start();
    }
    synchronizer.barrier(); // no rank uses a block before its owner is ready
    return win;
  }
}
