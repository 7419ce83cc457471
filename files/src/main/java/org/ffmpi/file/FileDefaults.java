// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file;

import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.ffmpi.DataRepresentation;
import org.ffmpi.Errhandler;
import org.ffmpi.MpiFile;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.file.view.External32Form;
import org.ffmpi.file.view.RegisteredForm;
import org.ffmpi.file.view.Representation;
import org.ffmpi.process.ErrhandlerImpl;
import org.ffmpi.process.World;

/** The error handler that files of a rank begin with, and the representations that it knows. Any thread. */
final class FileDefaults {
  static final String NATIVE = "native";
  private static final String INTERNAL = "internal";
  private static final String EXTERNAL = "external32";
  /** {@code MPI_MAX_DATAREP_STRING}. */
  private static final int LONGEST_NAME = 128;

  private final World world;
  private final Map<String, Representation> registered = new ConcurrentHashMap<>();
  private volatile Errhandler<? super MpiFile> errhandler = Errhandler.RETURN;

  private FileDefaults(World world) {
    this.world = world;
  }

  static FileDefaults of(World world) {
    FileDefaults known = world.companion(FileDefaults.class);
    return known != null ? known : world.companion(FileDefaults.class, new FileDefaults(world));
  }

  Errhandler<? super MpiFile> errhandler() {
    return ErrhandlerImpl.of(errhandler).reference();
  }

  void setErrhandler(Errhandler<? super MpiFile> handler) {
    MpiException refused = ErrhandlerImpl.refusal(handler);
    if (refused != null) {
      throw raise(refused);
    }
    errhandler = handler;
  }

  /** Calls the handler for a file that is not open, and returns the error to throw. */
  MpiException raise(MpiException error) {
    return ErrhandlerImpl.of(errhandler).handle(world, null, error);
  }

  void register(String name, DataRepresentation functions) {
    if (name == null || name.isEmpty() || name.length() > LONGEST_NAME) {
      throw raise(MpiException.argument(
          ErrorClass.ERR_ARG, "name", name, "names of 1 to " + LONGEST_NAME + " characters"));
    }
    if (functions == null) {
      throw raise(MpiException.argument(ErrorClass.ERR_ARG, "representation", null, "a DataRepresentation"));
    }
    if (name.equals(NATIVE) || name.equals(INTERNAL) || name.equals(EXTERNAL)
        || registered.putIfAbsent(name, new RegisteredForm(name, functions)) != null) {
      throw raise(MpiException.argument(ErrorClass.ERR_DUP_DATAREP, "name", name, "names that are not taken"));
    }
  }

  /** Returns a representation, null for the native one. */
  Representation representation(String name) {
    if (NATIVE.equals(name) || INTERNAL.equals(name)) {
      return null;
    }
    Representation known =
        name == null ? null : name.equals(EXTERNAL) ? External32Form.INSTANCE : registered.get(name);
    if (known == null) {
      throw MpiException.argument(ErrorClass.ERR_UNSUPPORTED_DATAREP, "datarep", name,
          NATIVE + ", " + INTERNAL + ", " + EXTERNAL
              + (registered.isEmpty() ? "" : ", " + String.join(", ", new TreeSet<>(registered.keySet()))));
    }
    return known;
  }
}
