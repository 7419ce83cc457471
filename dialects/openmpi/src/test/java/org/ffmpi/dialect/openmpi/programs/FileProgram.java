// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.nio.IntBuffer;
import mpi.Datatype;
import mpi.File;
import mpi.FileView;
import mpi.Info;
import mpi.MPI;
import mpi.Request;
import mpi.Status;

/** Files: every call of {@link File}, on a file in the folder of temporary files. */
final class FileProgram {
  private FileProgram() {}

  static void run() {
    int rank = MPI.COMM_WORLD.getRank();
    int size = MPI.COMM_WORLD.getSize();
    char[] name = (System.getProperty("java.io.tmpdir") + "/ffmpi-dialect-" + ProcessHandle.current().pid() + "-"
        + System.nanoTime()).toCharArray();
    int[] length = {name.length};
    MPI.COMM_WORLD.bcast(length, 1, MPI.INT, 0);
    char[] path = rank == 0 ? name : new char[length[0]];
    MPI.COMM_WORLD.bcast(path, length[0], MPI.CHAR, 0);
    String filename = new String(path);
    Check.fails(MPI.ERR_NO_SUCH_FILE, "open", () -> new File(MPI.COMM_WORLD, filename, MPI.MODE_RDONLY));
    Check.fails(MPI.ERR_AMODE, "mode", () -> new File(MPI.COMM_WORLD, filename, MPI.MODE_CREATE, MPI.INFO_NULL));
    Check.fails(MPI.ERR_NO_SUCH_FILE, "delete", () -> File.delete(filename));

    File file = new File(MPI.COMM_WORLD, filename, MPI.MODE_CREATE | MPI.MODE_RDWR);
    properties(file, size);
    accesses(file, rank, size);
    started(file, rank);
    file.close();
    Check.fails(MPI.ERR_FILE, "closed", file::getSize);
    if (rank == 0) {
      File.delete(filename, MPI.INFO_NULL);
    }
    MPI.COMM_WORLD.barrier();
  }

  private static void properties(File file, int size) {
    Check.equal(MPI.MODE_CREATE | MPI.MODE_RDWR, file.getAMode(), "getAMode");
    Check.equal(size, file.getGroup().getSize(), "getGroup");
    Check.equal(MPI.ERRORS_RETURN, file.getErrhandler(), "getErrhandler");
    file.setErrhandler(MPI.ERRORS_RETURN);
    file.callErrhandler(MPI.ERR_IO);
    Info info = file.getInfo();
    info.set("cb_nodes", "1");
    file.setInfo(info);
    Check.equal("1", file.getInfo().get("cb_nodes"), "setInfo");
    file.preallocate(100);
    file.setSize(64);
    Check.equal(64L, file.getSize(), "getSize");
    file.setSize(0);
    file.setAtomicity(true);
    Check.that(file.getAtomicity(), "getAtomicity");
    file.setAtomicity(false);
    Check.equal(4, file.getTypeExtent(MPI.INT), "getTypeExtent");
    Check.equal(3L, new FileView(3, MPI.INT, MPI.INT, "native").getDisp(), "FileView");
    FileView view = file.getView();
    Check.equal(0L, view.getDisp(), "getDisp");
    Check.equal("native", view.getDataRep(), "getDataRep");
  }

  private static void accesses(File file, int rank, int size) {
    Datatype every = Datatype.createVector(1, 1, 1, MPI.INT);
    every.commit();
    file.setView(8, MPI.INT, MPI.INT, "native");
    Check.that(file.getView().getEType() == MPI.INT && file.getView().getFileType() == MPI.INT, "types of a view");
    Check.equal(8L, file.getView().getDisp(), "displacement of a view");
    file.setView(8, MPI.INT, every, "native", MPI.INFO_NULL);
    int[] mine = {rank, -rank};
    Status status = file.writeAt(2L * rank, mine, 2, MPI.INT);
    Check.equal(2, status.getCount(MPI.INT), "writeAt");
    file.writeAtAll(2L * rank, mine, 2, MPI.INT);
    file.sync();
    int[] back = new int[2];
    file.readAt(2L * rank, back, 2, MPI.INT);
    Check.equal(-rank, back[1], "readAt");
    file.readAtAll(2L * rank, back, 2, MPI.INT);
    Check.equal(rank, back[0], "readAtAll");
    file.seek(2L * rank, MPI.SEEK_SET);
    file.write(mine, 2, MPI.INT);
    Check.equal(2L * rank + 2, file.getPosition(), "getPosition");
    Check.equal(8 + 4L * 2, file.getByteOffset(2), "getByteOffset");
    file.seek(-2, MPI.SEEK_CUR);
    file.read(back, 2, MPI.INT);
    Check.equal(-rank, back[1], "read");
    file.seek(2L * rank, MPI.SEEK_SET);
    file.writeAll(mine, 2, MPI.INT);
    file.seek(2L * rank, MPI.SEEK_SET);
    file.readAll(back, 2, MPI.INT);
    Check.equal(-rank, back[1], "readAll");

    file.writeAtAllBegin(2L * rank, mine, 2, MPI.INT);
    file.writeAtAllEnd(mine);
    file.readAtAllBegin(2L * rank, back, 2, MPI.INT);
    Check.equal(2, file.readAtAllEnd(back).getCount(MPI.INT), "readAtAllEnd");
    file.seek(2L * rank, MPI.SEEK_SET);
    file.writeAllBegin(mine, 2, MPI.INT);
    file.writeAllEnd(mine);
    file.seek(2L * rank, MPI.SEEK_SET);
    file.readAllBegin(back, 2, MPI.INT);
    Check.equal(2, file.readAllEnd(back).getCount(MPI.INT), "readAllEnd");

    file.seekShared(0, MPI.SEEK_SET);
    file.writeOrdered(mine, 2, MPI.INT);
    Check.equal(2L * size, file.getPositionShared(), "getPositionShared");
    file.sync();
    file.seekShared(0, MPI.SEEK_SET);
    file.readOrdered(back, 2, MPI.INT);
    Check.equal(-rank, back[1], "readOrdered");
    file.seekShared(0, MPI.SEEK_SET);
    file.writeOrderedBegin(mine, 2, MPI.INT);
    file.writeOrderedEnd(mine);
    file.seekShared(0, MPI.SEEK_SET);
    file.readOrderedBegin(back, 2, MPI.INT);
    file.readOrderedEnd(back);
    Check.equal(-rank, back[1], "readOrderedEnd");
    file.writeShared(new int[] {7}, 1, MPI.INT);
    file.sync();
    file.seekShared(2L * size, MPI.SEEK_SET);
    file.readShared(back, 1, MPI.INT);
    Check.equal(7, back[0], "readShared");
    every.free();
  }

  private static void started(File file, int rank) {
    IntBuffer buffer = MPI.newIntBuffer(2);
    buffer.put(0, rank).put(1, 3);
    Request[] writes = {file.iWriteAt(2L * rank, buffer, 2, MPI.INT)};
    Request.waitAll(writes);
    file.iWriteAtAll(2L * rank, buffer, 2, MPI.INT).waitFor();
    file.seek(2L * rank, MPI.SEEK_SET);
    file.iWrite(buffer, 2, MPI.INT).waitFor();
    file.seek(2L * rank, MPI.SEEK_SET);
    file.iWriteAll(buffer, 2, MPI.INT).waitFor();
    file.sync();
    buffer.put(1, 0);
    Check.equal(2, file.iReadAt(2L * rank, buffer, 2, MPI.INT).waitStatus().getCount(MPI.INT), "iReadAt");
    Check.equal(3, buffer.get(1), "iReadAt's data");
    file.iReadAtAll(2L * rank, buffer, 2, MPI.INT).waitFor();
    file.seek(2L * rank, MPI.SEEK_SET);
    file.iRead(buffer, 2, MPI.INT).waitFor();
    file.seek(2L * rank, MPI.SEEK_SET);
    file.iReadAll(buffer, 2, MPI.INT).waitFor();
    Check.equal(3, buffer.get(1), "iReadAll's data");
    file.iWriteShared(buffer, 1, MPI.INT).waitFor();
    file.iReadShared(buffer, 0, MPI.INT).waitFor();
  }
}
