// SPDX-License-Identifier: Apache-2.0
package copies;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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
      String name = side.prefix + "Copies";
      String text = header(side) + side.fill(CopyTemplates.CLASS);
      StringBuilder loops = new StringBuilder();
      if (side == Side.NATIVE) {
        loops.append(side.loops(CopyTemplates.LOOPS, Side.NATIVE, "move"));
      } else {
        loops.append(side.loops(CopyTemplates.LOOPS, Side.NATIVE, "out"));
        loops.append('\n').append(Side.NATIVE.loops(CopyTemplates.LOOPS, side, "in"));
      }
      write(folder.resolve(name + ".java"), text.replace("@loops", loops.toString().stripTrailing()));
    }
  }

  private static String header(Side side) {
    List<String> imports = side == Side.NATIVE
        ? List.of("org.ffmpi.base.raw.Raw")
        : List.of(
            "java.lang.foreign.MemorySegment", "java.lang.foreign.ValueLayout",
            "org.ffmpi.base.raw.Memory", "org.ffmpi.base.raw.Raw");
    StringBuilder text = new StringBuilder("// SPDX-License-Identifier: Apache-2.0\n");
    text.append("// Written by GenerateCopies: change that, not this.\n");
    text.append("package ").append(PACKAGE).append(";\n\n");
    for (String imported : imports) {
      text.append("import ").append(imported).append(";\n");
    }
    return text.append('\n').toString();
  }

  private static void write(Path file, String text) throws IOException {
    // An unchanged file keeps its time stamp, so that an incremental build compiles nothing.
    if (!Files.exists(file) || !Files.readString(file).contentEquals(text)) {
      Files.writeString(file, text);
    }
  }
}
