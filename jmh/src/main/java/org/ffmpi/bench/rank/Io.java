// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.Mpi;
import org.ffmpi.MpiFile;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.Datatype;

/**
 * Files; {@code io.c} in Java, which describes the benches. A case may end in a bar and {@code heap}: its bytes lie in
 * an array, otherwise in native memory.
 */
public final class Io extends RankProgram {
  private static final int SHARE = 16 << 20;
  private static final int BLOCK = 64;
  private static final int ROWS = 2048;

  private final MemorySegment memory = Arena.global().allocate(SHARE, PAGE);
  private final byte[] array = new byte[SHARE];
  private int files;

  private Io(Mpi mpi) {
    super(mpi);
  }

  public static void main(String[] args) {
    start(args, Io::new);
  }

  @Override
  List<Work> warmUpWork() {
    List<Work> works = new ArrayList<>();
    for (String bench : List.of("write", "read", "write-all", "read-all")) {
      works.add(new Work(bench, "own|tmpfs", 64 << 10));
      works.add(new Work(bench, "records|tmpfs", 4096));
      works.add(new Work(bench, "subarray|tmpfs", SHARE));
    }
    works.add(new Work("append", "own|tmpfs", 4096));
    return works;
  }

  /** The file, the buffer and the loop of one point. */
  private final class Run implements Loop {
    private final Work work;
    private final String what;
    private final boolean explicit;
    private final boolean heap;
    private final Path path;
    private final int bytes;
    private MpiFile file;

    Run(Work work) {
      String[] parts = work.name().split("\\|");
      this.work = work;
      what = parts[0];
      explicit = what.equals("own");
      heap = parts.length > 2 && parts[2].equals("heap");
      bytes = Math.toIntExact(work.bytes());
      if (parts.length < 2 || bytes <= 0 || SHARE % bytes != 0) {
        throw new IllegalArgumentException("unknown case, or no divisor of 16M: " + work);
      }
      long[] number = {ProcessHandle.current().pid()};
      world.bcast(Buf.of(number), 0);
      String name = "ffmpi-io-" + number[0] + "-" + files++ + ".bin";
      path = parts[1].equals("tmpfs") ? Path.of("/dev/shm", name) : Path.of(name);
    }

    private Buf<?> data(int from, int n) {
      return heap ? Buf.of(array, from, n) : Buf.of(memory.asSlice(from, n), n, Datatype.BYTE);
    }

    private void begin() {
      file = world.open(path, Constants.MODE_CREATE | Constants.MODE_RDWR | Constants.MODE_DELETE_ON_CLOSE);
      if (!explicit && !work.bench().equals("append")) {
        setView();
      }
      pass(work.bench().equals("append") ? "append" : "write");
      world.barrier();
    }

    private void setView() {
      int size = world.size();
      switch (what) {
        case "records" -> {
          try (Datatype<?> type =
              Datatype.contiguous(bytes, Datatype.BYTE).resized(0, (long) bytes * size).commit()) {
            file.setView((long) bytes * rank, Datatype.BYTE, type);
          }
        }
        case "subarray", "darray" -> {
          int[] dims = Mpi.dimsCreate(size, 0, 0);
          long[] shape = {ROWS, (long) SHARE * size / 8 / ROWS};
          Datatype<?> type;
          if (what.equals("subarray")) {
            long[] part = {shape[0] / dims[0], shape[1] / dims[1]};
            long[] start = {rank / dims[1] * part[0], rank % dims[1] * part[1]};
            type = Datatype.subarray(shape, part, start, Datatype.Order.C, Datatype.DOUBLE).commit();
          } else {
            Datatype.Distribution[] how = {Datatype.Distribution.CYCLIC, Datatype.Distribution.CYCLIC};
            type = Datatype.darray(
                size, rank, shape, how, new int[] {BLOCK, BLOCK}, dims, Datatype.Order.C, Datatype.DOUBLE).commit();
          }
          file.setView(0, Datatype.DOUBLE, type);
        }
        default -> throw new IllegalArgumentException("unknown case: " + work);
      }
    }

    private void move(String kind, long offset, int from, int n) {
      Buf<?> data = data(from, n);
      Status status = switch (kind) {
        case "write" -> file.writeAt(offset, data);
        case "read" -> file.readAt(offset, data);
        case "write-all" -> file.writeAtAll(offset, data);
        case "read-all" -> file.readAtAll(offset, data);
        case "append" -> file.writeShared(data);
        default -> throw new IllegalArgumentException("unknown bench: " + work);
      };
      if (status.bytes() != n) {
        throw new IllegalStateException(work + ": moved " + status.bytes());
      }
    }

    private void pass(String kind) {
      if (kind.equals("append")) {
        file.seekShared(0, Constants.SEEK_SET);
      } else if (!explicit) {
        move(kind, 0, 0, SHARE);
        return;
      }
      for (long at = 0; at < SHARE; at += bytes) {
        move(kind, (long) rank * SHARE + at, 0, bytes);
      }
    }

    @Override
    public void run(long iterations) {
      if (file == null) {
        begin();
      }
      for (long i = 0; i < iterations; i++) {
        pass(work.bench());
      }
      world.barrier();
    }

    void end() {
      world.barrier();
      file.close();
      file = null;
    }

    void check() {
      if (!work.bench().equals("append")) {
        int n = explicit ? bytes : SHARE;
        for (int i = 0; i < n; i++) {
          array[i] = (byte) ((i + rank) % 251);
        }
        MemorySegment.copy(array, 0, memory, ValueLayout.JAVA_BYTE, 0, n);
        boolean reads = work.bench().startsWith("read");
        pass(reads ? "write" : work.bench());
        file.sync();
        Arrays.fill(array, (byte) 0);
        memory.fill((byte) 0);
        pass(reads ? work.bench() : "read");
        for (int i = 0; i < n; i++) {
          byte found = heap ? array[i] : memory.get(ValueLayout.JAVA_BYTE, i);
          if (found != (byte) ((i + rank) % 251)) {
            throw new IllegalStateException(work + ": wrong byte at " + i);
          }
        }
      }
      end();
    }
  }

  @Override
  void turn(Work work, Loop loop) {
    loop.run(1); // a pass is 16 MiB, however short its accesses are
    ((Run) loop).end();
  }

  @Override
  Prepared prepare(Work work) {
    Run run = new Run(work);
    double all = (double) SHARE * world.size();
    return new Prepared(run, "MB/s", seconds -> all / seconds * 1e-6, run::check);
  }
}
