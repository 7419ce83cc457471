// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.port;

import java.nio.file.Path;
import org.ffmpi.DataRepresentation;
import org.ffmpi.Errhandler;
import org.ffmpi.MpiFile;
import org.ffmpi.process.CommState;
import org.ffmpi.process.Providers;
import org.ffmpi.process.World;

/** The port to module {@code files}. Any thread may call. */
public interface FileProvider {
  /** Returns the calls of a communicator. */
  FileOperations of(CommState comm);

  /** See {@link MpiFile#delete}. */
  void delete(Path path);

  /** See {@link MpiFile#defaultErrhandler}. */
  Errhandler<? super MpiFile> defaultErrhandler(World world);

  /** See {@link MpiFile#setDefaultErrhandler}. */
  void setDefaultErrhandler(World world, Errhandler<? super MpiFile> errhandler);

  /** See {@link MpiFile#registerDatarep}. */
  void registerDatarep(World world, String name, DataRepresentation representation);

  /** Returns the provider, which is found once. */
  static FileProvider get() {
    return Found.PROVIDER;
  }

  /** Holds the provider from the first call on. */
  final class Found {
    private static final FileProvider PROVIDER = Providers.family(FileProvider.class, "org.ffmpi.files");

    private Found() {}
  }
}
