// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import mpi.File;
import mpi.FileView;
import mpi.MPI;

/** Files are not supported; a program finds that out when it opens one, whatever the error handler is. */
final class FileProgram {
  private FileProgram() {}

  static void run() {
    int mode = MPI.MODE_RDWR | MPI.MODE_CREATE;
    int unsupported = MPI.ERR_UNSUPPORTED_OPERATION;
    Check.fails(unsupported, "open", () -> new File(MPI.COMM_WORLD, "file", mode));
    Check.fails(unsupported, "open with hints", () -> new File(MPI.COMM_WORLD, "file", mode, MPI.INFO_NULL));
    Check.fails(unsupported, "delete", () -> File.delete("file"));
    Check.fails(unsupported, "delete with hints", () -> File.delete("file", MPI.INFO_NULL));
    FileView view = new FileView(8, MPI.INT, MPI.DOUBLE, "native");
    Check.equal(8L, view.getDisp(), "getDisp");
    Check.that(view.getEType() == MPI.INT && view.getFileType() == MPI.DOUBLE, "types of a view");
    Check.equal("native", view.getDataRep(), "getDataRep");
  }
}
