// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.files;

import static org.ffmpi.base.Constants.MODE_APPEND;
import static org.ffmpi.base.Constants.MODE_CREATE;
import static org.ffmpi.base.Constants.MODE_DELETE_ON_CLOSE;
import static org.ffmpi.base.Constants.MODE_EXCL;
import static org.ffmpi.base.Constants.MODE_RDONLY;
import static org.ffmpi.base.Constants.MODE_RDWR;
import static org.ffmpi.base.Constants.MODE_SEQUENTIAL;
import static org.ffmpi.base.Constants.MODE_WRONLY;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.ffmpi.Buf;
import org.ffmpi.DataRepresentation;
import org.ffmpi.Errhandler;
import org.ffmpi.Info;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.MpiFile;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rules of chapter 14, one by one.
 *
 * <p>This file is long because the chapter has many.
 */
@EveryFilePath
class FileRulesTest {
  /** A program of all ranks, in a folder of its own. */
  private interface Program {
    void run(IntraComm world, Path folder) throws IOException;
  }

  private static void inFolder(Mpi mpi, Program program) throws IOException {
    IntraComm world = mpi.world();
    Path made = world.rank() == 0 ? Files.createTempDirectory("ffmpi files – ü") : null;
    Path folder = Path.of(world.bcastObject(made == null ? null : made.toString(), 0));
    try {
      program.run(world, folder);
    } finally {
      if (world.rank() == 0) {
        try (Stream<Path> all = Files.walk(folder)) {
          for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(path);
          }
        }
      }
    }
  }

  private static MpiException fails(ErrorClass errorClass, String text, Executable call) {
    MpiException e = assertThrows(MpiException.class, call);
    assertEquals(errorClass, e.errorClass(), e.getMessage());
    assertTrue(e.getMessage().contains(text), e.getMessage());
    return e;
  }

  @MpiTest(ranks = 3)
  void opensAndDeletes(Mpi mpi) throws IOException {
    inFolder(mpi, (world, folder) -> {
      Path path = folder.resolve("a file");
      fails(ErrorClass.ERR_NO_SUCH_FILE, "a file", () -> world.open(path, MODE_RDONLY));
      fails(ErrorClass.ERR_NO_SUCH_FILE, "none", () -> world.open(folder.resolve("none/x"), MODE_CREATE | MODE_RDWR));
      fails(ErrorClass.ERR_BAD_FILE, "folder", () -> world.open(folder, MODE_RDONLY));
      fails(ErrorClass.ERR_BAD_FILE, "path = null", () -> world.open(null, MODE_RDONLY));
      for (int wrong : new int[] {
        0, MODE_CREATE, MODE_RDONLY | MODE_WRONLY, MODE_RDONLY | MODE_CREATE, MODE_RDONLY | MODE_EXCL,
        MODE_RDWR | MODE_SEQUENTIAL, MODE_RDONLY | 1 << 20
      }) {
        fails(ErrorClass.ERR_AMODE, "amode = " + wrong, () -> world.open(path, wrong));
      }
      fails(ErrorClass.ERR_NOT_SAME, "amode", () -> {
        int amode = world.rank() == 1 ? MODE_CREATE | MODE_RDWR : MODE_CREATE | MODE_WRONLY;
        world.open(path, amode);
      });
      assertFalse(Files.exists(path));
      try (MpiFile file = MpiFile.open(world, path, MODE_CREATE | MODE_EXCL | MODE_RDWR)) {
        assertEquals(MODE_CREATE | MODE_EXCL | MODE_RDWR, file.amode());
        assertEquals(path, file.path());
        assertEquals(0, file.size());
        assertEquals(world.size(), file.group().size());
      }
      fails(ErrorClass.ERR_FILE_EXISTS, "a file", () -> world.open(path, MODE_CREATE | MODE_EXCL | MODE_RDWR));
      world.open(path, MODE_RDONLY | MODE_DELETE_ON_CLOSE).close();
      assertFalse(Files.exists(path));
      world.barrier();
      if (world.rank() == 0) {
        fails(ErrorClass.ERR_NO_SUCH_FILE, "a file", () -> MpiFile.delete(path));
        Files.writeString(path, "x");
        MpiFile.delete(path);
        assertFalse(Files.exists(path));
        fails(ErrorClass.ERR_BAD_FILE, "folder", () -> MpiFile.delete(folder));
      }
      world.barrier();
    });
  }

  @MpiTest(ranks = 2)
  void namesThatNoFileCanHave(Mpi mpi) throws IOException {
    inFolder(mpi, (world, folder) -> {
      Path file = folder.resolve("real");
      Path link = folder.resolve("link");
      Path loop = folder.resolve("loop");
      if (world.rank() == 0) {
        Files.writeString(file, "through a link");
        Files.createSymbolicLink(link, Path.of("real"));
        Files.createSymbolicLink(loop, Path.of("loop"));
      }
      world.barrier();
      try (MpiFile linked = world.open(link, MODE_RDONLY)) {
        assertEquals(14, linked.size());
      }
      fails(ErrorClass.ERR_BAD_FILE, "loop", () -> world.open(loop, MODE_RDONLY));
      fails(ErrorClass.ERR_BAD_FILE, "xxx", () -> world.open(folder.resolve("x".repeat(300)), MODE_CREATE | MODE_RDWR));
      fails(ErrorClass.ERR_BAD_FILE, "real", () -> world.open(file.resolve("below"), MODE_RDONLY));
      Path relative = Path.of("").toAbsolutePath().relativize(file);
      world.open(relative, MODE_RDONLY).close();
    });
  }

  @MpiTest(ranks = 2)
  void fullDevicesAndFilesCutShort(Mpi mpi) throws IOException {
    Path full = Path.of("/dev/full");
    if (Files.exists(full)) {
      try (MpiFile file = mpi.world().open(full, MODE_WRONLY)) {
        fails(ErrorClass.ERR_NO_SPACE, "/dev/full", () -> file.writeAt(0, new byte[10]));
        fails(ErrorClass.ERR_NO_SPACE, "/dev/full", () -> file.iwriteAt(0, new byte[10]).await());
        fails(ErrorClass.ERR_NO_SPACE, "/dev/full", () -> file.writeAtAll(0, new double[10]));
        file.writeAtAllBegin(0, new double[10]);
        fails(ErrorClass.ERR_NO_SPACE, "/dev/full", file::writeAtAllEnd);
      }
      mpi.world().barrier();
    }
    inFolder(mpi, (world, folder) -> {
      Path path = folder.resolve("x");
      try (MpiFile file = world.open(path, MODE_CREATE | MODE_RDWR)) {
        file.writeAtAll(world.rank() * 1000L, new byte[1000]);
        file.sync();
        if (world.rank() == 0) {
          try (FileChannel other = FileChannel.open(path, StandardOpenOption.WRITE)) {
            other.truncate(1500);
          }
        }
        world.barrier();
        assertEquals(world.rank() == 0 ? 1000 : 500, file.readAtAll(world.rank() * 1000L, new byte[1000]).bytes());
      }
    });
  }

  @MpiTest(ranks = 2)
  void closedFilesAreRefused(Mpi mpi) throws IOException {
    inFolder(mpi, (world, folder) -> {
      MpiFile file = world.open(folder.resolve("x"), MODE_CREATE | MODE_RDWR);
      file.close();
      file.close();
      fails(ErrorClass.ERR_FILE, "has been closed", file::size);
      fails(ErrorClass.ERR_FILE, "has been closed", () -> file.readAt(0, new byte[1]));
      fails(ErrorClass.ERR_FILE, "has been closed", file::sync);
      world.barrier();
    });
  }

  @MpiTest(ranks = 2)
  void argumentsAreChecked(Mpi mpi) throws IOException {
    inFolder(mpi, (world, folder) -> {
      Path path = folder.resolve("x");
      try (MpiFile file = world.open(path, MODE_CREATE | MODE_RDWR)) {
        fails(ErrorClass.ERR_ARG, "offset = -1", () -> file.writeAt(-1, new byte[1]));
        fails(ErrorClass.ERR_BUFFER, "data = null", () -> file.writeAt(0, null));
        fails(ErrorClass.ERR_BUFFER, "array", () -> file.write("text"));
        fails(ErrorClass.ERR_ARG, "offset = -1", () -> file.byteOffset(-1));
        fails(ErrorClass.ERR_ARG, "whence = 7", () -> file.seek(0, 7));
        fails(ErrorClass.ERR_ARG, "offset = -2", () -> file.seek(-2, Constants.SEEK_CUR));
        fails(ErrorClass.ERR_ARG, "size = -1", () -> file.setSize(-1));
        fails(ErrorClass.ERR_NOT_SAME, "size", () -> file.setSize(world.rank()));
        fails(ErrorClass.ERR_NOT_SAME, "atomic", () -> file.setAtomicity(world.rank() == 0));
        fails(ErrorClass.ERR_ARG, "disp = -5", () -> file.setView(-5, Datatype.BYTE, Datatype.BYTE));
        fails(ErrorClass.ERR_TYPE, "etype = null", () -> file.setView(0, null, Datatype.BYTE));
        fails(ErrorClass.ERR_TYPE, "whole numbers", () -> file.setView(0, Datatype.INT32_T, Datatype.INT16_T));
        Datatype<?> open = Datatype.contiguous(2, Datatype.INT32_T);
        fails(ErrorClass.ERR_TYPE, "commit", () -> file.setView(0, Datatype.INT32_T, open));
        Datatype<?> back =
            Datatype.hindexed(new long[] {1, 1}, new long[] {8, 0}, Datatype.INT32_T).commit();
        fails(ErrorClass.ERR_TYPE, "do not decrease", () -> file.setView(0, Datatype.INT32_T, back));
        fails(ErrorClass.ERR_UNSUPPORTED_DATAREP, "native, internal, external32",
            () -> file.setView(0, Datatype.BYTE, Datatype.BYTE, "parquet"));
        fails(ErrorClass.ERR_NOT_SAME, "etype", () -> {
          Datatype<?> type = world.rank() == 0 ? Datatype.INT32_T : Datatype.INT64_T;
          file.setView(0, type, type);
        });
        file.setView(0, Datatype.INT32_T, Datatype.INT32_T);
        fails(ErrorClass.ERR_IO, "whole numbers of the etype", () -> file.writeAt(0, new byte[3]));
        fails(ErrorClass.ERR_INFO_VALUE, "cb_nodes = 0", () -> file.setInfo(new Info().set("cb_nodes", "0")));
        file.setInfo(new Info().set("cb_nodes", "1").set("unknown", "x"));
        assertEquals("1", file.info().get("cb_nodes").orElseThrow());
        assertTrue(file.info().get("unknown").isEmpty());
        assertEquals(0, file.size());
        world.barrier();
      }
      try (MpiFile file = world.open(path, MODE_RDONLY)) {
        fails(ErrorClass.ERR_READ_ONLY, "reading only", () -> file.writeAt(0, new byte[1]));
        fails(ErrorClass.ERR_READ_ONLY, "reading only", () -> file.writeAtAll(0, new byte[1]));
        fails(ErrorClass.ERR_READ_ONLY, "reading only", () -> file.setSize(1));
      }
      try (MpiFile file = world.open(path, MODE_WRONLY)) {
        fails(ErrorClass.ERR_ACCESS, "writing only", () -> file.readAt(0, new byte[1]));
        fails(ErrorClass.ERR_ACCESS, "writing only", () -> file.readAll(new byte[1]));
      }
    });
  }

  @MpiTest(ranks = 2)
  void sequentialFilesHaveTheSharedPointerOnly(Mpi mpi) throws IOException {
    inFolder(mpi, (world, folder) -> {
      Path path = folder.resolve("log");
      try (MpiFile file = world.open(path, MODE_CREATE | MODE_WRONLY | MODE_SEQUENTIAL)) {
        fails(ErrorClass.ERR_UNSUPPORTED_OPERATION, "SEQUENTIAL", () -> file.writeAt(0, new byte[1]));
        fails(ErrorClass.ERR_UNSUPPORTED_OPERATION, "SEQUENTIAL", () -> file.write(new byte[1]));
        fails(ErrorClass.ERR_UNSUPPORTED_OPERATION, "SEQUENTIAL", () -> file.seek(0, Constants.SEEK_SET));
        fails(ErrorClass.ERR_UNSUPPORTED_OPERATION, "SEQUENTIAL", file::position);
        fails(ErrorClass.ERR_UNSUPPORTED_OPERATION, "SEQUENTIAL", file::positionShared);
        fails(ErrorClass.ERR_UNSUPPORTED_OPERATION, "SEQUENTIAL", () -> file.setSize(10));
        fails(ErrorClass.ERR_ARG, "DISPLACEMENT_CURRENT", () -> file.setView(0, Datatype.BYTE, Datatype.BYTE));
        file.writeOrdered(new byte[] {(byte) world.rank()});
        file.setView(Constants.DISPLACEMENT_CURRENT, Datatype.INT16_T, Datatype.INT16_T);
        assertEquals(2, file.view().disp());
        file.writeOrdered(new short[] {(short) (257 * world.rank())});
      }
      assertArrayEquals(new byte[] {0, 1, 0, 0, 1, 1}, Files.readAllBytes(path));
      world.barrier();
    });
  }

  @MpiTest(ranks = 3)
  void pointersMove(Mpi mpi) throws IOException {
    inFolder(mpi, (world, folder) -> {
      Path path = folder.resolve("x");
      int rank = world.rank();
      try (MpiFile file = world.open(path, MODE_CREATE | MODE_RDWR)) {
        file.setView(4, Datatype.INT32_T, Datatype.INT32_T);
        file.seek(rank * 2L, Constants.SEEK_SET);
        file.write(new int[] {rank, rank + 10});
        assertEquals(rank * 2L + 2, file.position());
        assertEquals(4 + 4 * 6, file.byteOffset(6));
        world.barrier();
        file.seek(-1, Constants.SEEK_END);
        assertEquals(5, file.position());
        int[] last = new int[3];
        Status status = file.read(Buf.of(last));
        assertEquals(1, status.getCount(Datatype.INT32_T));
        assertEquals(12, last[0]);
        assertEquals(8, file.position());
        assertEquals(0, file.read(Buf.of(last)).bytes());
        file.seek(-8, Constants.SEEK_CUR);
        assertEquals(3, file.position());

        assertEquals(0, file.positionShared());
        fails(ErrorClass.ERR_NOT_SAME, "offset", () -> file.seekShared(rank, Constants.SEEK_SET));
        file.seekShared(6, Constants.SEEK_SET);
        file.writeShared(new int[] {100});
        file.writeOrdered(new int[] {rank, rank});
        file.sync();
        assertEquals(6 + 3 + 6, file.positionShared());
        file.seekShared(9, Constants.SEEK_SET);
        int[] mine = new int[2];
        file.readOrdered(mine);
        assertArrayEquals(new int[] {rank, rank}, mine);
        file.seekShared(0, Constants.SEEK_END);
        assertEquals(15, file.positionShared());
        file.seekShared(6, Constants.SEEK_SET);
        assertEquals(4, file.readShared(new int[1]).bytes());
        Request request = file.ireadShared(new int[1]);
        assertEquals(4, request.await(new Status()).bytes());
        world.barrier();
        assertEquals(12, file.positionShared());
        file.setView(0, Datatype.BYTE, Datatype.BYTE);
        assertEquals(0, file.positionShared());
        assertEquals(0, file.position());
        world.barrier();
      }
      try (MpiFile file = world.open(path, MODE_WRONLY | MODE_APPEND)) {
        assertEquals(64, file.position());
        assertEquals(64, file.positionShared());
      }
    });
  }

  @MpiTest(ranks = 4)
  void sharedPointerGivesEachPlaceOnce(Mpi mpi) throws IOException {
    inFolder(mpi, (world, folder) -> {
      Path path = folder.resolve("log");
      int each = 50;
      try (MpiFile file = world.open(path, MODE_CREATE | MODE_WRONLY)) {
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < each; i++) {
          byte[] record = new byte[16];
          record[0] = (byte) world.rank();
          record[1] = (byte) i;
          if (i % 2 == 0) {
            file.writeShared(record);
          } else {
            requests.add(file.iwriteShared(record));
          }
        }
        Request.waitAll(requests);
      }
      byte[] all = Files.readAllBytes(path);
      assertEquals(16 * each * world.size(), all.length);
      boolean[] seen = new boolean[world.size() * each];
      for (int i = 0; i < all.length; i += 16) {
        int record = all[i] * each + all[i + 1];
        assertFalse(seen[record]);
        seen[record] = true;
      }
      world.barrier();
    });
  }

  @MpiTest(ranks = 2)
  void splitCallsComeInPairs(Mpi mpi) throws IOException {
    inFolder(mpi, (world, folder) -> {
      try (MpiFile file = world.open(folder.resolve("x"), MODE_CREATE | MODE_RDWR)) {
        fails(ErrorClass.ERR_IO, "no split call", file::writeAllEnd);
        file.writeAtAllBegin(world.rank() * 4L, new int[] {world.rank()});
        fails(ErrorClass.ERR_IO, "has not been ended", () -> file.writeAtAllBegin(0, new int[1]));
        fails(ErrorClass.ERR_IO, "none of readAllBegin", file::readAllEnd);
        fails(ErrorClass.ERR_IO, "has not been ended", () -> file.setView(0, Datatype.BYTE, Datatype.BYTE));
        fails(ErrorClass.ERR_IO, "has not been ended", file::sync);
        assertEquals(4, file.writeAtAllEnd().bytes());
        file.sync();
        int[] both = new int[2];
        file.readAllBegin(both);
        assertEquals(8, file.readAllEnd().bytes());
        assertArrayEquals(new int[] {0, 1}, both);
        file.writeOrderedBegin(new int[] {5});
        assertEquals(4, file.writeOrderedEnd().bytes());
        file.seekShared(0, Constants.SEEK_SET);
        file.readOrderedBegin(new int[1]);
        assertEquals(4, file.readOrderedEnd().bytes());
      }
    });
  }

  @MpiTest(ranks = 3)
  void sizesAndStorage(Mpi mpi) throws IOException {
    inFolder(mpi, (world, folder) -> {
      Path path = folder.resolve("x");
      try (MpiFile file = world.open(path, MODE_CREATE | MODE_RDWR)) {
        file.setSize(1000);
        assertEquals(1000, file.size());
        file.writeAtAll(world.rank(), new byte[] {7});
        file.sync();
        file.preallocate(500);
        assertEquals(1000, file.size());
        file.preallocate(3_000_000);
        assertEquals(3_000_000, file.size());
        byte[] first = new byte[4];
        file.readAt(0, first);
        assertArrayEquals(new byte[] {7, 7, 7, 0}, first);
        world.barrier();
        file.setSize(2);
        assertEquals(2, file.size());
        assertEquals(2, file.readAtAll(0, first).bytes());
      }
    });
  }

  @MpiTest(ranks = 2)
  @DisplayName("S1-2.5.7: views, seeks and sizes beyond 2 and 4 GiB, in a sparse file")
  void farPlaces(Mpi mpi) throws IOException {
    inFolder(mpi, (world, folder) -> {
      try (MpiFile file = world.open(folder.resolve("sparse"), MODE_CREATE | MODE_RDWR | MODE_DELETE_ON_CLOSE)) {
        long far = (5L << 30) + 3;
        long[] mine = {world.rank() + 1};
        file.writeAtAll(far + 8L * world.rank(), mine);
        world.barrier();
        assertEquals(far + 16, file.size());
        long[] both = new long[2];
        file.readAtAll(far, both);
        assertArrayEquals(new long[] {1, 2}, both);
        Datatype<?> every = Datatype.INT64_T.resized(0, 3L << 30).commit();
        file.setView(far, Datatype.INT64_T, every);
        assertEquals(far + (6L << 30), file.byteOffset(2));
        assertEquals(8, file.readAll(both).bytes());
      }
    });
  }

  @MpiTest(ranks = 4)
  void blocksOfArrays(Mpi mpi) throws IOException {
    inFolder(mpi, (world, folder) -> {
      Path path = folder.resolve("matrix");
      int rank = world.rank();
      long[] shape = {6, 10};
      long[] block = {3, 5};
      long[] start = {rank / 2 * 3, rank % 2 * 5};
      double[] mine = new double[15];
      for (int i = 0; i < 15; i++) {
        mine[i] = (start[0] + i / 5) * 10 + start[1] + i % 5;
      }
      try (MpiFile file = world.open(path, MODE_CREATE | MODE_RDWR)) {
        assertEquals(15, file.writeBlock(16, mine, shape, block, start).getCount(Datatype.DOUBLE));
        file.sync();
        assertEquals(16 + 60 * 8, file.size());
        double[] all = new double[60];
        file.readBlock(16, all, shape, shape, new long[2]);
        for (int i = 0; i < 60; i++) {
          assertEquals(i, all[i]);
        }
        double[] columns = new double[6 * (rank == 3 ? 1 : 3)];
        file.readBlock(16, columns, shape, new long[] {6, rank == 3 ? 1 : 3}, new long[] {0, rank * 3L});
        assertEquals(rank * 3, columns[0]);
        assertEquals(0, file.readBlock(16, new double[0], shape, new long[] {0, 3}, new long[2]).bytes());
        assertEquals(0, file.position());
        assertEquals("native", file.view().datarep());
        fails(ErrorClass.ERR_ARG, "dimension 1", () -> file.readBlock(0, new double[4], shape, new long[] {2, 2},
            new long[] {0, 9}));
        fails(ErrorClass.ERR_BUFFER, "15 elements", () -> file.writeBlock(0, new double[4], shape, block, start));
      }
    });
  }

  @MpiTest(ranks = 2)
  void representations(Mpi mpi) throws IOException {
    DataRepresentation functions = new DataRepresentation() {
      @Override
      public long extent(Datatype<?> type) {
        return type.extent();
      }

      @Override
      public void read(MemorySegment file, MemorySegment elements, long count, Datatype<?> type) {
        write(file, elements, count, type);
      }

      @Override
      public void write(MemorySegment from, MemorySegment to, long count, Datatype<?> type) {
        for (long i = 0; i < count * type.extent(); i++) {
          to.set(java.lang.foreign.ValueLayout.JAVA_BYTE, i, (byte) ~from.get(
              java.lang.foreign.ValueLayout.JAVA_BYTE, i));
        }
      }
    };
    MpiFile.registerDatarep(mpi, "upside-down", functions);
    fails(ErrorClass.ERR_DUP_DATAREP, "external32", () -> MpiFile.registerDatarep(mpi, "external32", functions));
    fails(ErrorClass.ERR_DUP_DATAREP, "upside-down", () -> MpiFile.registerDatarep(mpi, "upside-down", functions));
    fails(ErrorClass.ERR_ARG, "representation = null", () -> MpiFile.registerDatarep(mpi, "x", null));
    inFolder(mpi, (world, folder) -> {
      Path path = folder.resolve("x");
      try (MpiFile file = world.open(path, MODE_CREATE | MODE_RDWR)) {
        file.setView(0, Datatype.INT32_T, Datatype.INT32_T, "external32");
        assertEquals("external32", file.view().datarep());
        assertEquals(4, file.typeExtent(Datatype.LONG));
        assertEquals(8, file.typeExtent(Datatype.INT64_T));
        file.writeAtAll(world.rank() * 2L, new int[] {1, 2 + world.rank()});
        file.sync();
        int[] back = new int[5];
        assertEquals(16, file.readAtAll(0, back).bytes());
        assertArrayEquals(new int[] {1, 2, 1, 3, 0}, back);
        if (world.rank() == 0) {
          assertArrayEquals(new byte[] {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3}, Files.readAllBytes(path));
        }
        Datatype<?> column = Datatype.vector(2, 1, 2, Datatype.LONG).resized(0, 32).commit();
        fails(ErrorClass.ERR_UNSUPPORTED_DATAREP, "external32",
            () -> file.setView(0, Datatype.LONG, column, "external32"));
        Datatype<?> rows = Datatype.vector(2, 1, 2, Datatype.LONG).commit();
        file.setView(world.rank() * 4L, Datatype.LONG, rows, "external32");
        file.writeAll(Buf.of(new long[] {5, 6}, 0, 2, Datatype.LONG));
        world.barrier();
        if (world.rank() == 0) {
          assertArrayEquals(new byte[] {0, 0, 0, 5, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0, 6}, Files.readAllBytes(path));
        }
        world.barrier();
        file.setView(0, Datatype.BYTE, Datatype.BYTE, "upside-down");
        file.writeAtAll(world.rank() * 8L, new byte[] {1, 2, 3, 4, 5, 6, 7, (byte) world.rank()});
        file.sync();
        byte[] read = new byte[16];
        file.readAtAll(0, read);
        assertArrayEquals(new byte[] {1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 1}, read);
        if (world.rank() == 0) {
          assertEquals((byte) ~1, Files.readAllBytes(path)[0]);
        }
        world.barrier();
      }
    });
  }

  @MpiTest(ranks = 2)
  void elementsThatCannotBeConvertedLetTheOthersPass(Mpi mpi) throws IOException {
    inFolder(mpi, (world, folder) -> {
      try (MpiFile file = world.open(folder.resolve("x"), MODE_CREATE | MODE_RDWR)) {
        file.setView(world.rank() * 4L, Datatype.LONG, Datatype.vector(2, 1, 2, Datatype.LONG).commit(), "external32");
        Buf<?> mine = Buf.of(new long[] {1, world.rank() == 1 ? 1L << 40 : 2}, 0, 2, Datatype.LONG);
        if (world.rank() == 1) {
          fails(ErrorClass.ERR_CONVERSION, "external32", () -> file.writeAtAll(0, mine));
        } else {
          assertEquals(16, file.writeAtAll(0, mine).bytes());
        }
        world.barrier();
      }
    });
  }

  @MpiTest(ranks = 1)
  void viewsKeepTheirTypes(Mpi mpi) throws IOException {
    inFolder(mpi, (world, folder) -> {
      try (MpiFile file = world.open(folder.resolve("x"), MODE_CREATE | MODE_RDWR)) {
        assertSame(Datatype.BYTE, file.view().etype());
        Datatype<?> pairs = Datatype.vector(2, 1, 2, Datatype.INT32_T).commit();
        file.setView(8, Datatype.INT32_T, pairs);
        pairs.close();
        file.write(new int[] {1, 2, 3});
        MpiFile.View view = file.view();
        assertEquals(8, view.disp());
        assertNotSame(pairs, view.filetype());
        assertEquals(12, view.filetype().extent());
        assertEquals(24, file.size());
        file.setView(view.disp(), view.etype(), view.filetype(), view.datarep());
      }
    });
  }

  @MpiTest(ranks = 1)
  void errorHandlers(Mpi mpi) throws IOException {
    List<String> heard = new ArrayList<>();
    assertEquals(Errhandler.RETURN, MpiFile.defaultErrhandler(mpi));
    Errhandler<MpiFile> listening = Errhandler.of((file, error) -> heard.add(file + " " + error.errorClass()));
    inFolder(mpi, (world, folder) -> {
      MpiFile.setDefaultErrhandler(mpi, listening);
      fails(ErrorClass.ERR_NO_SUCH_FILE, "none", () -> world.open(folder.resolve("none"), MODE_RDONLY));
      assertEquals(List.of("null ERR_NO_SUCH_FILE"), heard);
      try (MpiFile file = world.open(folder.resolve("x"), MODE_CREATE | MODE_RDWR)) {
        assertEquals(listening, file.errhandler());
        fails(ErrorClass.ERR_ARG, "offset", () -> file.readAt(-1, new byte[1]));
        assertEquals(2, heard.size());
        file.setErrhandler(Errhandler.RETURN);
        fails(ErrorClass.ERR_ARG, "offset", () -> file.readAt(-1, new byte[1]));
        assertEquals(2, heard.size());
        assertEquals(ErrorClass.ERR_IO, file.callErrhandler(ErrorClass.ERR_IO.code()).errorClass());
      }
      MpiFile.setDefaultErrhandler(mpi, Errhandler.RETURN);
    });
  }

  @MpiTest(ranks = 1)
  void startedErrorsComeWithTheRequest(Mpi mpi) throws IOException {
    inFolder(mpi, (world, folder) -> {
      Path path = folder.resolve("x");
      Files.write(path, new byte[10]);
      try (MpiFile file = world.open(path, MODE_RDONLY)) {
        byte[] data = new byte[20];
        Request request = file.ireadAt(4, data);
        assertEquals(6, request.await(new Status()).bytes());
        fails(ErrorClass.ERR_REQUEST, "cannot", () -> {
          Request again = file.ireadAt(0, data);
          try {
            again.cancel();
          } finally {
            again.await();
          }
        });
      }
    });
  }

  @Test
  void theEndOfAWorldWaitsForWhatHasBeenStarted(@TempDir Path folder) throws IOException {
    Path path = folder.resolve("x");
    byte[] data = new byte[1 << 24];
    Mpi.runThreads(2, mpi -> {
      MpiFile file = mpi.world().open(path, MODE_CREATE | MODE_WRONLY);
      for (int i = 0; i < 4; i++) {
        file.iwriteAt((4L * mpi.world().rank() + i) * data.length, data);
      }
    });
    assertEquals(8L * data.length, Files.size(path));
  }

  @MpiTest(ranks = 2)
  void interruptedThreadsGoOn(Mpi mpi) throws IOException {
    inFolder(mpi, (world, folder) -> {
      try (MpiFile file = world.open(folder.resolve("x"), MODE_CREATE | MODE_RDWR)) {
        Thread.currentThread().interrupt();
        file.writeAt(world.rank(), new byte[] {1});
        assertTrue(Thread.interrupted());
        file.writeAtAll(world.rank(), new byte[] {2});
        world.barrier();
        assertEquals(2, file.size());
      }
    });
  }

  @MpiTest(ranks = 4)
  void atomicWritesFollowOneAnother(Mpi mpi) throws IOException {
    inFolder(mpi, (world, folder) -> {
      try (MpiFile file = world.open(folder.resolve("x"), MODE_CREATE | MODE_RDWR)) {
        assertFalse(file.atomicity());
        file.setAtomicity(true);
        assertTrue(file.atomicity());
        byte[] mine = new byte[1 << 18];
        java.util.Arrays.fill(mine, (byte) (world.rank() + 1));
        for (int i = 0; i < 10; i++) {
          file.writeAt(0, mine);
          byte[] read = new byte[mine.length];
          file.readAt(0, read);
          for (byte b : read) {
            assertEquals(read[0], b);
          }
        }
        file.writeAtAll(0, mine);
        file.readAtAll(0, mine);
        for (byte b : mine) {
          assertEquals(mine[0], b);
        }
      }
    });
  }
}
