// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Packing and unpacking of derived types, against the loops that a C programmer writes by hand; and what it takes to
 * commit a type. No messages.
 *
 * <p>Cases of packing are {@code type|memory|profile|instructions}. A clean profile means a JVM of its own for each
 * type and memory; with a polluted one all cases share a JVM in which every kind of memory has gone through every kind
 * of type before.
 */
final class PackSuite implements Suite {
  private static final Implementation.Program PROGRAM =
      new Implementation.Program("pack", "org.ffmpi.bench.kernel.PackProgram");

  static final List<String> TYPES = List.of("vec1s2", "vec8s16", "indexed", "face_xy", "face_xz", "face_yz",
      "partstruct", "transpose");
  static final List<String> MEMORIES = List.of("native", "heap");
  static final List<String> VARIANTS = List.of("clean|vector", "polluted|vector", "clean|scalar", "polluted|scalar");
  private static final List<String> COMMITS = List.of(
      "simple|new", "simple|known", "simple|first", "blocks|new", "blocks|first");

  /** Edge 256. */
  private static final long FACE = 512 << 10;

  private static final List<Long> TRANSPOSES = List.of(80_000L, 720_000L, 8_000_000L);
  private static final long STRUCTS = 59_000;

  /** Payload of about 100,000 indexed blocks. */
  private static final long BLOCKS = 3_600_000;

  private static final long VECTOR = 64 << 10;
  private static final List<Long> VECTORS = List.of(1L << 10, VECTOR, 1L << 20);

  private static final Map<String, List<Long>> SIZES_OF = Map.of(
      "vec1s2", VECTORS,
      "vec8s16", VECTORS,
      "indexed", List.of(1L << 10, VECTOR, 1L << 20, BLOCKS),
      "face_xy", List.of(FACE),
      "face_xz", List.of(FACE),
      "face_yz", List.of(FACE),
      "partstruct", List.of(STRUCTS),
      "transpose", TRANSPOSES);

  @Override
  public String name() {
    return "pack";
  }

  @Override
  public String summary() {
    return "packing and unpacking of derived types against loops in C, and committing";
  }

  @Override
  public List<String> benches() {
    return List.of("pack", "unpack", "commit", "make");
  }

  @Override
  public List<String> cases() {
    List<String> cases = new ArrayList<>();
    for (String type : TYPES) {
      for (String memory : MEMORIES) {
        VARIANTS.forEach(v -> cases.add(type + "|" + memory + "|" + v));
      }
    }
    cases.addAll(COMMITS);
    return cases;
  }

  @Override
  public String peerCase(String ffmpiCase) {
    return ffmpiCase.split("\\|")[0];
  }

  @Override
  public List<String> peers() {
    return List.of(Implementation.PlainC.ID);
  }

  @Override
  public Implementation implementation(String id, Path root, String classPath) {
    return switch (id) {
      case Implementation.OURS -> ours(id, root, classPath);
      case Implementation.PlainC.ID -> {
        if (!CCompiler.onPath(id)) {
          throw new BenchOptions.UsageException("--vs gcc needs gcc, which is not on the PATH: apt-get install gcc");
        }
        yield new Implementation.PlainC(root.resolve("jmh/target/c/" + id));
      }
      default -> throw new BenchOptions.UsageException("--vs " + id + ": known are gcc and none");
    };
  }

  @Override
  public Implementation ours(String id, Path root, String classPath) {
    return new Implementation.PlainJava(id, classPath, root.resolve("jmh/target/lib/*").toString());
  }

  @Override
  public List<Integer> defaultRanks() {
    return List.of(1);
  }

  @Override
  public List<Long> defaultSizes(boolean quick) {
    return quick
        ? List.of(VECTOR, FACE, STRUCTS, TRANSPOSES.getFirst())
        : List.of(VECTOR, FACE, STRUCTS, TRANSPOSES.get(0), TRANSPOSES.get(1), TRANSPOSES.get(2), BLOCKS);
  }

  @Override
  public List<Long> sizesOf(String bench, String name, List<Long> sizes) {
    List<Long> known = switch (bench) {
      case "pack", "unpack" -> SIZES_OF.getOrDefault(peerCase(name), List.of());
      default -> !COMMITS.contains(name) ? List.of() : name.startsWith("simple") ? List.of(VECTOR) : List.of(BLOCKS);
    };
    return known.stream().filter(sizes::contains).toList();
  }

  @Override
  public String refuses(int ranks) {
    return ranks == 1 ? null : "pack has one process";
  }

  @Override
  public List<String> cPrograms() {
    return List.of(PROGRAM.c());
  }

  @Override
  public List<Job> jobs(Implementation implementation, List<Point> points, BenchOptions o) {
    if (!implementation.isOurs()) {
      return List.of(sink -> run(implementation, List.of(), points, o, sink));
    }
    return points.stream().collect(Collectors.groupingBy(PackSuite::jvm, LinkedHashMap::new, Collectors.toList()))
        .values().stream().<Job>map(together -> sink -> run(implementation, jvmOptions(together.getFirst()), together,
            o, sink)).toList();
  }

  /** Returns a name for the JVM that measures a point. */
  private static String jvm(Point p) {
    String[] parts = p.name().split("\\|");
    if (parts.length < 4) {
      return parts[1].equals("first") ? p.bench() + " " + p.name() : "commit";
    }
    return parts[2].equals("clean") ? p.name() : "polluted " + parts[3];
  }

  private static List<String> jvmOptions(Point p) {
    return p.name().endsWith("scalar") ? List.of() : List.of("--add-modules=jdk.incubator.vector");
  }

  private static void run(Implementation implementation, List<String> jvmOptions, List<Point> points, BenchOptions o,
      Consumer<Sample> sink) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(Answers.options(o));
    arguments.addAll(Answers.work(points));
    List<String> options = new ArrayList<>(jvmOptions);
    options.addAll(o.mpirun);
    Answers.collect(new ProcessBuilder(implementation.command(PROGRAM, 1, options, arguments)), 1, o, sink);
  }

  @Override
  public String tables(Report report, Results results) {
    return new PackTable(results).toString();
  }
}
