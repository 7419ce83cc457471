// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.ffmpi.bench.Implementation.Program;

/** The table of suites. Those with jobs of their own describe themselves in the class that makes the jobs. */
final class Suites {
  /** The collectives, in the order of the tables. */
  static final List<String> COLLECTIVES = List.of("barrier", "bcast", "gather", "gatherv", "scatter", "scatterv",
      "allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw", "reduce", "allreduce", "reduce_scatter_block",
      "reduce_scatter", "scan", "exscan");

  /** Programs that send derived types use the Vector API, as experts choose the transports of the peers. */
  private static final String[] WITH_VECTORS = {"--vector", "on"};

  private static final String DIRTY = "-dirty";
  private static final String BARRIER = "barrier";

  private Suites() {}

  /** Returns all suites of the command line, in the order of the help. */
  static List<Suite> all(Path root) {
    return List.of(p2p(), matching(), ring(), coll(), OverlapMeasurement.suite(), TuneMeasurement.suite(),
        transpose(), comm(), ddt(), PackMeasurement.suite(), StartupMeasurement.suite(root), ColdMeasurement.suite(),
        AppsMeasurement.suite(), MemoryMeasurement.suite(), rma(), io(), spawn(), objects(),
        CompatMeasurement.suite());
  }

  /** Returns the suite of a name, which may also be {@code limits}, a part of the report only. */
  static Suite named(String name, Path root) {
    return Stream.concat(all(root).stream(), Stream.of(LimitsMeasurement.suite(p2p())))
        .filter(s -> s.name.equals(name)).findFirst().orElseThrow(() -> new IllegalArgumentException(name));
  }

  /** Returns a rule that allows no number of ranks below a least one. */
  static IntFunction<String> from(int least, String sentence) {
    return n -> n < least ? sentence : null;
  }

  /** Returns a case's name up to the first bar. */
  static String firstPart(String ofCase) {
    return ofCase.split("\\|")[0];
  }

  /** Chooses whole numbers of doubles, for reductions, which add them. */
  static List<Long> doubles(List<Long> sizes) {
    return sizes.stream().filter(n -> n > 0 && n % Double.BYTES == 0).toList();
  }

  /** Chooses the sizes above 0. */
  static List<Long> positive(List<Long> sizes) {
    return sizes.stream().filter(n -> n > 0).toList();
  }

  /** Point-to-point between two ranks. Controls are the ping-pong with other forms of send, and the store loop. */
  private static Suite p2p() {
    return new Suite("p2p", "latency, bandwidth, both directions and message rate between two ranks",
        new RankMeasurement(Program.ofRanks("p2p", "P2p")))
        .benches("latency", "bandwidth", "bidirectional", "rate")
        .controls("nonblocking", "persistent", "fill")
        .cases("native-clean", "heap-clean", "shared-clean", "native-dirty", "heap-dirty", "shared-dirty")
        .peerCase(name -> name.endsWith(DIRTY) ? "native-dirty" : "native-clean")
        .only(2, "p2p is between 2 ranks")
        .sizes(0L, 1L, 8L, 64L, 256L, 1L << 10, 4L << 10, 16L << 10, 64L << 10, 256L << 10, 1L << 20, 4L << 20)
        .quickSizes(8L, 1L << 10, 64L << 10, 1L << 20)
        .sizeRule((bench, name, sizes) -> switch (bench) {
          // Above 4 KiB a message rate is a bandwidth in disguise.
          case "rate" -> sizes.stream().filter(n -> n <= 4096).toList();
          case "nonblocking", "persistent" -> name.endsWith("-clean") ? sizes : List.of();
          case "fill" -> name.endsWith(DIRTY) ? positive(sizes) : List.of();
          case "bandwidth", "bidirectional" -> positive(sizes);
          default -> sizes;
        });
  }

  /** Long queues of posted receives and of unexpected messages: distinct tags, received out of order. */
  private static Suite matching() {
    return new Suite("matching", "10,000 posted receives or unexpected messages with distinct tags between two ranks",
        new RankMeasurement(Program.ofRanks("matching", "Matching")))
        .benches("matching")
        .cases("posted", "posted-100", "posted-1000", "posted-anysource",
            "unexpected", "unexpected-100", "unexpected-1000", "unexpected-anysource")
        .only(2, "matching is between 2 ranks")
        .sizes(8L);
  }

  /** Any number of ranks, also more than there are cores. */
  private static Suite ring() {
    return new Suite("ring", "a message round all ranks and a barrier, also with more ranks than cores",
        new RankMeasurement(Program.ofRanks("ring", "Ring")))
        .benches("ring", BARRIER)
        .cases("native-clean", "heap-clean")
        .peerCase(name -> "native-clean")
        .ranks(2, 4, 8).refusal(from(2, "ring needs at least 2 ranks"))
        .sizes(8L, 1L << 10, 64L << 10)
        .sizeRule((bench, name, sizes) ->
            !bench.equals(BARRIER) ? sizes : name.equals("native-clean") ? List.of(0L) : List.of());
  }

  /** A barrier before each call, mean over the ranks. */
  private static Suite coll() {
    return new Suite("coll", "all collectives, blocking and persistent, also with more ranks than cores",
        new RankMeasurement(Program.ofRanks("coll", "Coll")))
        .benches("coll")
        .cases(COLLECTIVES.stream().flatMap(Suites::casesOfCollective).toList())
        .peerCase(name -> {
          String collective = firstPart(name);
          return name.endsWith(DIRTY) && !collective.endsWith(DIRTY) ? collective + DIRTY : collective;
        })
        .ranks(2, 4, 8)
        .sizes(8L, 1L << 10, 64L << 10, 1L << 20)
        .sizeRule((bench, name, sizes) -> firstPart(name).equals(BARRIER) ? List.of(0L) : doubles(sizes));
  }

  /** A barrier has no buffers; persistent calls have theirs in native memory. */
  private static Stream<String> casesOfCollective(String name) {
    if (name.equals(BARRIER)) {
      return Stream.of(BARRIER + "|native", BARRIER + "|persistent");
    }
    return Stream.of("", DIRTY).flatMap(
        use -> Stream.of("native", "heap", "shared", "persistent").map(form -> name + "|" + form + use));
  }

  private static Suite transpose() {
    return new Suite("transpose", "a distributed matrix transposed by one alltoallw, and by packing and alltoall",
        new RankMeasurement(Program.ofRanks("transpose", "Transpose"), WITH_VECTORS))
        .benches("transpose")
        .cases("alltoallw|native", "alltoallw|shared", "packed|native", "packed|shared")
        .peerCase(Suites::firstPart)
        .ranks(2, 4)
        .sizes(512L << 10, 8L << 20, 32L << 20)
        .sizeRule((bench, name, sizes) -> sizes.stream().filter(Suites::isSquareMatrix).toList());
  }

  private static boolean isSquareMatrix(long bytes) {
    long n = Math.round(Math.sqrt(bytes / (double) Double.BYTES));
    return n > 0 && n <= 1 << 14 && n * n * Double.BYTES == bytes;
  }

  /** Nothing is sent that would have a size. */
  private static Suite comm() {
    return new Suite("comm", "duplicating and splitting the world, and freeing what came out",
        new RankMeasurement(Program.ofRanks("comm", "CommLife")))
        .benches("comm")
        .cases("dup-free", "split", "dup-use", "split-use")
        .ranks(2, 4, 8)
        .sizeRule((bench, name, sizes) -> List.of(0L));
  }

  /** Sizes are payloads, and each type has its own. The reference is the direct message, one copy. */
  private static Suite ddt() {
    List<Long> all = List.of(944L, 1L << 10, 8L << 10, 59_000L, 64L << 10, 128L << 10, 1L << 20, 2L << 20, 3_600_000L);
    List<Long> vectors = List.of(1L << 10, 64L << 10, 1L << 20);
    List<Long> faces = List.of(8L << 10, 128L << 10); // edges 32 and 128; for the transpose also 512
    Map<String, List<Long>> sizesOf = Map.of(
        "contig", all, "vec1s2", vectors, "vec8s16", vectors,
        "indexed", List.of(1L << 10, 64L << 10, 1L << 20, 3_600_000L), // the largest has about 100,000 blocks
        "partstruct", List.of(944L, 59_000L), // 16 and 1,000 structs
        "face_xy", faces, "face_xz", faces, "face_yz", faces, "transpose", List.of(8L << 10, 128L << 10, 2L << 20));
    Stream<String> types = Stream.of(
        "contig", "vec1s2", "vec8s16", "indexed", "partstruct", "face_xy", "face_xz", "face_yz", "transpose");
    return new Suite("ddt", "ping-pong with a derived type at both ends; sizes are payloads",
        new RankMeasurement(Program.ofRanks("ddt", "Ddt"), WITH_VECTORS))
        .benches("ddt")
        .cases(types.flatMap(type -> Stream.of("native", "heap", "shared").map(m -> type + "|" + m)).toList())
        .reference("contig|shared")
        .peerCase(Suites::firstPart)
        .only(2, "ddt is between 2 ranks")
        .sizes(all)
        .quickSizes(8L << 10, 59_000L, 64L << 10)
        .sizeRule((bench, name, sizes) -> sizesOf.get(firstPart(name)).stream().filter(sizes::contains).toList());
  }

  /**
   * One-sided operations within a node. {@code direct} are loads and stores of the program itself, without MPI. C has
   * no arrays that only their owner reaches; the direct case is compared with shared windows.
   */
  private static Suite rma() {
    String direct = "direct|native";
    Set<String> ofAnySize = Set.of("put", "get", "accumulate");
    Set<String> withDirect = Set.of("put", "get", "accumulate", "strided", "fetch-and-op", "swap");
    return new Suite("rma", "one-sided operations: put, get, accumulate, atomics, fences, locks",
        new RankMeasurement(Program.ofRanks("rma", "Rma")))
        .benches("put", "get", "put-rate", "accumulate", "strided", "fetch-and-op", "swap", "counter", "fence", "pscw",
            "lock", "locks")
        .cases("allocate|native", "allocate|heap", "shared|native", "array|heap", direct)
        .peerCase(name -> name.startsWith("shared") || name.equals(direct) ? "shared" : "allocate")
        .refusal(from(2, "one rank has no target"))
        .sizes(8L, 512L, 4L << 10, 64L << 10, 1L << 20, 4L << 20)
        .quickSizes(8L, 4L << 10, 64L << 10, 1L << 20)
        .sizeRule((bench, name, sizes) -> name.equals(direct) && !withDirect.contains(bench) ? List.of()
            : bench.equals("strided") ? List.of(128L << 10)
            : ofAnySize.contains(bench) ? doubles(sizes) : List.of(8L));
  }

  /** A file of 16 MiB for each rank, on tmpfs and on the disk of the working directory. */
  private static Suite io() {
    List<String> ofCalls = List.of("own|tmpfs", "own|tmpfs|heap", "own|disk");
    List<String> ofViews = List.of("records|tmpfs", "records|tmpfs|heap", "records|disk");
    List<String> ofArrays = List.of("subarray|tmpfs", "darray|tmpfs", "subarray|disk");
    return new Suite("io", "files: own blocks, interleaved records, blocks of a matrix, appends; in the page cache",
        new RankMeasurement(Program.ofRanks("io", "Io")))
        .benches("write", "read", "write-all", "read-all", "append")
        .cases(Stream.of(ofCalls, ofViews, ofArrays).flatMap(List::stream).toList())
        .peerCase(name -> name.endsWith("|heap") ? name.substring(0, name.lastIndexOf('|')) : name)
        .ranks(2, 4)
        .sizes(64L, 4L << 10, 64L << 10, 16L << 20)
        .quickSizes(64L, 4L << 10, 64L << 10, 16L << 20)
        .sizeRule((bench, name, sizes) -> {
          if (ofArrays.contains(name)) {
            return bench.equals("append") ? List.of() : List.of(16L << 20);
          }
          List<Long> shorter = sizes.stream().filter(n -> n < 16L << 20).toList();
          if (bench.equals("append")) {
            return name.equals("own|tmpfs") || name.equals("own|disk")
                ? shorter.stream().filter(n -> n == 4L << 10).toList() : List.of();
          }
          return ofCalls.contains(name) ? shorter.stream().filter(n -> n > 64).toList() : shorter;
        });
  }

  /** Two ranks that spawn, that connect with each other, and that send messages to each other once they have. */
  private static Suite spawn() {
    return new Suite("spawn", "starting 1, 2 and 4 processes, connecting, and messages between ranks that have met",
        new RankMeasurement(Program.ofRanks("spawn", "Spawned")))
        .benches("start", "connect", "latency")
        .cases("children-1", "children-2", "children-4", "pair", "world", "inter", "merged")
        .peers("openmpi") // MPICH as it is often built, over UCX, has no ports
        .only(2, "spawn is run by 2 ranks")
        .sizes(0L)
        .sizeRule((bench, name, sizes) -> {
          boolean fits = bench.equals("start") ? name.startsWith("children")
              : bench.equals("connect") ? name.equals("pair") : List.of("world", "inter", "merged").contains(name);
          return fits ? List.of(0L) : List.of();
        });
  }

  /** A record of numbers, and an object around ten thousand doubles, also as bare arrays of the same bytes. */
  private static Suite objects() {
    List<Long> all = List.of(100L, 80_000L);
    return new Suite("objects", "a record, and an object with an array, back and forth as objects and as bare arrays",
        new RankMeasurement(Program.ofRanks(null, "ObjectPingPong")))
        .benches("latency")
        .cases("bare", "object", "codec")
        .peers()
        .only(2, "objects is between 2 ranks")
        .sizes(all)
        .sizeRule((bench, name, sizes) -> sizes.stream().filter(all::contains).toList());
  }
}
