// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Function;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.MpiFile;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * A file that ranks read and write together ({@code MPI_File}). Errors are thrown, unless the program sets another
 * error handler on the file.
 *
 * <p>This file is long because all calls of chapter 14 of the standard are here.
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

  private MpiFile file;
  private FileView view = new FileView(0, MPI.BYTE, MPI.BYTE, "native");

  /** Opens a file ({@code MPI_File_open}). */
  public File(Comm comm, String filename, int amode) {
    this(comm, filename, amode, null);
  }

  /** Opens a file ({@code MPI_File_open}). */
  public File(Comm comm, String filename, int amode, Info info) {
    try {
      if (!(Comm.openOf(comm) instanceof IntraComm ranks)) {
        throw new MpiException(ErrorClass.ERR_COMM, "comm is an intercommunicator; files need the other kind");
      }
      file = ranks.open(path(filename), amode, Info.infoOf(info));
    } catch (MpiException e) {
      throw new MPIException(e);
    }
  }

  /** Returns the path of a name, which may begin with a file system's name, as those of C's libraries do. */
  private static Path path(String filename) {
    if (filename == null) {
      return null;
    }
    try {
      return Path.of(filename.replaceFirst("^(ufs|nfs|xfs|gpfs|lustre|panfs|pvfs2|testfs):", ""));
    } catch (InvalidPathException e) {
      throw MpiException.argument(ErrorClass.ERR_BAD_FILE, "filename", filename, "names that a file can have");
    }
  }

  // ---- how calls are made

  private MpiFile open() {
    MpiFile open = file;
    if (open == null) {
      throw new MpiException(ErrorClass.ERR_FILE, "the file has been closed");
    }
    return open;
  }

  private void call(Consumer<MpiFile> call) {
    try {
      call.accept(open());
    } catch (MpiException e) {
      throw new MPIException(e);
    }
  }

  private <T> T ask(Function<MpiFile, T> call) {
    try {
      return call.apply(open());
    } catch (MpiException e) {
      throw new MPIException(e);
    }
  }

  /** An access that blocks. */
  private interface Access {
    org.ffmpi.Status on(MpiFile file, Buf<?> data);
  }

  private Status move(Object buf, int count, Datatype type, Access access) {
    return new Status(ask(f -> access.on(f, Elements.of(buf, count, type, f::callErrhandler))));
  }

  /** An access that does not block. */
  private interface Started {
    org.ffmpi.Request on(MpiFile file, Buf<?> data);
  }

  private Request start(Buffer buf, int count, Datatype type, Started access) {
    return new Request(ask(f -> access.on(f, Elements.of(buf, count, type, f::callErrhandler))));
  }

  // ---- calls

  /** Closes the file ({@code MPI_File_close}). */
  public void close() {
    call(MpiFile::close);
    file = null;
  }

  /** Deletes a file ({@code MPI_File_delete}). */
  public static void delete(String filename) {
    try {
      MpiFile.delete(path(filename));
    } catch (MpiException e) {
      throw new MPIException(e);
    }
  }

  /** Deletes a file ({@code MPI_File_delete}). */
  public static void delete(String filename, Info info) {
    delete(filename);
  }

  /** Cuts or extends the file ({@code MPI_File_set_size}). */
  public void setSize(long size) {
    call(f -> f.setSize(size));
  }

  /** Makes room on the device ({@code MPI_File_preallocate}). */
  public void preallocate(long size) {
    call(f -> f.preallocate(size));
  }

  /** Returns the file's size ({@code MPI_File_get_size}). */
  public long getSize() {
    return ask(MpiFile::size);
  }

  /**
   * Returns the ranks of the file ({@code MPI_File_get_group}).
   *
   * @return ranks
   */
  public Group getGroup() {
    return new Group(ask(MpiFile::group));
  }

  /** Returns how the file was opened ({@code MPI_File_get_amode}). */
  public int getAMode() {
    return ask(MpiFile::amode);
  }

  /** Gives hints ({@code MPI_File_set_info}). */
  public void setInfo(Info info) {
    call(f -> f.setInfo(Info.infoOf(info)));
  }

  /**
   * Returns the hints in use ({@code MPI_File_get_info}).
   *
   * @return hints
   */
  public Info getInfo() {
    return new Info(ask(MpiFile::info));
  }

  /** Sets this rank's view ({@code MPI_File_set_view}). */
  public void setView(long disp, Datatype etype, Datatype filetype, String datarep) {
    setView(disp, etype, filetype, datarep, null);
  }

  /** Sets this rank's view ({@code MPI_File_set_view}). */
  public void setView(long disp, Datatype etype, Datatype filetype, String datarep, Info info) {
    call(f -> f.setView(disp, Datatype.typeOf(etype), Datatype.typeOf(filetype), datarep, Info.infoOf(info)));
    view = new FileView(disp, etype, filetype, datarep);
  }

  /**
   * Returns this rank's view ({@code MPI_File_get_view}).
   *
   * @return the view
   */
  public FileView getView() {
    return view;
  }

  /** Reads elements at an offset ({@code MPI_File_read_at}). */
  public Status readAt(long offset, Object buf, int count, Datatype type) {
    return move(buf, count, type, (f, data) -> f.readAt(offset, data));
  }

  /** Reads elements at an offset, all ranks together ({@code MPI_File_read_at_all}). */
  public Status readAtAll(long offset, Object buf, int count, Datatype type) {
    return move(buf, count, type, (f, data) -> f.readAtAll(offset, data));
  }

  /** Writes elements at an offset ({@code MPI_File_write_at}). */
  public Status writeAt(long offset, Object buf, int count, Datatype type) {
    return move(buf, count, type, (f, data) -> f.writeAt(offset, data));
  }

  /** Writes elements at an offset, all ranks together ({@code MPI_File_write_at_all}). */
  public Status writeAtAll(long offset, Object buf, int count, Datatype type) {
    return move(buf, count, type, (f, data) -> f.writeAtAll(offset, data));
  }

  /** Starts to read elements at an offset ({@code MPI_File_iread_at}). */
  public Request iReadAt(long offset, Buffer buf, int count, Datatype type) {
    return start(buf, count, type, (f, data) -> f.ireadAt(offset, data));
  }

  /** Starts to read elements at an offset, all ranks together ({@code MPI_File_iread_at_all}). */
  public Request iReadAtAll(long offset, Buffer buf, int count, Datatype type) {
    return start(buf, count, type, (f, data) -> f.ireadAtAll(offset, data));
  }

  /** Starts to write elements at an offset ({@code MPI_File_iwrite_at}). */
  public Request iWriteAt(long offset, Buffer buf, int count, Datatype type) {
    return start(buf, count, type, (f, data) -> f.iwriteAt(offset, data));
  }

  /** Starts to write elements at an offset, all ranks together ({@code MPI_File_iwrite_at_all}). */
  public Request iWriteAtAll(long offset, Buffer buf, int count, Datatype type) {
    return start(buf, count, type, (f, data) -> f.iwriteAtAll(offset, data));
  }

  /** Reads elements at this rank's file pointer ({@code MPI_File_read}). */
  public Status read(Object buf, int count, Datatype type) {
    return move(buf, count, type, MpiFile::read);
  }

  /** Reads elements at this rank's file pointer, all ranks together ({@code MPI_File_read_all}). */
  public Status readAll(Object buf, int count, Datatype type) {
    return move(buf, count, type, MpiFile::readAll);
  }

  /** Writes elements at this rank's file pointer ({@code MPI_File_write}). */
  public Status write(Object buf, int count, Datatype type) {
    return move(buf, count, type, MpiFile::write);
  }

  /** Writes elements at this rank's file pointer, all ranks together ({@code MPI_File_write_all}). */
  public Status writeAll(Object buf, int count, Datatype type) {
    return move(buf, count, type, MpiFile::writeAll);
  }

  /** Starts to read elements at this rank's file pointer ({@code MPI_File_iread}). */
  public Request iRead(Buffer buf, int count, Datatype type) {
    return start(buf, count, type, MpiFile::iread);
  }

  /** Starts to read elements at this rank's file pointer, all ranks together ({@code MPI_File_iread_all}). */
  public Request iReadAll(Buffer buf, int count, Datatype type) {
    return start(buf, count, type, MpiFile::ireadAll);
  }

  /** Starts to write elements at this rank's file pointer ({@code MPI_File_iwrite}). */
  public Request iWrite(Buffer buf, int count, Datatype type) {
    return start(buf, count, type, MpiFile::iwrite);
  }

  /** Starts to write elements at this rank's file pointer, all ranks together ({@code MPI_File_iwrite_all}). */
  public Request iWriteAll(Buffer buf, int count, Datatype type) {
    return start(buf, count, type, MpiFile::iwriteAll);
  }

  /** Moves this rank's file pointer ({@code MPI_File_seek}). */
  public void seek(long offset, int whence) {
    call(f -> f.seek(offset, whence));
  }

  /** Returns where this rank's file pointer is ({@code MPI_File_get_position}). */
  public long getPosition() {
    return ask(MpiFile::position);
  }

  /** Returns where in the file an offset is ({@code MPI_File_get_byte_offset}). */
  public long getByteOffset(long offset) {
    return ask(f -> f.byteOffset(offset));
  }

  /** Reads elements at the shared file pointer ({@code MPI_File_read_shared}). */
  public Status readShared(Object buf, int count, Datatype type) {
    return move(buf, count, type, MpiFile::readShared);
  }

  /** Writes elements at the shared file pointer ({@code MPI_File_write_shared}). */
  public Status writeShared(Object buf, int count, Datatype type) {
    return move(buf, count, type, MpiFile::writeShared);
  }

  /** Starts to read elements at the shared file pointer ({@code MPI_File_iread_shared}). */
  public Request iReadShared(Buffer buf, int count, Datatype type) {
    return start(buf, count, type, MpiFile::ireadShared);
  }

  /** Starts to write elements at the shared file pointer ({@code MPI_File_iwrite_shared}). */
  public Request iWriteShared(Buffer buf, int count, Datatype type) {
    return start(buf, count, type, MpiFile::iwriteShared);
  }

  /** Reads elements in the order of ranks ({@code MPI_File_read_ordered}). */
  public Status readOrdered(Object buf, int count, Datatype type) {
    return move(buf, count, type, MpiFile::readOrdered);
  }

  /** Writes elements in the order of ranks ({@code MPI_File_write_ordered}). */
  public Status writeOrdered(Object buf, int count, Datatype type) {
    return move(buf, count, type, MpiFile::writeOrdered);
  }

  /** Moves the shared file pointer ({@code MPI_File_seek_shared}). */
  public void seekShared(long offset, int whence) {
    call(f -> f.seekShared(offset, whence));
  }

  /** Returns where the shared file pointer is ({@code MPI_File_get_position_shared}). */
  public long getPositionShared() {
    return ask(MpiFile::positionShared);
  }

  /** Begins to read elements at an offset, all ranks together ({@code MPI_File_read_at_all_begin}). */
  public void readAtAllBegin(long offset, Object buf, int count, Datatype type) {
    call(f -> f.readAtAllBegin(offset, Elements.of(buf, count, type, f::callErrhandler)));
  }

  /** Ends what the first half has begun ({@code MPI_File_read_at_all_end}). */
  public Status readAtAllEnd(Object buf) {
    return new Status(ask(MpiFile::readAtAllEnd));
  }

  /** Begins to write elements at an offset, all ranks together ({@code MPI_File_write_at_all_begin}). */
  public void writeAtAllBegin(long offset, Object buf, int count, Datatype type) {
    call(f -> f.writeAtAllBegin(offset, Elements.of(buf, count, type, f::callErrhandler)));
  }

  /** Ends what the first half has begun ({@code MPI_File_write_at_all_end}). */
  public Status writeAtAllEnd(Object buf) {
    return new Status(ask(MpiFile::writeAtAllEnd));
  }

  /** Begins to read elements at this rank's file pointer, all ranks together ({@code MPI_File_read_all_begin}). */
  public void readAllBegin(Object buf, int count, Datatype type) {
    call(f -> f.readAllBegin(Elements.of(buf, count, type, f::callErrhandler)));
  }

  /** Ends what the first half has begun ({@code MPI_File_read_all_end}). */
  public Status readAllEnd(Object buf) {
    return new Status(ask(MpiFile::readAllEnd));
  }

  /** Begins to write elements at this rank's file pointer, all ranks together ({@code MPI_File_write_all_begin}). */
  public void writeAllBegin(Object buf, int count, Datatype type) {
    call(f -> f.writeAllBegin(Elements.of(buf, count, type, f::callErrhandler)));
  }

  /** Ends what the first half has begun ({@code MPI_File_write_all_end}). */
  public Status writeAllEnd(Object buf) {
    return new Status(ask(MpiFile::writeAllEnd));
  }

  /** Begins to read elements in the order of ranks ({@code MPI_File_read_ordered_begin}). */
  public void readOrderedBegin(Object buf, int count, Datatype type) {
    call(f -> f.readOrderedBegin(Elements.of(buf, count, type, f::callErrhandler)));
  }

  /** Ends what the first half has begun ({@code MPI_File_read_ordered_end}). */
  public Status readOrderedEnd(Object buf) {
    return new Status(ask(MpiFile::readOrderedEnd));
  }

  /** Begins to write elements in the order of ranks ({@code MPI_File_write_ordered_begin}). */
  public void writeOrderedBegin(Object buf, int count, Datatype type) {
    call(f -> f.writeOrderedBegin(Elements.of(buf, count, type, f::callErrhandler)));
  }

  /** Ends what the first half has begun ({@code MPI_File_write_ordered_end}). */
  public Status writeOrderedEnd(Object buf) {
    return new Status(ask(MpiFile::writeOrderedEnd));
  }

  /** Returns the extent of a type in the file ({@code MPI_File_get_type_extent}). */
  public int getTypeExtent(Datatype type) {
    return Math.toIntExact(ask(f -> f.typeExtent(Datatype.typeOf(type))));
  }

  /**
   * Sets whether accesses are atomic ({@code MPI_File_set_atomicity}).
   *
   * @param atomicity whether accesses are atomic
   */
  public void setAtomicity(boolean atomicity) {
    call(f -> f.setAtomicity(atomicity));
  }

  /**
   * Returns whether accesses are atomic ({@code MPI_File_get_atomicity}).
   *
   * @return whether it is so
   */
  public boolean getAtomicity() {
    return ask(MpiFile::atomicity);
  }

  /** Brings what has been written to the device ({@code MPI_File_sync}). */
  public void sync() {
    call(MpiFile::sync);
  }

  /**
   * Sets what happens when a call on this file fails ({@code MPI_File_set_errhandler}).
   *
   * @param errhandler error handler
   */
  public void setErrhandler(Errhandler errhandler) {
    call(f -> f.setErrhandler(Errhandler.handlerOf(errhandler)));
  }

  /**
   * Returns what happens when a call on this file fails ({@code MPI_File_get_errhandler}).
   *
   * @return the error handler
   */
  public Errhandler getErrhandler() {
    return Errhandler.of(ask(MpiFile::errhandler));
  }

  /**
   * Calls the error handler ({@code MPI_File_call_errhandler}).
   *
   * @param errorCode an error code
   */
  public void callErrhandler(int errorCode) {
    call(f -> f.callErrhandler(ErrorNumbers.codeOf(errorCode)));
  }
}
