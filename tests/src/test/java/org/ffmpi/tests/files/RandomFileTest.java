// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.ffmpi.Buf;
import org.ffmpi.Info;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.MpiFile;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.files.FileModel.ModelView;

/**
 * Random views and accesses against {@link FileModel}. All ranks know the whole program. In a round each rank has a
 * view and writes a part of it, in one of the forms; where ranks would write the same bytes, the later one writes
 * nothing. Then all read a part of other views.
 */
@EveryFilePath
class RandomFileTest {
  private static final int ROUNDS = 12;
  private static final int SPAN = 1 << 16;

  private enum Form { AT, POINTER, STARTED, AT_ALL, ALL, STARTED_ALL, SPLIT }

  private enum Kind { ARRAY, NATIVE, STRIDED }

  /** What one rank does in a round. */
  private record Part(ModelView view, long offset, int etypes, Kind kind, byte[] data) {
    long from() {
      return offset * view.etypeBytes();
    }
  }

  private static final Datatype<?> STRIDED =
      Datatype.hvector(1, 1, 1, Datatype.BYTE).resized(0, 3).commit();

  @MpiTest(ranks = 1)
  void oneRank(Mpi mpi) throws IOException {
    program(mpi.world());
  }

  @MpiTest(ranks = 2)
  void twoRanks(Mpi mpi) throws IOException {
    program(mpi.world());
  }

  @MpiTest(ranks = 5)
  void fiveRanks(Mpi mpi) throws IOException {
    program(mpi.world());
  }

  private static void program(IntraComm world) throws IOException {
    long[] seed = {System.nanoTime()};
    Path[] path = new Path[1];
    if (world.rank() == 0) {
      path[0] = Files.createTempFile("ffmpi-random", ".bin");
    }
    world.bcast(Buf.of(seed), 0);
    Path file = Path.of(world.bcastObject(world.rank() == 0 ? path[0].toString() : null, 0));
    try {
      run(world, file, new Random(seed[0]));
    } catch (Throwable e) {
      System.err.println("seed " + seed[0] + " with " + world.size() + " ranks");
      throw e;
    } finally {
      if (world.rank() == 0) {
        Files.deleteIfExists(file);
      }
    }
  }

  private static void run(IntraComm world, Path path, Random random) throws IOException {
    FileModel model = new FileModel();
    Info info = new Info().set("collective_buffering", List.of("automatic", "true", "false").get(random.nextInt(3)))
        .set("cb_buffer_size", random.nextBoolean() ? "4096" : "70000")
        .set("ind_rd_buffer_size", "4096").set("ind_wr_buffer_size", "4096");
    if (random.nextBoolean()) {
      info.set("cb_nodes", Integer.toString(1 + random.nextInt(3)));
    }
    try (MpiFile file = world.open(path, Constants.MODE_CREATE | Constants.MODE_RDWR, info)) {
      file.setAtomicity(random.nextInt(4) == 0);
      for (int round = 0; round < ROUNDS; round++) {
        Form form = Form.values()[random.nextInt(Form.values().length)];
        List<Part> writes = writes(random, world.size(), model);
        perform(file, form, false, writes.get(world.rank()));
        file.sync();
        assertArrayEquals(model.bytes(), Files.readAllBytes(path), "round " + round + ", " + form);
        assertEquals(model.bytes().length, file.size());
        form = Form.values()[random.nextInt(Form.values().length)];
        List<Part> reads = reads(random, world.size(), model);
        Part mine = reads.get(world.rank());
        byte[] got = perform(file, form, true, mine);
        assertArrayEquals(mine.data, got, "round " + round + ", reading " + form);
        world.barrier();
      }
    }
  }

  private static List<Part> writes(Random random, int ranks, FileModel model) {
    boolean[] taken = new boolean[SPAN * 8];
    List<Part> parts = new ArrayList<>();
    List<ModelView> shared = random.nextBoolean() ? FileModel.interleaved(random, ranks) : null;
    ModelView etypes = FileModel.random(random);
    for (int r = 0; r < ranks; r++) {
      ModelView view = shared == null ? like(etypes, random) : shared.get(r);
      long offset = random.nextInt(20);
      int n = random.nextInt(5) == 0 ? 0 : random.nextInt(shared == null ? 300 : 3000);
      boolean free = true;
      for (int i = 0; i < n * view.etypeBytes(); i++) {
        free &= !taken[(int) view.place(offset * view.etypeBytes() + i)];
      }
      n = free ? n : 0;
      byte[] data = new byte[n * view.etypeBytes()];
      random.nextBytes(data);
      for (int i = 0; i < data.length; i++) {
        taken[(int) view.place(offset * view.etypeBytes() + i)] = true;
      }
      model.write(view, offset * view.etypeBytes(), data);
      parts.add(new Part(view, offset, n, Kind.values()[random.nextInt(Kind.values().length)], data));
    }
    return parts;
  }

  /** Draws a view whose etype has the same extent, as the standard wants it at all ranks. */
  private static ModelView like(ModelView etypes, Random random) {
    while (true) {
      ModelView view = FileModel.random(random);
      if (view.etypeBytes() == etypes.etypeBytes()) {
        return view;
      }
    }
  }

  private static List<Part> reads(Random random, int ranks, FileModel model) {
    List<Part> parts = new ArrayList<>();
    List<ModelView> shared = random.nextBoolean() ? FileModel.interleaved(random, ranks) : null;
    ModelView etypes = FileModel.random(random);
    for (int r = 0; r < ranks; r++) {
      ModelView view = shared == null ? like(etypes, random) : shared.get(r);
      long offset = random.nextInt(20);
      int n = random.nextInt(5) == 0 ? 0 : random.nextInt(shared == null ? 300 : 3000);
      byte[] data = model.read(view, offset * view.etypeBytes(), n * view.etypeBytes());
      parts.add(new Part(view, offset, n, Kind.values()[random.nextInt(Kind.values().length)], data));
    }
    return parts;
  }

  /** Performs a part; returns what has been read. */
  private static byte[] perform(MpiFile file, Form form, boolean reads, Part part) {
    file.setView(part.view.disp(), part.view.etype(), part.view.filetype());
    int n = part.etypes * part.view.etypeBytes();
    byte[] array = new byte[n];
    byte[] wide = new byte[3 * n + 3];
    try (Arena arena = Arena.ofShared()) {
      MemorySegment segment = arena.allocate(Math.max(1, n));
      Buf<?> buf = switch (part.kind) {
        case ARRAY -> Buf.of(array);
        case NATIVE -> Buf.of(segment, n, Datatype.BYTE);
        case STRIDED -> Buf.of(wide, 0, n, STRIDED);
      };
      if (!reads) {
        for (int i = 0; i < n; i++) {
          array[i] = part.data[i];
          wide[3 * i] = part.data[i];
          segment.set(ValueLayout.JAVA_BYTE, i, part.data[i]);
        }
      }
      long bytes = access(file, form, reads, part, buf).bytes();
      if (!reads) {
        assertEquals(n, bytes);
      }
      byte[] got = new byte[(int) bytes];
      for (int i = 0; i < got.length; i++) {
        got[i] = switch (part.kind) {
          case ARRAY -> array[i];
          case NATIVE -> segment.get(ValueLayout.JAVA_BYTE, i);
          case STRIDED -> wide[3 * i];
        };
      }
      return reads ? got : Arrays.copyOf(got, 0);
    }
  }

  private static Status access(MpiFile file, Form form, boolean reads, Part part, Buf<?> buf) {
    switch (form) {
      case POINTER, ALL -> file.seek(part.offset, Constants.SEEK_SET);
      default -> { }
    }
    Status status = switch (form) {
      case AT -> reads ? file.readAt(part.offset, buf) : file.writeAt(part.offset, buf);
      case POINTER -> reads ? file.read(buf) : file.write(buf);
      case STARTED -> await(reads ? file.ireadAt(part.offset, buf) : file.iwriteAt(part.offset, buf));
      case AT_ALL -> reads ? file.readAtAll(part.offset, buf) : file.writeAtAll(part.offset, buf);
      case ALL -> reads ? file.readAll(buf) : file.writeAll(buf);
      case STARTED_ALL -> await(reads ? file.ireadAtAll(part.offset, buf) : file.iwriteAtAll(part.offset, buf));
      case SPLIT -> {
        if (reads) {
          file.readAtAllBegin(part.offset, buf);
          yield file.readAtAllEnd();
        }
        file.writeAtAllBegin(part.offset, buf);
        yield file.writeAtAllEnd();
      }
    };
    if (form == Form.POINTER || form == Form.ALL) {
      assertEquals(part.offset + part.etypes, file.position());
    }
    return status;
  }

  private static Status await(Request request) {
    return request.await(new Status());
  }
}
