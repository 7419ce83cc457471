// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Measurement of packing and unpacking derived types, against the loops that a C programmer writes by hand, and of
 * committing a type. No messages.
 *
 * <p>Cases of packing are {@code type|memory|profile|instructions}. A clean profile means a JVM of its own for each
 * type and memory; with a polluted one all cases share a JVM in which every kind of memory has gone through every kind
 * of type before.
 */
final class PackMeasurement implements Measurement {
  private static final Implementation.Program PROGRAM =
      new Implementation.Program("pack", "org.ffmpi.bench.kernel.PackProgram");

  private static final List<String> TYPES = List.of("vec1s2", "vec8s16", "indexed", "face_xy", "face_xz", "face_yz",
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

  /** Returns the suite. */
  static Suite suite() {
    List<Long> sizes = new ArrayList<>(List.of(VECTOR, FACE, STRUCTS));
    sizes.addAll(TRANSPOSES);
    sizes.add(BLOCKS);
    return new Suite("pack", "packing and unpacking of derived types against loops in C, and committing",
        new PackMeasurement())
        .benches("pack", "unpack", "commit", "make")
        .cases(cases())
        .peerCase(Suites::firstPart)
        .peers(Implementation.PlainC.ID)
        .only(1, "pack has one process")
        .sizes(sizes)
        .quickSizes(VECTOR, FACE, STRUCTS, TRANSPOSES.getFirst())
        .sizeRule(PackMeasurement::sizesOf);
  }

  private static List<String> cases() {
    List<String> cases = new ArrayList<>();
    for (String type : TYPES) {
      for (String memory : MEMORIES) {
        VARIANTS.forEach(v -> cases.add(type + "|" + memory + "|" + v));
      }
    }
    cases.addAll(COMMITS);
    return cases;
  }

  private static List<Long> sizesOf(String bench, String name, List<Long> sizes) {
    List<Long> known = switch (bench) {
      case "pack", "unpack" -> SIZES_OF.getOrDefault(Suites.firstPart(name), List.of());
      default -> !COMMITS.contains(name) ? List.of() : name.startsWith("simple") ? List.of(VECTOR) : List.of(BLOCKS);
    };
    return known.stream().filter(sizes::contains).toList();
  }

  @Override
  public Implementation peer(String id, Path root, String classPath) {
    if (!id.equals(Implementation.PlainC.ID)) {
      throw new BenchOptions.UsageException("--vs " + id + ": known are gcc and none");
    }
    return Implementation.PlainC.installed(root, "--vs gcc needs gcc");
  }

  @Override
  public Implementation ours(String id, Path root, String classPath) {
    return new Implementation.PlainJava(id, classPath, root.resolve("jmh/target/lib/*").toString());
  }

  @Override
  public List<String> cPrograms() {
    return List.of(PROGRAM.c());
  }

  @Override
  public List<Job> jobs(Implementation implementation, List<Point> points, BenchOptions o) {
    if (!implementation.isOurs()) {
      return List.of(job(implementation, List.of(), points, o));
    }
    return points.stream().collect(Collectors.groupingBy(PackMeasurement::jvm, LinkedHashMap::new, Collectors.toList()))
        .values().stream().map(together -> job(implementation, jvmOptions(together.getFirst()), together, o)).toList();
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

  private static Job job(
      Implementation implementation, List<String> jvmOptions, List<Point> points, BenchOptions o) {
    List<String> arguments = new ArrayList<>(Answers.options(o));
    arguments.addAll(Answers.work(points));
    List<String> options = new ArrayList<>(jvmOptions);
    options.addAll(o.mpirun);
    return sink -> Answers.collect(implementation.process(PROGRAM, 1, options, arguments), 1, o, sink);
  }

  @Override
  public String tables(Report report, Results results) {
    return new PackTable(results).toString();
  }
}
