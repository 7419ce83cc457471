// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import org.ffmpi.dialect.Job;

/**
 * Files that ranks read and write together ({@code MPI_File}), which ffmpi does not have: constructors and static
 * methods throw an error of class {@link MPI#ERR_UNSUPPORTED_OPERATION}. No error handler is called, as for errors of
 * opening a file. Programs with files compile, and run up to the first such call.
 */
public final class File {
  //text comm  ranks that share the file
  //text datarep  representation
  //text disp  where the view begins
  //text etype  type in which positions count
  //text filetype  what the view sees
  //text return int  a number
  //text whence  {@code MPI.SEEK_...}
  //text buf  memory
  //text type  type of the elements
  //text offset  position in the view
  //text filename  name of the file
  //text amode  sum of {@code MPI.MODE_...}
  //text size  bytes
  //text return Request  a request
  //text return Status  status of the access
  //text return long  a number

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_open}). */
  public File(Comm comm, String filename, int amode) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_open}). */
  public File(Comm comm, String filename, int amode, Info info) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_close}). */
  public void close() {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_delete}). */
  public static void delete(String filename) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_delete}). */
  public static void delete(String filename, Info info) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_set_size}). */
  public void setSize(long size) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_preallocate}). */
  public void preallocate(long size) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_get_size}). */
  public long getSize() {
    throw unsupported();
  }

  /**
   * Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_get_group}).
   *
   * @return ranks
   */
  public Group getGroup() {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_get_amode}). */
  public int getAMode() {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_set_info}). */
  public void setInfo(Info info) {
    throw unsupported();
  }

  /**
   * Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_get_info}).
   *
   * @return hints
   */
  public Info getInfo() {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_set_view}). */
  public void setView(long disp, Datatype etype, Datatype filetype, String datarep) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_set_view}). */
  public void setView(long disp, Datatype etype, Datatype filetype, String datarep, Info info) {
    throw unsupported();
  }

  /**
   * Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_get_view}).
   *
   * @return the view
   */
  public FileView getView() {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_read_at}). */
  public Status readAt(long offset, Object buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_read_at_all}). */
  public Status readAtAll(long offset, Object buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_write_at}). */
  public Status writeAt(long offset, Object buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_write_at_all}). */
  public Status writeAtAll(long offset, Object buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_iread_at}). */
  public Request iReadAt(long offset, Buffer buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_iread_at_all}). */
  public Request iReadAtAll(long offset, Buffer buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_iwrite_at}). */
  public Request iWriteAt(long offset, Buffer buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_iwrite_at_all}). */
  public Request iWriteAtAll(long offset, Buffer buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_read}). */
  public Status read(Object buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_read_all}). */
  public Status readAll(Object buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_write}). */
  public Status write(Object buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_write_all}). */
  public Status writeAll(Object buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_iread}). */
  public Request iRead(Buffer buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_iread_all}). */
  public Request iReadAll(Buffer buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_iwrite}). */
  public Request iWrite(Buffer buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_iwrite_all}). */
  public Request iWriteAll(Buffer buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_seek}). */
  public void seek(long offset, int whence) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_get_position}). */
  public long getPosition() {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_get_byte_offset}). */
  public long getByteOffset(long offset) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_read_shared}). */
  public Status readShared(Object buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_write_shared}). */
  public Status writeShared(Object buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_iread_shared}). */
  public Request iReadShared(Buffer buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_iwrite_shared}). */
  public Request iWriteShared(Buffer buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_read_ordered}). */
  public Status readOrdered(Object buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_write_ordered}). */
  public Status writeOrdered(Object buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_seek_shared}). */
  public void seekShared(long offset, int whence) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_get_position_shared}). */
  public long getPositionShared() {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_read_at_all_begin}). */
  public void readAtAllBegin(long offset, Object buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_read_at_all_end}). */
  public Status readAtAllEnd(Object buf) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_write_at_all_begin}). */
  public void writeAtAllBegin(long offset, Object buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_write_at_all_end}). */
  public Status writeAtAllEnd(Object buf) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_read_all_begin}). */
  public void readAllBegin(Object buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_read_all_end}). */
  public Status readAllEnd(Object buf) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_write_all_begin}). */
  public void writeAllBegin(Object buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_write_all_end}). */
  public Status writeAllEnd(Object buf) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_read_ordered_begin}). */
  public void readOrderedBegin(Object buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_read_ordered_end}). */
  public Status readOrderedEnd(Object buf) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_write_ordered_begin}). */
  public void writeOrderedBegin(Object buf, int count, Datatype type) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_write_ordered_end}). */
  public Status writeOrderedEnd(Object buf) {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_get_type_extent}). */
  public int getTypeExtent(Datatype type) {
    throw unsupported();
  }

  /**
   * Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_set_atomicity}).
   *
   * @param atomicity whether accesses are atomic
   */
  public void setAtomicity(boolean atomicity) {
    throw unsupported();
  }

  /**
   * Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_get_atomicity}).
   *
   * @return whether it is so
   */
  public boolean getAtomicity() {
    throw unsupported();
  }

  /** Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_sync}). */
  public void sync() {
    throw unsupported();
  }

  /**
   * Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_set_errhandler}).
   *
   * @param errhandler error handler
   */
  public void setErrhandler(Errhandler errhandler) {
    throw unsupported();
  }

  /**
   * Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_get_errhandler}).
   *
   * @return the error handler
   */
  public Errhandler getErrhandler() {
    throw unsupported();
  }

  /**
   * Throws ERR_UNSUPPORTED_OPERATION ({@code MPI_File_call_errhandler}).
   *
   * @param errorCode an error code
   */
  public void callErrhandler(int errorCode) {
    throw unsupported();
  }

  private static MPIException unsupported() {
    return new MPIException(Job.unsupported("mpi.File (MPI-4.1 chapter 14)"));
  }
}
