// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ffmpi.DataRepresentation;
import org.ffmpi.Errhandler;
import org.ffmpi.MpiFile;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.file.access.FileErrors;
import org.ffmpi.port.FileOperations;
import org.ffmpi.port.FileProvider;
import org.ffmpi.process.CommState;
import org.ffmpi.process.World;

/** The provider of files, which are those of the system. Any thread may call. */
public final class RankFiles implements FileProvider {
  /** Creates the provider, by {@link java.util.ServiceLoader}. */
  public RankFiles() {}

  @Override
  public FileOperations of(CommState comm) {
    return new FileOpening(comm);
  }

  @Override
  public void delete(Path path) {
    if (path == null) {
      throw MpiException.argument(ErrorClass.ERR_BAD_FILE, "path", null, "the name of a file");
    }
    try {
      if (Files.isDirectory(path)) {
        throw new MpiException(ErrorClass.ERR_BAD_FILE, "cannot delete " + path + ": it is a folder");
      }
      Files.delete(path);
    } catch (IOException e) {
      throw FileErrors.of(path, "delete", e);
    } catch (RuntimeException e) {
      throw FileErrors.of(path, "delete", e);
    }
  }

  @Override
  public Errhandler<? super MpiFile> defaultErrhandler(World world) {
    return FileDefaults.of(world).errhandler();
  }

  @Override
  public void setDefaultErrhandler(World world, Errhandler<? super MpiFile> errhandler) {
    FileDefaults.of(world).setErrhandler(errhandler);
  }

  @Override
  public void registerDatarep(World world, String name, DataRepresentation representation) {
    FileDefaults.of(world).register(name, representation);
  }
}
