// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.ffmpi.Address;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.Job;

/**
 * A window: memory of each rank that the others read and write ({@code MPI_Win}). Sizes and displacement units of a
 * window count elements of the buffer that it is made over.
 *
 * <p>This file is long because all calls of chapter 12 of the standard are here.
 */
public final class Win implements Freeable {
  //text dispUnit  by what displacements are multiplied, in elements of the buffer
  //text keyval  its key
  //text rank  the target
  //text result  receives what was at the target
  //text resultCount  number of elements there
  //text resultType  type of the elements
  //text size  how much of it, in elements of the buffer
  //text type  type of the element
  //text origin  memory of this rank
  //text orgCount  number of elements there
  //text orgType  type of the elements
  //text targetRank  rank of the target
  //text targetDisp  displacement of the elements in its memory, in its units
  //text targetCount  number of elements there
  //text targetType  their type
  //text op  a predefined operation
  //text return Request  a request, complete when the memory here may be used again

  /** No window. */
  public static final int WIN_NULL = 0;

  /** A window with memory of its own ({@code MPI_Win_allocate}). */
  public static final int FLAVOR_PRIVATE = 0;

  /** A window with memory that ranks share ({@code MPI_Win_allocate_shared}). */
  public static final int FLAVOR_SHARED = 1;

  /** The first key that a program gets; predefined keys are below. */
  private static final int FIRST_KEY = 1000;

  /** Created keys, mapped to whether new values may use them: not once freed. */
  private static final Map<Integer, Boolean> KEYS = new ConcurrentHashMap<>();

  private org.ffmpi.Win win;

  /** The memory of the window, or null; this field keeps it reachable. */
  private final MemorySegment base;

  private final Map<Integer, Object> attributes = new HashMap<>();

  /** The memory attached to a dynamic window, by address. */
  private final Map<Long, MemorySegment> attached = new HashMap<>();

  /**
   * Makes a window over existing memory ({@code MPI_Win_create}).
   *
   * @param base the memory
   */
  public Win(Buffer base, int size, int dispUnit, Info info, Comm comm) {
    this.base = bytes(comm, base, size);
    win = make(comm, ranks -> ranks.winCreate(whole(this.base), dispUnit * widthOf(base), Info.infoOf(info)));
  }

  /**
   * Makes a window with memory ({@code MPI_Win_allocate}, {@code MPI_Win_allocate_shared}): that of a buffer, when it
   * holds the whole of it, so that a program can read and write it; otherwise new memory, which only accesses reach.
   *
   * @param size how much memory, in elements of the buffer
   * @param base the buffer
   * @param flavor {@link #FLAVOR_PRIVATE} or {@link #FLAVOR_SHARED}
   */
  public Win(int size, int dispUnit, Info info, Comm comm, Buffer base, int flavor) {
    if (flavor != FLAVOR_PRIVATE && flavor != FLAVOR_SHARED) {
      throw failed(comm, MpiException.argument(
          ErrorClass.ERR_ARG, "flavor", flavor, "FLAVOR_PRIVATE and FLAVOR_SHARED"));
    }
    boolean holds = base != null && base.capacity() >= size;
    this.base = holds ? bytes(comm, base, size) : allocated(comm, (long) size * widthOf(base));
    win = make(comm, ranks -> ranks.winCreate(whole(this.base), dispUnit * widthOf(base), Info.infoOf(info)));
  }

  /** Makes a window without memory, to which ranks attach some ({@code MPI_Win_create_dynamic}). */
  public Win(Info info, Comm comm) {
    base = null;
    win = make(comm, ranks -> ranks.winCreateDynamic(Info.infoOf(info)));
  }

  // ---- memory

  private static int widthOf(Buffer buffer) {
    return switch (buffer) {
      case null -> 1;
      case ByteBuffer _ -> 1;
      case IntBuffer _, FloatBuffer _ -> 4;
      case LongBuffer _, DoubleBuffer _ -> 8;
      default -> 2;
    };
  }

  private static MemorySegment bytes(Comm comm, Buffer base, int size) {
    if (base == null && size == 0) {
      return null;
    }
    long bytes = (long) size * widthOf(base);
    MemorySegment all = base == null ? MemorySegment.NULL : MemorySegment.ofBuffer(base.duplicate().clear());
    if (size < 0 || bytes > all.byteSize()) {
      throw failed(comm, MpiException.argument(
          ErrorClass.ERR_SIZE, "size", size, "0 to " + all.byteSize() / widthOf(base) + ", which the buffer holds"));
    }
    return all.asSlice(0, bytes);
  }

  private static MemorySegment allocated(Comm comm, long bytes) {
    try {
      return Job.mpi().shared().allocate(bytes, Long.BYTES);
    } catch (MpiException | IllegalArgumentException e) {
      throw failed(comm, MpiException.argument(ErrorClass.ERR_SIZE, "size", bytes,
          "0 bytes and more: " + e.getMessage()));
    }
  }

  private static Buf<?> whole(MemorySegment memory) {
    return memory == null ? null : Buf.in(memory, 0, memory.byteSize(), org.ffmpi.datatype.Datatype.BYTE);
  }

  private static org.ffmpi.Win make(Comm comm, Function<IntraComm, org.ffmpi.Win> how) {
    org.ffmpi.Comm ranks = Comm.openOf(comm);
    if (!(ranks instanceof IntraComm intra)) {
      throw failed(comm, new MpiException(ErrorClass.ERR_COMM,
          "comm is an intercommunicator; windows need the other kind"));
    }
    try {
      return Errors.withFatalErrors(how.apply(intra));
    } catch (MpiException e) {
      throw new MPIException(e);
    }
  }

  private static MPIException failed(Comm comm, MpiException error) {
    try {
      return new MPIException(Comm.openOf(comm).callErrhandler(error));
    } catch (MpiException e) {
      return new MPIException(e);
    }
  }

  // ---- how calls are made

  private org.ffmpi.Win open() {
    org.ffmpi.Win open = win;
    if (open == null) {
      throw Job.raise(new MpiException(ErrorClass.ERR_WIN, "the window has been freed"));
    }
    return open;
  }

  private void call(Consumer<org.ffmpi.Win> call) {
    try {
      call.accept(open());
    } catch (MpiException e) {
      throw new MPIException(e);
    }
  }

  private <T> T ask(Function<org.ffmpi.Win, T> call) {
    try {
      return call.apply(open());
    } catch (MpiException e) {
      throw new MPIException(e);
    }
  }

  /** Makes an origin's buffer; passes an error to the window's error handler. */
  private static Buf<?> buf(org.ffmpi.Win win, Buffer memory, int count, Datatype type) {
    return Elements.of(memory, count, type, win::callErrhandler);
  }

  // ---- accesses

  /** Writes elements to a target ({@code MPI_Put}). */
  public void put(
      Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
      Datatype targetType) {
    call(w -> w.put(buf(w, origin, orgCount, orgType), targetRank, targetDisp, targetCount,
        Datatype.typeOf(targetType)));
  }

  /** Reads elements of a target ({@code MPI_Get}). */
  public void get(
      Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
      Datatype targetType) {
    call(w -> w.get(buf(w, origin, orgCount, orgType), targetRank, targetDisp, targetCount,
        Datatype.typeOf(targetType)));
  }

  /** Combines elements with those of a target ({@code MPI_Accumulate}). */
  public void accumulate(
      Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
      Datatype targetType, Op op) {
    call(w -> w.accumulate(buf(w, origin, orgCount, orgType), targetRank, targetDisp, targetCount,
        Datatype.typeOf(targetType),
        Comm.op(op, targetType)));
  }

  /** Writes elements to a target ({@code MPI_Rput}). */
  public final Request rPut(
      Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
      Datatype targetType) {
    return new Request(ask(w -> w.rput(buf(w, origin, orgCount, orgType), targetRank, targetDisp, targetCount,
        Datatype.typeOf(targetType))));
  }

  /** Reads elements of a target ({@code MPI_Rget}). */
  public final Request rGet(
      Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
      Datatype targetType) {
    return new Request(ask(w -> w.rget(buf(w, origin, orgCount, orgType), targetRank, targetDisp, targetCount,
        Datatype.typeOf(targetType))));
  }

  /** Combines elements with those of a target ({@code MPI_Raccumulate}). */
  public Request rAccumulate(
      Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
      Datatype targetType, Op op) {
    return new Request(ask(w -> w.raccumulate(buf(w, origin, orgCount, orgType), targetRank, targetDisp, targetCount,
        Datatype.typeOf(targetType), Comm.op(op, targetType))));
  }

  /** Reads elements of a target and combines them ({@code MPI_Get_accumulate}). */
  public void getAccumulate(
      Buffer origin, int orgCount, Datatype orgType, Buffer result, int resultCount, Datatype resultType,
      int targetRank, int targetDisp, int targetCount, Datatype targetType, Op op) {
    call(w -> w.getAccumulate(operand(w, origin, orgCount, orgType, op), buf(w, result, resultCount, resultType),
        targetRank, targetDisp, targetCount, Datatype.typeOf(targetType),
        Comm.op(op, targetType)));
  }

  /** Reads elements of a target and combines them ({@code MPI_Rget_accumulate}). */
  public Request rGetAccumulate(
      Buffer origin, int orgCount, Datatype orgType, Buffer result, int resultCount, Datatype resultType,
      int targetRank, int targetDisp, int targetCount, Datatype targetType, Op op) {
    return new Request(ask(w -> w.rgetAccumulate(operand(w, origin, orgCount, orgType, op), buf(w, result, resultCount,
        resultType),
        targetRank, targetDisp, targetCount, Datatype.typeOf(targetType), Comm.op(op, targetType))));
  }

  /** As {@link #buf}; without operands for {@link MPI#NO_OP}, which does not look at them. */
  private static Buf<?> operand(org.ffmpi.Win win, Buffer origin, int count, Datatype type, Op op) {
    return op == MPI.NO_OP ? null : buf(win, origin, count, type);
  }

  /**
   * Replaces an element of a target if it is equal to another ({@code MPI_Compare_and_swap}).
   *
   * @param origin the new element
   * @param compare what has to be there
   * @param result receives what was there
   * @param targetDisp displacement of the element in its memory, in its units
   */
  public void compareAndSwap(
      Buffer origin, Buffer compare, Buffer result, Datatype type, int targetRank, int targetDisp) {
    call(w -> w.compareAndSwap(
        buf(w, origin, 1, type), buf(w, compare, 1, type), buf(w, result, 1, type), targetRank, targetDisp));
  }

  /**
   * Reads an element of a target and combines it ({@code MPI_Fetch_and_op}).
   *
   * @param origin the other operand
   * @param targetDisp displacement of the element in its memory, in its units
   */
  public void fetchAndOp(Buffer origin, Buffer result, Datatype type, int targetRank, int targetDisp, Op op) {
    call(w -> w.fetchAndOp(operand(w, origin, 1, type, op), buf(w, result, 1, type), targetRank, targetDisp,
        Comm.op(op, type)));
  }

  // ---- epochs

  /** Ends all accesses since the last fence, and allows others ({@code MPI_Win_fence}). */
  public void fence(int assertion) {
    call(w -> w.fence(assertion));
  }

  /**
   * Begins to access the memory of some ranks ({@code MPI_Win_start}).
   *
   * @param group the targets
   */
  public void start(Group group, int assertion) {
    call(w -> w.start(group.group(), assertion));
  }

  /** Ends the accesses that {@link #start} began ({@code MPI_Win_complete}). */
  public void complete() {
    call(org.ffmpi.Win::complete);
  }

  /**
   * Lets some ranks access the memory of this one ({@code MPI_Win_post}).
   *
   * @param group the origins
   */
  public void post(Group group, int assertion) {
    call(w -> w.post(group.group(), assertion));
  }

  /** Waits until the ranks of {@link #post} have completed their accesses ({@code MPI_Win_wait}). */
  public void waitFor() {
    call(org.ffmpi.Win::await);
  }

  /**
   * Returns whether the ranks of {@link #post} have completed their accesses ({@code MPI_Win_test}).
   *
   * @return true when they have
   */
  public boolean test() {
    return ask(org.ffmpi.Win::test);
  }

  /**
   * Begins to access the memory of a rank ({@code MPI_Win_lock}).
   *
   * @param lockType {@link MPI#LOCK_EXCLUSIVE} or {@link MPI#LOCK_SHARED}
   */
  public void lock(int lockType, int rank, int assertion) {
    call(w -> w.lock(typeOf(w, lockType), rank, assertion));
  }

  private static LockType typeOf(org.ffmpi.Win win, int lockType) {
    for (LockType type : LockType.values()) {
      if (type.code() == lockType) {
        return type;
      }
    }
    throw win.callErrhandler(MpiException.argument(
        ErrorClass.ERR_LOCKTYPE, "lockType", lockType, "LOCK_EXCLUSIVE and LOCK_SHARED"));
  }

  /** Ends the accesses to the memory of a rank ({@code MPI_Win_unlock}). */
  public void unlock(int rank) {
    call(w -> w.unlock(rank));
  }

  /** Begins to access the memory of all ranks ({@code MPI_Win_lock_all}). */
  public void lockAll(int assertion) {
    call(w -> w.lockAll(assertion));
  }

  /** Ends the accesses that {@link #lockAll} began ({@code MPI_Win_unlock_all}). */
  public void unlockAll() {
    call(org.ffmpi.Win::unlockAll);
  }

  /** Orders this rank's own accesses to window memory ({@code MPI_Win_sync}). */
  public void sync() {
    call(org.ffmpi.Win::sync);
  }

  /**
   * Completes all accesses to a target, here and there ({@code MPI_Win_flush}).
   *
   * @param targetRank the target
   */
  public void flush(int targetRank) {
    call(w -> w.flush(targetRank));
  }

  /** Completes all accesses to all targets, here and there ({@code MPI_Win_flush_all}). */
  public void flushAll() {
    call(org.ffmpi.Win::flushAll);
  }

  /**
   * Completes all accesses to a target at this rank ({@code MPI_Win_flush_local}).
   *
   * @param targetRank the target
   */
  public void flushLocal(int targetRank) {
    call(w -> w.flushLocal(targetRank));
  }

  /** Completes all accesses to all targets at this rank ({@code MPI_Win_flush_local_all}). */
  public void flushLocalAll() {
    call(org.ffmpi.Win::flushLocalAll);
  }

  // ---- dynamic windows

  /**
   * Lets others access more memory of this rank ({@code MPI_Win_attach}).
   *
   * @param base the memory, of a direct buffer
   */
  public void attach(Buffer base, int size) {
    call(w -> {
      MemorySegment memory = segment(w, base, size);
      w.attach(memory);
      attached.put(Address.of(memory), memory);
    });
  }

  private static MemorySegment segment(org.ffmpi.Win win, Buffer base, int size) {
    if (base == null || !base.isDirect() || size < 0 || size > base.capacity()) {
      throw win.callErrhandler(MpiException.argument(ErrorClass.ERR_BUFFER, "base", base,
          "direct buffers that hold size = " + size + " elements"));
    }
    return MemorySegment.ofBuffer(base.duplicate().clear()).asSlice(0, (long) size * widthOf(base));
  }

  /**
   * Ends what {@link #attach} began ({@code MPI_Win_detach}).
   *
   * @param base the buffer that was attached
   */
  public void detach(Buffer base) {
    call(w -> {
      MemorySegment memory = segment(w, base, 0);
      MemorySegment known = attached.getOrDefault(Address.of(memory), memory);
      w.detach(known);
      attached.remove(Address.of(memory));
    });
  }

  // ---- properties

  /**
   * Returns the ranks of the window ({@code MPI_Win_get_group}).
   *
   * @return a group
   */
  public Group getGroup() {
    return new Group(ask(org.ffmpi.Win::group));
  }

  /**
   * Says what happens when a call on this window fails ({@code MPI_Win_set_errhandler}).
   *
   * @param errhandler the error handler
   */
  public void setErrhandler(Errhandler errhandler) {
    call(w -> w.setErrhandler(errhandler.handler()));
  }

  /**
   * Returns what happens when a call on this window fails ({@code MPI_Win_get_errhandler}).
   *
   * @return the error handler
   */
  public Errhandler getErrhandler() {
    return Errhandler.of(ask(org.ffmpi.Win::errhandler));
  }

  /**
   * Calls the error handler ({@code MPI_Win_call_errhandler}).
   *
   * @param errorCode an error class or code
   */
  public void callErrhandler(int errorCode) {
    call(w -> w.callErrhandler(ErrorNumbers.codeOf(errorCode)));
  }

  /**
   * Returns the hints in use ({@code MPI_Win_get_info}).
   *
   * @return a new info
   */
  public Info getInfo() {
    return new Info(ask(org.ffmpi.Win::info));
  }

  /**
   * Gives hints ({@code MPI_Win_set_info}).
   *
   * @param info the hints
   */
  public void setInfo(Info info) {
    call(w -> w.setInfo(Info.infoOf(info)));
  }

  /**
   * Returns the name of the window ({@code MPI_Win_get_name}).
   *
   * @return the name, empty to begin with
   */
  public String getName() {
    return ask(org.ffmpi.Win::name);
  }

  /**
   * Names the window ({@code MPI_Win_set_name}).
   *
   * @param name the name
   */
  public void setName(String name) {
    call(w -> w.setName(name));
  }

  // ---- attributes

  /**
   * Creates a key for attributes of windows ({@code MPI_Win_create_keyval}).
   *
   * @return the key
   */
  public static int createKeyval() {
    synchronized (KEYS) {
      int key = FIRST_KEY + KEYS.size();
      KEYS.put(key, true);
      return key;
    }
  }

  /**
   * Frees a key ({@code MPI_Win_free_keyval}): no new value can be set, values that are set stay.
   *
   * @param keyval the key
   */
  public static void freeKeyval(int keyval) {
    if (KEYS.replace(keyval, false) == null) {
      throw new MPIException(Job.raise(noKey(keyval)));
    }
  }

  private static MpiException noKey(int keyval) {
    return MpiException.argument(
        ErrorClass.ERR_KEYVAL, "keyval", keyval, "keys of Win.createKeyval that this call may use");
  }

  /**
   * Sets an attribute ({@code MPI_Win_set_attr}).
   *
   * @param value its value
   */
  public void setAttr(int keyval, Object value) {
    call(w -> {
      if (!KEYS.getOrDefault(keyval, false)) {
        throw w.callErrhandler(noKey(keyval));
      }
      attributes.put(keyval, value);
    });
  }

  /**
   * Returns an attribute ({@code MPI_Win_get_attr}).
   *
   * @param keyval its key, or {@link MPI#WIN_BASE} (an address, for memory that has one), {@link MPI#WIN_SIZE} or
   *     {@link MPI#WIN_DISP_UNIT} (in bytes)
   * @return its value, or null without one
   */
  public Object getAttr(int keyval) {
    return ask(w -> {
      if (keyval == MPI.WIN_BASE) {
        return base != null && base.isNative() ? (Object) Address.of(base) : null;
      } else if (keyval == MPI.WIN_SIZE) {
        return (int) w.size();
      } else if (keyval == MPI.WIN_DISP_UNIT) {
        return w.dispUnit();
      } else if (!KEYS.containsKey(keyval)) {
        throw w.callErrhandler(noKey(keyval));
      }
      return attributes.get(keyval);
    });
  }

  /** Deletes an attribute ({@code MPI_Win_delete_attr}). */
  public void deleteAttr(int keyval) {
    call(w -> {
      if (!KEYS.containsKey(keyval)) {
        throw w.callErrhandler(noKey(keyval));
      }
      attributes.remove(keyval);
    });
  }

  /** Frees the window ({@code MPI_Win_free}). */
  @Override
  public void free() {
    call(org.ffmpi.Win::close);
    win = null;
  }
}
