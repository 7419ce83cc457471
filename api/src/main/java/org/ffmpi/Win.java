// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.lang.foreign.MemorySegment;
import org.ffmpi.base.Attributes;
import org.ffmpi.base.Keyval;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.port.PredefinedWindowAttribute;
import org.ffmpi.port.WindowBase;

/**
 * Memory of each rank that the others read and write without its help ({@code MPI_Win}, MPI-4.1 §12). {@link
 * WindowCalls} makes windows, {@link OneSidedCalls} has the accesses, {@link EpochCalls} the calls between which they
 * are allowed.
 *
 * {@snippet :
 * try (Win win = world.winAllocate(8, 8)) {                // one long at each rank
 *   try (Epoch _ = win.lockAll()) {
 *     long ticket = win.fetchAndAdd(1, 0, 0);              // the next number of a counter at rank 0
 *   }
 * }
 * }
 *
 * <p>Memory model: the standard's unified one. A rank's part is one memory, whoever looks at it. What was written
 * becomes visible to others by the calls that end epochs. Programs that share {@link #segment(int)} may use Java's own
 * ordered accesses instead: what a thread stored before a release store to a word of the window is visible to a thread
 * of any rank that has read that word with acquire. Between plain loads and stores of two ranks, {@link
 * EpochCalls#sync} at both, and any message or barrier in between, does the same.
 *
 * <p>Any thread may call, at level MULTIPLE several at a time. An epoch belongs to the rank, not to the thread that
 * began it.
 */
@Standard({"MPI_Win"})
public sealed interface Win extends OneSidedCalls, EpochCalls, AutoCloseable permits WindowBase {
  /** The origin of a window's memory ({@code MPI_WIN_CREATE_FLAVOR}, MPI-4.1 §12.2.6). */
  enum Flavor {
    /** Over memory that was there. */
    @Standard({"MPI_WIN_FLAVOR_CREATE"})
    CREATE,
    /** With memory of its own. */
    @Standard({"MPI_WIN_FLAVOR_ALLOCATE"})
    ALLOCATE,
    /** Without memory; ranks attach some. */
    @Standard({"MPI_WIN_FLAVOR_DYNAMIC"})
    DYNAMIC,
    /** With memory of its own that all ranks may touch directly. */
    @Standard({"MPI_WIN_FLAVOR_SHARED"})
    SHARED
  }

  /** The memory model of a window ({@code MPI_WIN_MODEL}, MPI-4.1 §12.4). */
  enum Model {
    /** Public and private copy are one: what all windows here have. */
    @Standard({"MPI_WIN_UNIFIED"})
    UNIFIED,
    /** Public and private copy differ until they are synchronized. */
    @Standard({"MPI_WIN_SEPARATE"})
    SEPARATE
  }

  /**
   * This rank's part: the segment or {@code Buf} that it lies in, or {@link Address#BOTTOM} of a dynamic window, from
   * where its displacements count. An attribute of every window.
   */
  @Standard({"MPI_WIN_BASE"})
  Keyval<Win, Object> BASE = Keyval.readOnly("MPI_WIN_BASE", new PredefinedWindowAttribute<>("MPI_WIN_BASE"));

  /** Bytes of this rank's part. An attribute of every window. */
  @Standard({"MPI_WIN_SIZE"})
  Keyval<Win, Long> SIZE = Keyval.readOnly("MPI_WIN_SIZE", new PredefinedWindowAttribute<>("MPI_WIN_SIZE"));

  /** Displacement unit of this rank's part. An attribute of every window. */
  @Standard({"MPI_WIN_DISP_UNIT"})
  Keyval<Win, Integer> DISP_UNIT =
      Keyval.readOnly("MPI_WIN_DISP_UNIT", new PredefinedWindowAttribute<>("MPI_WIN_DISP_UNIT"));

  /** How the window was made. An attribute of every window. */
  @Standard({"MPI_WIN_CREATE_FLAVOR"})
  Keyval<Win, Flavor> CREATE_FLAVOR =
      Keyval.readOnly("MPI_WIN_CREATE_FLAVOR", new PredefinedWindowAttribute<>("MPI_WIN_CREATE_FLAVOR"));

  /** The memory model. An attribute of every window. */
  @Standard({"MPI_WIN_MODEL"})
  Keyval<Win, Model> MODEL = Keyval.readOnly("MPI_WIN_MODEL", new PredefinedWindowAttribute<>("MPI_WIN_MODEL"));

  // ---- memory

  /**
   * Returns this rank's part of a window with memory of its own, to be read and written. Local. The segment stays valid
   * memory after the window has been closed: the memory goes back to the job when this rank's window and segment are
   * garbage.
   *
   * @return an off-heap segment of {@link #size} bytes
   * @throws MpiException ERR_WIN when the window has been closed, ERR_RMA_FLAVOR when it was made over memory of the
   *     program, which knows that memory
   */
  MemorySegment segment();

  /**
   * Returns the part of any rank of a window that ranks share, to be read and written by loads and stores, also with
   * {@code VarHandle}s. Local. The segment stays valid memory after the window has been closed, but its bytes may then
   * belong to something else.
   *
   * @param rank rank of the window
   * @return an off-heap segment
   * @throws MpiException ERR_WIN when the window has been closed, ERR_RANK for ranks that it has not, ERR_RMA_FLAVOR
   *     when it was not made by {@link WindowCalls#winAllocateShared(long, int)}
   */
  MemorySegment segment(int rank);

  /**
   * Returns a rank's part as far as this rank can touch it by loads and stores ({@code MPI_Win_shared_query}, MPI-4.1
   * §12.2.5): every part of a window that ranks share; of other windows, the parts in shared memory of this rank's
   * node. Local.
   *
   * @param rank rank of the window; {@code PROC_NULL} for the lowest one whose part can be touched and is not empty
   * @return the part; of size 0 when it lies in private memory or on another node, and with {@code PROC_NULL} when
   *     there is none
   * @throws MpiException ERR_WIN when the window has been closed, ERR_RANK for ranks that it has not, ERR_RMA_FLAVOR
   *     for dynamic windows
   */
  @Standard({"MPI_Win_shared_query", "MPI_Win_shared_query_c"})
  SharedPart sharedQuery(int rank);

  /**
   * Lets others access more memory of this rank through a dynamic window ({@code MPI_Win_attach}, MPI-4.1 §12.2.4).
   * Local. The program sends {@link Address#of} that memory to the others.
   *
   * @param memory off-heap memory that can be written, also of no bytes; must not overlap attached memory
   * @throws MpiException ERR_WIN when the window has been closed, ERR_RMA_FLAVOR when it is not dynamic, ERR_BUFFER
   *     when the memory is not off-heap memory that can be written, ERR_RMA_ATTACH when it overlaps what is attached or
   *     this rank has attached too often
   */
  @Standard({"MPI_Win_attach"})
  void attach(MemorySegment memory);

  /**
   * Ends what {@link #attach} began ({@code MPI_Win_detach}, MPI-4.1 §12.2.4). Local; the program makes sure that
   * nobody accesses the memory any more.
   *
   * @param memory the attached memory
   * @throws MpiException ERR_WIN when the window has been closed, ERR_RMA_FLAVOR when it is not dynamic, ERR_RMA_ATTACH
   *     when the memory is not attached
   */
  @Standard({"MPI_Win_detach"})
  void detach(MemorySegment memory);

  /**
   * Returns the size of this rank's part. Local.
   *
   * @return bytes; 0 for a dynamic window
   */
  long size();

  /**
   * Returns the displacement unit of this rank's part. Local.
   *
   * @return bytes; 1 for a dynamic window
   */
  int dispUnit();

  /**
   * Returns how the window got its memory. Local.
   *
   * @return the flavor
   */
  Flavor flavor();

  /**
   * Returns the memory model. Local.
   *
   * @return {@link Model#UNIFIED}
   */
  default Model model() {
    return Model.UNIFIED;
  }

  // ---- properties

  /**
   * Returns the ranks of the window ({@code MPI_Win_get_group}, MPI-4.1 §12.2.6). Local.
   *
   * @return a group
   * @throws MpiException ERR_WIN when the window has been closed
   */
  @Standard({"MPI_Win_get_group"})
  Group group();

  /**
   * Returns the name, for messages and tools ({@code MPI_Win_get_name}, MPI-4.1 §7.8). Local.
   *
   * @return the name; empty to begin with
   */
  @Standard({"MPI_Win_get_name"})
  String name();

  /**
   * Names this window at this rank ({@code MPI_Win_set_name}, MPI-4.1 §7.8). Local.
   *
   * @param name the name, of which the first {@code MAX_OBJECT_NAME} - 1 characters are kept
   * @throws MpiException ERR_ARG when the name is null, ERR_WIN when the window has been closed
   */
  @Standard({"MPI_Win_set_name"})
  void setName(String name);

  /**
   * Returns what happens when a call on this window fails ({@code MPI_Win_get_errhandler}, MPI-4.1 §9.3.2). Local.
   *
   * @return the error handler at this rank; need not be closed
   */
  @Standard({"MPI_Win_get_errhandler"})
  Errhandler<? super Win> errhandler();

  /**
   * Sets the reaction to failures of calls on this window at this rank ({@code MPI_Win_set_errhandler}, MPI-4.1
   * §9.3.2). Local.
   *
   * @param errhandler the error handler
   * @throws MpiException ERR_ERRHANDLER when the handler is null or freed, ERR_WIN when the window has been closed
   */
  @Standard({"MPI_Win_set_errhandler"})
  void setErrhandler(Errhandler<? super Win> errhandler);

  /**
   * Raises an error of the program's own, as calls of this class raise theirs ({@code MPI_Win_call_errhandler}, MPI-4.1
   * §9.5.2): the error handler runs, and where it has not ended the job the error is there to be thrown. Local.
   *
   * @param errorcode a predefined class, or a class or code that has been added
   * @return the error, with the text that the code has been given
   * @throws MpiException that error, where the handler is FATAL or ABORT; ERR_ARG when there is no such code
   */
  @Standard({"MPI_Win_call_errhandler"})
  MpiException callErrhandler(int errorcode);

  /**
   * Raises an error that has been found elsewhere as calls of this class raise theirs
   * ({@code MPI_Win_call_errhandler}, MPI-4.1 §9.5.2): for one that was found while an argument was made, such as a
   * {@link Buf}, which knows no window. The text of the error is kept. Local.
   *
   * @param error the error
   * @return the error, to be thrown
   * @throws MpiException that error, where the handler is FATAL or ABORT; ERR_ARG when the error is null
   */
  @Standard({"MPI_Win_call_errhandler"})
  MpiException callErrhandler(MpiException error);

  /**
   * Returns the hints in use ({@code MPI_Win_get_info}, MPI-4.1 §12.2.7). Local.
   *
   * <table>
   * <caption>Keys</caption>
   * <tr><th>key</th><th>value</th></tr>
   * <tr><td>{@code no_locks}</td><td>{@code true} or {@code false}, the default: nobody locks; locking is an error
   * then</td></tr>
   * <tr><td>{@code accumulate_ordering}</td><td>{@code none}, or some of {@code rar,raw,war,waw}, by default all: which
   * accumulating calls of one rank to one place stay in order. All do here</td></tr>
   * <tr><td>{@code accumulate_ops}</td><td>{@code same_op}, or {@code same_op_no_op}, the default</td></tr>
   * <tr><td>{@code mpi_accumulate_granularity}</td><td>bytes, 0 by default</td></tr>
   * <tr><td>{@code same_size}, {@code same_disp_unit}</td><td>{@code true} or {@code false}, the default: all ranks
   * have given the same</td></tr>
   * <tr><td>{@code alloc_shared_noncontig}</td><td>{@code true} or {@code false}, the default: each part of a shared
   * window begins at a boundary of its own</td></tr>
   * </table>
   *
   * @return a new info
   * @throws MpiException ERR_WIN when the window has been closed
   */
  @Standard({"MPI_Win_get_info"})
  Info info();

  /**
   * Gives hints ({@code MPI_Win_set_info}, MPI-4.1 §12.2.7). Collective; does not wait. Keys that are not for windows
   * are ignored.
   *
   * @param info the hints; those that it has not stay as they are
   * @throws MpiException ERR_WIN when the window has been closed, ERR_INFO when the info has been freed, ERR_INFO_VALUE
   *     when a hint has a value that it cannot have
   */
  @Standard({"MPI_Win_set_info"})
  void setInfo(Info info);

  /**
   * Returns the attributes of this window at this rank (MPI-4.1 §7.7.3).
   *
   * @return what can be set, read and deleted by key
   * @throws MpiException ERR_WIN when the window has been closed
   */
  Attributes<Win> attributes();

  /**
   * Frees the window ({@code MPI_Win_free}, MPI-4.1 §12.2.8). Collective; blocks until all ranks have called it. No
   * epoch may be open. Also when it throws, the epochs of this rank have ended, its locks are released, and the window
   * is closed. Closing again does nothing.
   *
   * @throws MpiException ERR_RMA_SYNC when an epoch was open, or what an attribute's delete function has thrown;
   *     ERR_PROC_FAILED when a rank of the window has died
   */
  @Standard({"MPI_Win_free"})
  @Override
  void close();
}
