// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;

/** The memory that ranks and the ways between them use; {@code memory.c} in Java. */
public final class MemoryUse {
  private static final Path OWN = Path.of("/proc/self/smaps_rollup");
  private static final Path MACHINE = Path.of("/proc/meminfo");
  private static final int TAG = 1;

  private final IntraComm world;
  private final int rank;
  private final int size;

  /** The cases of each size. */
  private final TreeMap<Integer, List<String>> work = new TreeMap<>();

  private double sharedBefore = Double.NaN;

  private MemoryUse(Mpi mpi) {
    world = mpi.world();
    rank = world.rank();
    size = world.size();
  }

  public static void main(String[] args) {
    Mpi.run(args, mpi -> new MemoryUse(mpi).run(args));
  }

  private void run(String[] args) throws IOException {
    for (int a = 0; a < args.length; a++) {
      if (args[a].equals("--shmem")) {
        sharedBefore = Double.parseDouble(args[++a]);
      } else if (args[a].startsWith("--")) {
        a++; // there is nothing to repeat
      } else {
        for (Work w : Work.parse(args[a])) {
          work.computeIfAbsent((int) w.bytes(), k -> new ArrayList<>()).add(w.name());
        }
      }
    }
    if (work.isEmpty() || Double.isNaN(sharedBefore)) {
      throw new IllegalArgumentException("memory needs work, and --shmem");
    }
    print("ready");
    for (int bytes : work.keySet()) {
      measure(bytes);
    }
  }

  private void measure(int bytes) throws IOException {
    if (bytes > 0) {
      exchange(bytes);
    }
    world.barrier();
    double[] own = {kib(OWN, "Pss_Anon", "Pss_File")};
    double shared = kib(MACHINE, "Shmem") - sharedBefore;
    double[] sum = new double[1];
    world.reduce(Buf.of(own), Buf.of(sum), Op.SUM, 0);
    world.barrier();
    for (String name : work.get(bytes)) {
      double value = name.equals("private") ? sum[0] : shared;
      print("point,memory," + name + "," + bytes + ",KiB,0," + value / size);
    }
  }

  private void exchange(int bytes) {
    byte[] send = new byte[bytes];
    byte[] receive = new byte[bytes];
    for (int d = 1; d < size; d++) {
      Request request = world.irecv(receive, (rank + size - d) % size, TAG);
      world.send(send, (rank + d) % size, TAG);
      request.await();
    }
  }

  /** Sums the KiB of the lines that begin with one of these words. */
  private static double kib(Path file, String... words) throws IOException {
    List<String> wanted = Arrays.asList(words);
    double sum = 0;
    for (String line : Files.readAllLines(file)) {
      int colon = line.indexOf(':');
      if (colon > 0 && wanted.contains(line.substring(0, colon))) {
        sum += Double.parseDouble(line.substring(colon + 1).replace("kB", "").trim());
      }
    }
    return sum;
  }

  private void print(String line) {
    if (rank == 0) {
      System.out.println(line);
      System.out.flush();
    }
  }
}
