// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.nio.file.Path;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.port.FileOperations;

/**
 * The calls that open files (MPI-4.1 §14.2.1). They are collective over the communicator, whose ranks become those of
 * the file, and block. The file is independent of the communicator, which may be closed before it. The error handler of
 * files that are not open is called for their errors, see {@link MpiFile#setDefaultErrhandler}; it throws them unless
 * the program has set another one.
 */
public sealed interface FileCalls permits IntraComm, FileOperations {
  /**
   * Opens a file ({@code MPI_File_open}, MPI-4.1 §14.2.1). Its view is that of bytes from its beginning.
   *
   * @param path the file, in the ranks' own words: a relative path counts from where the rank was started
   * @param amode sum of {@code MODE_RDONLY}, {@code MODE_WRONLY} or {@code MODE_RDWR} and of {@code MODE_CREATE},
   *     {@code MODE_EXCL}, {@code MODE_APPEND}, {@code MODE_SEQUENTIAL}, {@code MODE_UNIQUE_OPEN} and
   *     {@code MODE_DELETE_ON_CLOSE} of {@link org.ffmpi.base.Constants}; the same at all ranks
   * @return the file, to be closed by all ranks
   * @throws MpiException at all ranks: ERR_AMODE for a mode that contradicts itself, ERR_NOT_SAME when the ranks differ
   *     in it, ERR_NO_SUCH_FILE, ERR_FILE_EXISTS, ERR_ACCESS, ERR_READ_ONLY, ERR_BAD_FILE for a name that cannot be one
   *     or is a folder's, ERR_NO_SPACE, ERR_QUOTA, ERR_IO
   */
  @Standard({"MPI_File_open"})
  default MpiFile open(Path path, int amode) {
    return open(path, amode, null);
  }

  /**
   * Opens a file with hints ({@code MPI_File_open}, MPI-4.1 §14.2.1), as {@link #open(Path, int)}.
   *
   * @param path the file
   * @param amode as above
   * @param info hints, see {@link MpiFile#info}; null for none
   * @return the file, to be closed by all ranks
   * @throws MpiException as {@link #open(Path, int)}; ERR_INFO_VALUE when a hint has a value that it cannot have
   */
  @Standard({"MPI_File_open"})
  MpiFile open(Path path, int amode, Info info);
}
