// SPDX-License-Identifier: Apache-2.0
package copies;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Writes the copy kernels: {@code java copies/GenerateCopies.java <output folder>}, run by the build before it
 * compiles.
 *
 * <p>A loop is fast only if it sees one kind of memory. So native memory and each kind of array get a class of their
 * own, all from one text: the way to reach a word of the user's memory is the only difference.
 */
public final class GenerateCopies {
  private static final String PACKAGE = "org.ffmpi.datatype.plan";

  private GenerateCopies() {}

  /**
   * Generates everything.
   *
   * @param args the folder of generated sources
   * @throws IOException when it cannot be written
   */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]).resolve(PACKAGE.replace('.', '/'));
    Files.createDirectories(folder);
    for (Side side : Side.values()) {
      String loops = side == Side.NATIVE
          ? loops(side, side, "move") : loops(side, Side.NATIVE, "out") + loops(Side.NATIVE, side, "in");
      String constants = side == Side.BYTES ? CopyTemplates.BYTE_WORDS : "";
      write(folder, side.prefix + "Copies", imports(side), side.fill(CopyTemplates.CLASS)
          .replace("@gates", gates(side)).replace("@constants\n", constants).replace("@loops\n", loops.substring(1)));
      String vectors = side == Side.NATIVE
          ? vectors(side, side, "move") : vectors(side, Side.NATIVE, "out") + vectors(Side.NATIVE, side, "in");
      write(folder, side.prefix + "Vectors", vectorImports(side), side.fill(VectorTemplates.CLASS)
          .replace("@constants\n", masks(side)).replace("@loops\n", vectors.substring(1)));
    }
  }

  // ---- plain loops

  private static String loops(Side from, Side to, String direction) {
    StringBuilder text = new StringBuilder("\n");
    text.append(from.loops(CopyTemplates.LOOPS, to, direction));
    if (from.hasWords() && to.hasWords()) {
      text.append(from.loops(CopyTemplates.SMALL_WORDS + CopyTemplates.WORDS, to, direction));
      for (String word : List.of("1 Byte byte", "2 Short short", "4 Int int", "8 Long long")) {
        String[] parts = word.split(" ");
        text.append(from.loops(
            CopyTemplates.WORD.replace("@bytes", parts[0]).replace("@Word", parts[1]), to, direction));
      }
    } else {
      text.append(from.loops(CopyTemplates.SMALL_ELEMENTS + CopyTemplates.ELEMENTS, to, direction));
    }
    return text.toString();
  }

  private static String gates(Side side) {
    StringBuilder text = new StringBuilder(CopyTemplates.GATES);
    for (String direction : side == Side.NATIVE ? List.of("MOVE") : List.of("OUT", "IN")) {
      for (String loops : List.of("_SECONDS", "_BLOCKS", "_GRID")) {
        text.append(CopyTemplates.GATE.replace("@NAME", direction + loops));
      }
    }
    for (String loops : List.of("RUNS_PACKED", "RUNS_UNPACKED", "RUNS_COPIED")) {
      text.append(CopyTemplates.GATE.replace("@NAME", loops));
    }
    return text.append('\n').toString().replace("@KIND", side.name());
  }

  private static List<String> imports(Side side) {
    return switch (side) {
      case NATIVE -> List.of("org.ffmpi.base.raw.Memory", "org.ffmpi.base.raw.Raw");
      case BYTES -> List.of(
          "java.lang.invoke.MethodHandles", "java.lang.invoke.VarHandle", "java.nio.ByteOrder",
          "org.ffmpi.base.raw.Memory", "org.ffmpi.base.raw.Raw");
      default -> List.of(
          "java.lang.foreign.MemorySegment", "java.lang.foreign.ValueLayout",
          "org.ffmpi.base.raw.Memory", "org.ffmpi.base.raw.Raw");
    };
  }

  // ---- vector loops

  private static String vectors(Side from, Side to, String direction) {
    Side user = from == Side.NATIVE ? to : from;
    List<Integer> gathered = seconds(user, 16);
    List<Integer> scattered = seconds(user, 4);
    StringBuilder text = new StringBuilder("\n");
    text.append(VectorTemplates.LOOPS.replace("    @toEverySecond\n", scattered.isEmpty() ? "" : """
          if (srcStride == block && dstStride == 2 * block && @dirToEverySecond(@a, src, dst, count, block)) {
            return true;
          }
        """));
    for (String bits : List.of("128", "256", "512")) {
      text.append(VectorTemplates.SINGLE.replace("@bits", bits)).append(VectorTemplates.PAIRS.replace("@bits", bits));
    }
    text.append(VectorTemplates.EVERY_SECOND.replace("@cases\n", cases("@dirEverySecond", gathered)));
    for (int block : gathered) {
      text.append(lanes(VectorTemplates.SECOND, block, user));
    }
    if (!scattered.isEmpty()) {
      text.append(VectorTemplates.TO_EVERY_SECOND.replace("@cases\n", cases("@dirToEverySecond", scattered)));
    }
    for (int block : scattered) {
      text.append(lanes(VectorTemplates.TO_SECOND, block, user));
    }
    text.append(runs(from, to).replace("@back", ".reinterpretAs" + user.lanes()));
    List<Integer> tiled = seconds(user, 8);
    StringBuilder cases = new StringBuilder();
    for (int block : tiled) {
      cases.append("      case %d -> @dirTranspose%d(@a, src, srcRow, dst, dstRow, rows, columns);\n"
          .formatted(block, block));
    }
    text.append(VectorTemplates.GRID.replace("@cases\n", cases));
    for (int block : tiled) {
      text.append(lanes(VectorTemplates.TRANSPOSE.replace("@bits", "" + 64 * block), block, user));
    }
    return from.loops(text.toString(), to, direction);
  }

  /** Runs between places and a stream, or other places. */
  private static String runs(Side from, Side to) {
    String places = "long src, long srcStride";
    String displaced = "src + i * srcStride + displacement";
    String into = "dst + i * dstStride + displacement";
    String packed = VectorTemplates.RUNS.replace("@way", "Packed").replace("@source", places)
        .replace("@target", "long dst").replace("@stream", "long stream = dst;")
        .replace("@from", displaced).replace("@into", "stream").replace("@advance", "stream += bytes;")
        .replace("@arguments", "src, srcStride, dst");
    String unpacked = VectorTemplates.RUNS.replace("@way", "Unpacked").replace("@source", "long src")
        .replace("@target", "long dst, long dstStride").replace("@stream", "long stream = src;")
        .replace("@from", "stream").replace("@into", into).replace("@advance", "stream += bytes;")
        .replace("@arguments", "src, dst, dstStride");
    String copied = VectorTemplates.RUNS.replace("@way", "Copied").replace("@source", places)
        .replace("@target", "long dst, long dstStride").replace("    @stream\n", "").replace("        @advance\n", "")
        .replace("@from", displaced).replace("@into", into).replace("@arguments", "src, srcStride, dst, dstStride");
    return (to == Side.NATIVE ? packed + VectorTemplates.PACK_ELEMENTS : "")
        + (from == Side.NATIVE
            ? unpacked + VectorTemplates.UNPACK_ELEMENTS + copied + VectorTemplates.COPY_ELEMENTS : "");
  }

  private static String cases(String method, List<Integer> blocks) {
    StringBuilder text = new StringBuilder();
    for (int block : blocks) {
      text.append("      case %d -> %s%d(@a, src, dst, (int) count);\n".formatted(block, method, block));
    }
    return text.toString();
  }

  /** Fills in lanes as wide as a block, or half of it. */
  private static String lanes(String text, int block, Side user) {
    String lanes = switch (block) {
      case 2 -> "Short";
      case 4 -> "Int";
      default -> "Long";
    };
    return text.replace("@block", "" + block).replace("@Ls", lanes + "s").replace("@L", lanes + "Vector")
        .replace("@back", ".reinterpretAs" + user.lanes());
  }

  /** The block sizes for which there is a loop over every second block. */
  private static List<Integer> seconds(Side side, int largest) {
    return Stream.of(2, 4, 8, 16).filter(block -> block >= side.width && block <= largest).toList();
  }

  private static String masks(Side side) {
    StringBuilder text = new StringBuilder();
    for (int block : seconds(side, 4)) {
      text.append(side.fill("""
            private static final VectorMask<@Box> EVEN_@block =
                VectorMask.fromLong(S512, VectorLanes.even(@width, @block));
          """.replace("@block", "" + block).replace("@width", "" + side.width)));
    }
    return text.toString();
  }

  private static List<String> vectorImports(Side side) {
    TreeSet<String> imports = new TreeSet<>(List.of(
        "java.lang.foreign.MemorySegment", "java.nio.ByteOrder", "jdk.incubator.vector.LongVector",
        "jdk.incubator.vector.VectorMask", "jdk.incubator.vector.VectorSpecies",
        "jdk.incubator.vector." + side.vector(), "org.ffmpi.base.raw.Raw"));
    imports.add("jdk.incubator.vector.ByteVector");
    imports.add("jdk.incubator.vector.IntVector");
    if (side.width <= 2) {
      imports.add("jdk.incubator.vector.ShortVector");
    }
    return List.copyOf(imports);
  }

  // ---- files

  private static void write(Path folder, String name, List<String> imports, String body) throws IOException {
    StringBuilder text = new StringBuilder("// SPDX-License-Identifier: Apache-2.0\n");
    text.append("// Written by GenerateCopies: change that, not this.\n");
    text.append("package ").append(PACKAGE).append(";\n\n");
    for (String imported : imports) {
      text.append("import ").append(imported).append(";\n");
    }
    text.append('\n').append(body);
    Path file = folder.resolve(name + ".java");
    // An unchanged file keeps its time stamp, so that an incremental build compiles nothing.
    if (!Files.exists(file) || !Files.readString(file).contentEquals(text)) {
      Files.writeString(file, text);
    }
  }
}
