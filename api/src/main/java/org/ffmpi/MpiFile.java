// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.nio.file.Path;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.collective.ArrayBufs;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.port.FileBase;
import org.ffmpi.port.FileProvider;
import org.ffmpi.process.World;

/**
 * A file that ranks read and write together ({@code MPI_File}, MPI-4.1 §14). {@link FileCalls} opens it.
 *
 * {@snippet :
 * try (MpiFile file = world.open(Path.of("field.bin"), MODE_CREATE | MODE_WRONLY)) {
 *   file.writeAtAll(8L * mine.length * world.rank(), mine);   // each rank its block of doubles
 * }
 * }
 *
 * <p>What a rank sees of the file is its <em>view</em>: from a displacement on, the places that a filetype leaves, over
 * and over. Offsets count in <em>etypes</em> of the view. The first view is that of all bytes.
 *
 * <p>There are calls for each place to begin at: {@link ExplicitOffsetCalls}, {@link FilePointerCalls}, {@link
 * SharedPointerCalls}. Those whose names end in {@code All}, and the ordered ones, are collective: the ranks exchange
 * data through shared memory, so that interleaved views become few large accesses of the file.
 *
 * <p>What a rank has written is seen by the others after {@link #sync} at both with a barrier between, after the file
 * has been closed and opened again, and in atomic mode at once. {@link #sync} also brings it to the device.
 *
 * <p>Failures of the calls below go to the {@linkplain #errhandler file's error handler}, which throws them, unless the
 * program sets another one. Their texts name the file. Any thread may call, at level MULTIPLE several at a time.
 */
@Standard({"MPI_File"})
public sealed interface MpiFile extends ExplicitOffsetCalls, FilePointerCalls, SharedPointerCalls, AutoCloseable
    permits FileBase {
  /**
   * A view of a file ({@code MPI_File_get_view}).
   *
   * @param disp bytes of the file before the first filetype
   * @param etype the type in which offsets count
   * @param filetype the places that are seen; its data are etypes
   * @param datarep the representation: {@code native}, {@code internal}, {@code external32}, or a registered one
   */
  record View(long disp, Datatype<?> etype, Datatype<?> filetype, String datarep) {}

  // This file is long because all calls on a file but those that move data are here.

  // ---- opening and deleting

  /**
   * Opens a file ({@code MPI_File_open}, MPI-4.1 §14.2.1), as {@link FileCalls#open(Path, int)} does.
   *
   * @param comm the ranks of the file
   * @param path the file
   * @param amode sum of the {@code MODE_} constants
   * @return the file, to be closed by all ranks
   * @throws MpiException as {@link FileCalls#open(Path, int)}
   */
  @Standard({"MPI_File_open"})
  static MpiFile open(IntraComm comm, Path path, int amode) {
    if (comm == null) {
      throw MpiException.argument(ErrorClass.ERR_COMM, "comm", null, "a communicator");
    }
    return comm.open(path, amode);
  }

  /**
   * Deletes a file ({@code MPI_File_delete}, MPI-4.1 §14.2.3). Local; calls no error handler.
   *
   * @param path the file
   * @throws MpiException ERR_NO_SUCH_FILE, ERR_ACCESS, ERR_READ_ONLY, ERR_BAD_FILE for a folder, ERR_IO
   */
  @Standard({"MPI_File_delete"})
  static void delete(Path path) {
    FileProvider.get().delete(path);
  }

  /**
   * Closes this file ({@code MPI_File_close}, MPI-4.1 §14.2.2). Collective; waits for the nonblocking accesses of this
   * rank and for the other ranks. Closing it again does nothing.
   *
   * @throws MpiException ERR_IO when the system cannot close it
   */
  @Standard({"MPI_File_close"})
  @Override
  void close();

  // ---- properties

  /**
   * Returns the name with which this rank has opened the file. Local.
   *
   * @return the path as it was given
   */
  Path path();

  /**
   * Returns the file's size ({@code MPI_File_get_size}, MPI-4.1 §14.2.6). Local.
   *
   * @return bytes
   * @throws MpiException ERR_FILE when the file has been closed, ERR_IO
   */
  @Standard({"MPI_File_get_size"})
  long size();

  /**
   * Cuts or extends the file ({@code MPI_File_set_size}, MPI-4.1 §14.2.4). Collective; waits for the other ranks. New
   * bytes are zero.
   *
   * @param size bytes, the same at all ranks
   * @throws MpiException ERR_ARG when the size is negative, ERR_NOT_SAME when the ranks differ in it, ERR_READ_ONLY
   *     when the file is open for reading only, ERR_UNSUPPORTED_OPERATION when it is open as SEQUENTIAL, ERR_IO when
   *     split calls are under way, ERR_NO_SPACE, ERR_FILE when it has been closed
   */
  @Standard({"MPI_File_set_size"})
  void setSize(long size);

  /**
   * Makes sure that the first bytes of the file have room on the device ({@code MPI_File_preallocate}, MPI-4.1
   * §14.2.5). Collective; waits for the other ranks. What is in the file stays; it may become longer.
   *
   * @param size bytes, the same at all ranks
   * @throws MpiException as {@link #setSize}; ERR_ACCESS when the file cannot be read, ERR_QUOTA
   */
  @Standard({"MPI_File_preallocate"})
  void preallocate(long size);

  /**
   * Returns the ranks of the file ({@code MPI_File_get_group}, MPI-4.1 §14.2.7). Local.
   *
   * @return a new group
   * @throws MpiException ERR_FILE when the file has been closed
   */
  @Standard({"MPI_File_get_group"})
  Group group();

  /**
   * Returns how the file was opened ({@code MPI_File_get_amode}, MPI-4.1 §14.2.7). Local.
   *
   * @return the sum of the {@code MODE_} constants
   * @throws MpiException ERR_FILE when the file has been closed
   */
  @Standard({"MPI_File_get_amode"})
  int amode();

  /**
   * Returns the hints in use ({@code MPI_File_get_info}, MPI-4.1 §14.2.8). Local.
   *
   * <table>
   * <caption>Hints</caption>
   * <tr><td>{@code collective_buffering}</td><td>{@code automatic}, the default: the ranks exchange data where their
   * views interleave; {@code true}: always; {@code false}: never</td></tr>
   * <tr><td>{@code cb_nodes}</td><td>how many ranks access the file in collective calls; by default all</td></tr>
   * <tr><td>{@code cb_buffer_size}</td><td>bytes of an access in collective calls</td></tr>
   * <tr><td>{@code ind_rd_buffer_size}, {@code ind_wr_buffer_size}</td><td>bytes of an access in other calls where
   * the view has gaps</td></tr>
   * <tr><td>{@code access_style}</td><td>a list of the standard's words; {@code random} or {@code
   * reverse_sequential} keep other calls from reading across gaps</td></tr>
   * </table>
   *
   * @return a new info
   * @throws MpiException ERR_FILE when the file has been closed
   */
  @Standard({"MPI_File_get_info"})
  Info info();

  /**
   * Gives hints ({@code MPI_File_set_info}, MPI-4.1 §14.2.8). Collective; waits for the other ranks. Keys that are not
   * for files are ignored.
   *
   * @param info the hints, at all ranks the same; those that it has not stay as they are
   * @throws MpiException ERR_INFO when the info has been freed, ERR_INFO_VALUE when a hint has a value that it cannot
   *     have, ERR_FILE when the file has been closed
   */
  @Standard({"MPI_File_set_info"})
  void setInfo(Info info);

  // ---- the view

  /**
   * Sets this rank's view in the native representation ({@code MPI_File_set_view}, MPI-4.1 §14.3), as {@link
   * #setView(long, Datatype, Datatype, String, Info)}.
   *
   * @param disp bytes of the file before the first filetype
   * @param etype the type in which offsets count
   * @param filetype the places to be seen
   * @throws MpiException as {@link #setView(long, Datatype, Datatype, String, Info)}
   */
  @Standard({"MPI_File_set_view"})
  default void setView(long disp, Datatype<?> etype, Datatype<?> filetype) {
    setView(disp, etype, filetype, "native", null);
  }

  /**
   * Sets this rank's view ({@code MPI_File_set_view}, MPI-4.1 §14.3), as {@link #setView(long, Datatype, Datatype,
   * String, Info)}.
   *
   * @param disp bytes of the file before the first filetype
   * @param etype the type in which offsets count
   * @param filetype the places to be seen
   * @param datarep the representation
   * @throws MpiException as {@link #setView(long, Datatype, Datatype, String, Info)}
   */
  @Standard({"MPI_File_set_view"})
  default void setView(long disp, Datatype<?> etype, Datatype<?> filetype, String datarep) {
    setView(disp, etype, filetype, datarep, null);
  }

  /**
   * Sets this rank's view ({@code MPI_File_set_view}, MPI-4.1 §14.3), and all file pointers to its beginning.
   * Collective; waits for the other ranks.
   *
   * @param disp bytes of the file before the first filetype; may differ between the ranks. {@code
   *     DISPLACEMENT_CURRENT} in a file that is open as SEQUENTIAL: where the shared pointer is
   * @param etype the type in which offsets count, committed, with the same extent at all ranks
   * @param filetype the places to be seen, committed; made of etypes whose displacements do not decrease. May be freed
   *     afterwards
   * @param datarep {@code native}: as in memory; {@code internal}: the same here; {@code external32}: as all MPI
   *     libraries read it; or a registered one. The same at all ranks
   * @param info hints, see {@link #info}; null for none
   * @throws MpiException ERR_ARG when the displacement is negative; ERR_TYPE when a type is null, freed or not
   *     committed, is no whole number of etypes, or has displacements that are negative or decrease;
   *     ERR_UNSUPPORTED_DATAREP for a representation that is not known; ERR_NOT_SAME when ranks differ in the extent of
   *     the etype or the representation; ERR_IO while a split call is under way; ERR_FILE when the file has been closed
   */
  @Standard({"MPI_File_set_view"})
  void setView(long disp, Datatype<?> etype, Datatype<?> filetype, String datarep, Info info);

  /**
   * Returns this rank's view ({@code MPI_File_get_view}, MPI-4.1 §14.3). Local.
   *
   * @return the view; types that are not predefined are copies, which stay when the program's are freed
   * @throws MpiException ERR_FILE when the file has been closed
   */
  @Standard({"MPI_File_get_view"})
  View view();

  /**
   * Returns the extent of a type in this file ({@code MPI_File_get_type_extent}, MPI-4.1 §14.5.1). Local.
   *
   * @param type a type
   * @return bytes
   * @throws MpiException ERR_TYPE when the type is null or freed, ERR_FILE when the file has been closed
   */
  @Standard({"MPI_File_get_type_extent", "MPI_File_get_type_extent_c"})
  long typeExtent(Datatype<?> type);

  // ---- pointers

  /**
   * Moves this rank's file pointer ({@code MPI_File_seek}, MPI-4.1 §14.4.3). Local.
   *
   * @param offset how far in etypes, possibly negative
   * @param whence {@code SEEK_SET}: from the view's beginning; {@code SEEK_CUR}: from where the pointer is; {@code
   *     SEEK_END}: from the end of the file
   * @throws MpiException ERR_ARG when the pointer would lie before the view's beginning, or for another {@code whence};
   *     ERR_UNSUPPORTED_OPERATION when the file is open as SEQUENTIAL; ERR_FILE when it has been closed
   */
  @Standard({"MPI_File_seek"})
  void seek(long offset, int whence);

  /**
   * Returns where this rank's file pointer is ({@code MPI_File_get_position}, MPI-4.1 §14.4.3). Local.
   *
   * @return etypes of the view before it
   * @throws MpiException ERR_UNSUPPORTED_OPERATION when the file is open as SEQUENTIAL; ERR_FILE when it has been
   *     closed
   */
  @Standard({"MPI_File_get_position"})
  long position();

  /**
   * Returns where in the file an offset of the view is ({@code MPI_File_get_byte_offset}, MPI-4.1 §14.4.3). Local.
   *
   * @param offset etypes of the view, 0 or more
   * @return bytes from the beginning of the file
   * @throws MpiException ERR_ARG when the offset is negative; ERR_UNSUPPORTED_OPERATION when the file is open as
   *     SEQUENTIAL; ERR_FILE when it has been closed
   */
  @Standard({"MPI_File_get_byte_offset"})
  long byteOffset(long offset);

  /**
   * Moves the shared file pointer ({@code MPI_File_seek_shared}, MPI-4.1 §14.4.4). Collective; waits for the other
   * ranks.
   *
   * @param offset how far in etypes, the same at all ranks
   * @param whence as for {@link #seek}, the same at all ranks
   * @throws MpiException ERR_NOT_SAME when the ranks differ; otherwise as {@link #seek}
   */
  @Standard({"MPI_File_seek_shared"})
  void seekShared(long offset, int whence);

  /**
   * Returns where the shared file pointer is ({@code MPI_File_get_position_shared}, MPI-4.1 §14.4.4). Local, though it
   * may ask another rank.
   *
   * @return etypes of the view before it
   * @throws MpiException ERR_UNSUPPORTED_OPERATION when the file is open as SEQUENTIAL; ERR_FILE when it has been
   *     closed
   */
  @Standard({"MPI_File_get_position_shared"})
  long positionShared();

  // ---- blocks of arrays

  /**
   * Writes this rank's block of an array that the ranks share, without a type or view of the program's own ({@code
   * MPI_File_write_at_all} with a view of a subarray). Collective; the view and the pointers stay as they are.
   *
   * {@snippet :
   * file.writeBlock(0, mine, new long[] {rows, columns}, new long[] {rowsHere, columns}, new long[] {firstRow, 0});
   * }
   *
   * @param <A> an array of primitives
   * @param disp bytes of the file before the whole array
   * @param data the block, its last dimension fastest
   * @param shape elements of the whole array along each dimension
   * @param block elements of this rank's block along each dimension; with a 0 the rank has none
   * @param start index of the block's first element along each dimension, from 0
   * @return a status with the number of elements
   * @throws MpiException ERR_ARG when the block does not lie in the array; ERR_BUFFER when the data do not fit the
   *     block; otherwise as {@link ExplicitOffsetCalls#writeAtAll(long, Buf)}
   */
  @Standard({"MPI_File_write_at_all"})
  default <A> Status writeBlock(long disp, A data, long[] shape, long[] block, long[] start) {
    return writeBlock(disp, ArrayBufs.of(this, data), shape, block, start);
  }

  /**
   * Writes a block as {@link #writeBlock(long, Object, long[], long[], long[])}, from any buffer.
   *
   * @param disp bytes of the file before the whole array
   * @param data the block's elements, of the array's type
   * @param shape elements of the whole array along each dimension
   * @param block elements of this rank's block along each dimension
   * @param start index of the block's first element along each dimension
   * @return a status with the number of elements
   * @throws MpiException as {@link #writeBlock(long, Object, long[], long[], long[])}
   */
  @Standard({"MPI_File_write_at_all"})
  Status writeBlock(long disp, Buf<?> data, long[] shape, long[] block, long[] start);

  /**
   * Reads this rank's block of an array that the ranks share ({@code MPI_File_read_at_all} with a view of a subarray),
   * as {@link #writeBlock(long, Object, long[], long[], long[])} writes it. Any number of ranks may read what others
   * have written. Collective.
   *
   * @param <A> an array of primitives
   * @param disp bytes of the file before the whole array
   * @param data filled with the block, its last dimension fastest
   * @param shape elements of the whole array along each dimension
   * @param block elements of this rank's block along each dimension
   * @param start index of the block's first element along each dimension
   * @return a status with the number of elements that were there
   * @throws MpiException ERR_ARG when the block does not lie in the array; ERR_BUFFER when the data do not fit the
   *     block; otherwise as {@link ExplicitOffsetCalls#readAtAll(long, Buf)}
   */
  @Standard({"MPI_File_read_at_all"})
  default <A> Status readBlock(long disp, A data, long[] shape, long[] block, long[] start) {
    return readBlock(disp, ArrayBufs.of(this, data), shape, block, start);
  }

  /**
   * Reads a block as {@link #readBlock(long, Object, long[], long[], long[])}, into any buffer.
   *
   * @param disp bytes of the file before the whole array
   * @param data where the block's elements go, of the array's type
   * @param shape elements of the whole array along each dimension
   * @param block elements of this rank's block along each dimension
   * @param start index of the block's first element along each dimension
   * @return a status with the number of elements that were there
   * @throws MpiException as {@link #readBlock(long, Object, long[], long[], long[])}
   */
  @Standard({"MPI_File_read_at_all"})
  Status readBlock(long disp, Buf<?> data, long[] shape, long[] block, long[] start);

  // ---- consistency

  /**
   * Sets whether accesses of different ranks that overlap are atomic ({@code MPI_File_set_atomicity}, MPI-4.1 §14.6.1).
   * Collective; waits for the other ranks. Atomic accesses of the ranks follow one another.
   *
   * @param atomic true for atomic mode, the same at all ranks; a file begins without
   * @throws MpiException ERR_NOT_SAME when the ranks differ, ERR_FILE when the file has been closed
   */
  @Standard({"MPI_File_set_atomicity"})
  void setAtomicity(boolean atomic);

  /**
   * Returns whether the file is in atomic mode ({@code MPI_File_get_atomicity}, MPI-4.1 §14.6.1). Local.
   *
   * @return true in atomic mode
   * @throws MpiException ERR_FILE when the file has been closed
   */
  @Standard({"MPI_File_get_atomicity"})
  boolean atomicity();

  /**
   * Brings what this rank has written to the device, and what others have written and synced to this rank ({@code
   * MPI_File_sync}, MPI-4.1 §14.6.1). Collective; waits for the other ranks.
   *
   * @throws MpiException ERR_IO when the system cannot, or while a split call or a nonblocking access of this rank is
   *     under way; ERR_FILE when the file has been closed
   */
  @Standard({"MPI_File_sync"})
  void sync();

  // ---- errors

  /**
   * Returns the reaction to failures of calls on this file at this rank ({@code MPI_File_get_errhandler}, MPI-4.1
   * §9.3.3). Local. A file begins with the {@linkplain #setDefaultErrhandler default one}.
   *
   * @return a reference to the error handler
   */
  @Standard({"MPI_File_get_errhandler"})
  Errhandler<? super MpiFile> errhandler();

  /**
   * Sets the reaction to failures of calls on this file at this rank ({@code MPI_File_set_errhandler}, MPI-4.1 §9.3.3).
   * Local.
   *
   * @param errhandler the error handler
   * @throws MpiException ERR_ERRHANDLER when the handler is null or freed, ERR_FILE when the file has been closed
   */
  @Standard({"MPI_File_set_errhandler"})
  void setErrhandler(Errhandler<? super MpiFile> errhandler);

  /**
   * Raises an error of the program's own, as calls of this class raise theirs ({@code MPI_File_call_errhandler},
   * MPI-4.1 §9.5.3): the error handler runs, and where it has not ended the job the error is there to be thrown. Local.
   *
   * @param errorcode a predefined class, or a class or code that has been added
   * @return the error, with the text that the code has been given
   * @throws MpiException that error, where the handler is FATAL or ABORT; ERR_ARG when there is no such code
   */
  @Standard({"MPI_File_call_errhandler"})
  MpiException callErrhandler(int errorcode);

  /**
   * Raises an error that has been found elsewhere as calls of this class raise theirs
   * ({@code MPI_File_call_errhandler}, MPI-4.1 §9.5.3): for one that was found while an argument was made, such as a
   * {@link Buf}, which knows no file. The text of the error is kept. Local.
   *
   * @param error the error
   * @return the error, to be thrown
   * @throws MpiException that error, where the handler is FATAL or ABORT; ERR_ARG when the error is null
   */
  @Standard({"MPI_File_call_errhandler"})
  MpiException callErrhandler(MpiException error);

  /**
   * Returns the error handler that files of a rank begin with, and that is called for files that cannot be opened
   * ({@code MPI_File_get_errhandler} of {@code MPI_FILE_NULL}, MPI-4.1 §14.7). Local.
   *
   * @param mpi the environment of this rank
   * @return a reference to the error handler; RETURN unless the program has set another one
   */
  @Standard({"MPI_File_get_errhandler"})
  static Errhandler<? super MpiFile> defaultErrhandler(Mpi mpi) {
    return FileProvider.get().defaultErrhandler(worldOf(mpi));
  }

  /**
   * Sets the error handler that files of a rank begin with ({@code MPI_File_set_errhandler} of {@code MPI_FILE_NULL},
   * MPI-4.1 §14.7). Local. Its functions get null for a file that could not be opened.
   *
   * @param mpi the environment of this rank
   * @param errhandler the error handler
   * @throws MpiException ERR_ERRHANDLER when the handler is null or freed
   */
  @Standard({"MPI_File_set_errhandler"})
  static void setDefaultErrhandler(Mpi mpi, Errhandler<? super MpiFile> errhandler) {
    FileProvider.get().setDefaultErrhandler(worldOf(mpi), errhandler);
  }

  // ---- representations

  /**
   * Makes a representation known to a rank ({@code MPI_Register_datarep}, MPI-4.1 §14.5.3), for as long as its
   * environment is open. Local; all ranks that set views with it have to register it.
   *
   * @param mpi the environment of this rank
   * @param name its name in views
   * @param representation the functions
   * @throws MpiException ERR_DUP_DATAREP when there is one of this name, ERR_ARG when the name is empty or too long, or
   *     an argument is null
   */
  @Standard({"MPI_Register_datarep", "MPI_Register_datarep_c"})
  static void registerDatarep(Mpi mpi, String name, DataRepresentation representation) {
    FileProvider.get().registerDatarep(worldOf(mpi), name, representation);
  }

  private static World worldOf(Mpi mpi) {
    if (mpi == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "mpi", null, "the environment of this rank");
    }
    return mpi.rankWorld();
  }
}
