// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Writes the array forms of the API. It copies every template once, with the lines between {@code //for-each} and
 * {@code //end} repeated for each primitive type. Run by the build as {@code java GenerateArrayForms.java TEMPLATES
 * OUTPUT}.
 *
 * <p>Inside such lines {@code @array@} is the element's Java type, {@code @kind@} its name in {@code Memory}, {@code
 * @type@} the datatype of a bare array, {@code @box@} the box of an element, {@code @Kind@} the kind in the names of
 * methods, {@code @nio@} the NIO buffer's class. A
 * region that begins with {@code //for-each nio} leaves out boolean, which has no NIO buffer, and byte, whose order
 * cannot matter.
 */
public final class GenerateArrayForms {
  private record Primitive(String array, String kind, String type, String box, String nio) {
    String in(String text) {
      return text.replace("@array@", array).replace("@kind@", kind).replace("@type@", type).replace("@box@", box)
          .replace("@nio@", nio).replace("@Kind@", kind.charAt(0) + kind.substring(1).toLowerCase(Locale.ROOT));
    }
  }

  private static final List<Primitive> PRIMITIVES = List.of(
      new Primitive("double", "DOUBLES", "DOUBLE", "Double", "DoubleBuffer"),
      new Primitive("float", "FLOATS", "FLOAT", "Float", "FloatBuffer"),
      new Primitive("int", "INTS", "INT32_T", "Integer", "IntBuffer"),
      new Primitive("long", "LONGS", "INT64_T", "Long", "LongBuffer"),
      new Primitive("short", "SHORTS", "INT16_T", "Short", "ShortBuffer"),
      new Primitive("char", "CHARS", "UINT16_T", "Character", "CharBuffer"),
      new Primitive("byte", "BYTES", "INT8_T", "Byte", ""),
      new Primitive("boolean", "BOOLEANS", "C_BOOL", "Boolean", ""));

  private GenerateArrayForms() {}

  /**
   * Expands all templates.
   *
   * @param args folder of the templates, folder to write to
   * @throws IOException when a file cannot be read or written
   */
  public static void main(String[] args) throws IOException {
    Path output = Path.of(args[1]);
    Files.createDirectories(output);
    List<Path> written = new ArrayList<>();
    try (Stream<Path> templates = Files.list(Path.of(args[0]))) {
      for (Path template : templates.toList()) {
        String text = expand(Files.readAllLines(template));
        Path file = output.resolve(folder(text)).resolve(template.getFileName());
        Files.createDirectories(file.getParent());
        if (!Files.exists(file) || !Files.readString(file).equals(text)) {
          Files.writeString(file, text);
        }
        written.add(file);
      }
    }
    deleteOthers(output, written);
  }

  /** Deletes files of an earlier build in the output folder. Files that stay keep their time. */
  private static void deleteOthers(Path output, List<Path> written) throws IOException {
    try (Stream<Path> files = Files.walk(output)) {
      for (Path file : files.filter(f -> Files.isRegularFile(f) && !written.contains(f)).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Returns the folder of the package that a source declares. */
  private static String folder(String source) {
    String declared = source.substring(source.indexOf("\npackage ") + "\npackage ".length());
    return declared.substring(0, declared.indexOf(';')).replace('.', '/');
  }

  private static String expand(List<String> lines) {
    StringBuilder out = new StringBuilder();
    StringBuilder region = null;
    boolean nioOnly = false;
    for (String line : lines) {
      String mark = line.strip();
      if (mark.startsWith("//for-each")) {
        region = new StringBuilder();
        nioOnly = mark.endsWith("nio");
      } else if (mark.equals("//end") && region != null) {
        for (Primitive p : PRIMITIVES) {
          if (!nioOnly || !p.nio().isEmpty()) {
            out.append(p.in(region.toString()));
          }
        }
        region = null;
      } else {
        (region == null ? out : region).append(line).append('\n');
      }
    }
    return out.toString();
  }
}
