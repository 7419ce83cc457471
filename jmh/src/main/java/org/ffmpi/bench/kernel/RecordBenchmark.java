// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Eight bytes that a rank sends to itself, plain and recorded. The difference is what a recording adds to a receive. A
 * trial records some hundred megabytes, which are deleted at its end.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 8, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class RecordBenchmark {
  /** Whether the rank is recorded. */
  @Param({"false", "true"})
  public boolean recorded;

  /** Whether the receive names the sender, so that it is no choice. */
  @Param({"any", "named"})
  public String source;

  private final byte[] sent = new byte[Long.BYTES];
  private final byte[] received = new byte[Long.BYTES];
  private Path folder;
  private Mpi mpi;
  private IntraComm world;
  private int from;

  /** Makes an instance; JMH does. */
  public RecordBenchmark() {}

  /** Joins a world of one rank. */
  @Setup
  public void setUp() throws IOException {
    if (recorded) {
      folder = Files.createTempDirectory("ffmpi-record");
      System.setProperty("ffmpi.record", folder.toString());
    }
    mpi = Mpi.init(new String[0]);
    world = mpi.world();
    from = source.equals("any") ? Mpi.ANY_SOURCE : 0;
  }

  /** Leaves it. */
  @TearDown
  public void tearDown() throws IOException {
    mpi.close();
    if (folder != null) {
      List<Path> files;
      try (Stream<Path> all = Files.list(folder)) {
        files = all.toList();
      }
      for (Path file : files) {
        Files.delete(file);
      }
      Files.delete(folder);
    }
  }

  /** Receives in one call. */
  @Benchmark
  public void blocking() {
    world.send(sent, 0, 1);
    world.recv(received, from, 1);
  }

  /** Posts the receive before the message is sent. */
  @Benchmark
  public void posted() {
    Request receive = world.irecv(received, from, 1);
    world.send(sent, 0, 1);
    receive.await();
  }
}
