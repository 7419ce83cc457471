// SPDX-License-Identifier: Apache-2.0
package copies;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Derives the copy kernels for all kinds of memory from those that are written by hand. The build runs {@code java
 * copies/GenerateCopies.java <source folder> <output folder>} before it compiles.
 *
 * <p>A loop is fast only if it sees one kind of memory, so native memory and each kind of array get classes of their
 * own. A derived class is a hand-written one in which some names are replaced: of accessors, of the type of elements,
 * of the kind of memory; and calls: those that move vectors, and those of accessors in loops over blocks, which
 * compile to faster code as plain accesses. Every replacement is declared here once and has to apply at
 * least once, or the build fails.
 * All replacements of a class are done in one pass, so that two names can be exchanged.
 *
 * <p>One file, also valid in Java 17, since it runs as source by the JDK that runs the build.
 */
public final class GenerateCopies {
  private static final String PACKAGE = "org.ffmpi.datatype.plan.kernel";

  /** Vector accesses to native memory, without a mask and with one, in place of those to arrays. */
  private static final String[] FROM_NATIVE = {
    "fromMemorySegment($0, MEMORY, $2, ORDER)", "fromMemorySegment($0, MEMORY, $2, ORDER, $3)"
  };

  private static final String[] INTO_NATIVE = {
    "intoMemorySegment(MEMORY, $1, ORDER)", "intoMemorySegment(MEMORY, $1, ORDER, $L)"
  };

  /** The end of the package's name, and its replacement in classes that access native memory themselves. */
  private static final String PACKAGE_END = "kernel;\n";

  private static final String IMPORT_RAW = "kernel;\n\nimport org.ffmpi.base.raw.Raw;\n";

  /** A kind of array. */
  private enum Kind {
    BYTES("Byte", "Byte", "Byte"),
    CHARS("Char", "Character", "Short"),
    SHORTS("Short", "Short", "Short"),
    INTS("Int", "Integer", "Int"),
    LONGS("Long", "Long", "Long"),
    FLOATS("Float", "Float", "Float"),
    DOUBLES("Double", "Double", "Double");

    /** The form in names of methods and classes. */
    final String name;

    /** The class that holds the constants of the type. */
    final String box;

    /** The type of the lanes of its vectors. */
    final String lane;

    Kind(String name, String box, String lane) {
      this.name = name;
      this.box = box;
      this.lane = lane;
    }

    String primitive() {
      return name.toLowerCase(Locale.ROOT);
    }

    String arrays() {
      return name + "Arrays";
    }

    String natives() {
      return "Native" + name + "s";
    }

    /** Expression that reads a vector; the arguments are those of fromArray. */
    String[] vectorFrom() {
      String method = this == CHARS ? "fromCharArray" : "fromArray";
      return new String[] {method + "($0, $1, $2)", method + "($0, $1, $2, $3)"};
    }

    /** Statement that writes a vector; the last argument is a mask, the one or two before it are the place. */
    String[] vectorInto() {
      String method = this == CHARS ? "intoCharArray" : "intoArray";
      return new String[] {method + "(a, $1)", method + "(a, $1, $L)"};
    }

    String toNative() {
      return name + "sToNative";
    }

    String fromNative() {
      return "NativeTo" + name + "s";
    }
  }

  private final Path sources;
  private final Path output;
  private final Set<Path> written = new HashSet<>();

  private GenerateCopies(Path sources, Path output) {
    this.sources = sources;
    this.output = output;
  }

  /**
   * Generates everything.
   *
   * @param args the folder of hand-written sources and the folder of generated ones
   * @throws IOException when the one cannot be read or the other cannot be written
   */
  public static void main(String[] args) throws IOException {
    String folder = PACKAGE.replace('.', '/');
    Path output = Path.of(args[1]).resolve(folder);
    Files.createDirectories(output);
    GenerateCopies generator = new GenerateCopies(Path.of(args[0]).resolve(folder), output);
    generator.loopsFromNative(Kind.BYTES);
    words(
        generator.variant("BytesToNativeBlocks", "NativeToBytesBlocks"),
        "Raw.get%s($1)", "ByteArrays.put%s(a, $1, $2)")
        .replace("BytesToNative*", "NativeToBytes").exchange("ByteArrays.at", "NativeBytes.at").write();
    for (Kind kind : Kind.values()) {
      if (kind != Kind.BYTES) {
        generator.accessors(kind);
        generator.loopsToNative(kind);
        generator.loopsFromNative(kind);
        generator.loopsByElements(kind);
        generator.copiers(kind);
      }
    }
    generator.nativeMemory();
    generator.deleteOthers(Path.of(args[1]));
  }

  /** Deletes files of an older generator. */
  private void deleteOthers(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).filter(file -> !written.contains(file)).toList()) {
        Files.delete(file);
      }
    }
  }

  // ---- what differs between kinds of arrays

  private void accessors(Kind kind) throws IOException {
    if (kind != Kind.FLOATS) {
      variant("FloatArrays", kind.arrays())
          .replace("FloatArrays", kind.arrays()).replace("float", kind.primitive())
          .replace("Float.BYTES", kind.box + ".BYTES").write();
      variant("NativeFloats", kind.natives())
          .replace("NativeFloats", kind.natives()).replace("FloatArrays", kind.arrays())
          .replace("float", kind.primitive()).replace("Float.BYTES", kind.box + ".BYTES")
          .replace("Raw.getFloat", "Raw.get" + kind.name).replace("Raw.putFloat", "Raw.put" + kind.name).write();
    }
  }

  private void loopsToNative(Kind kind) throws IOException {
    variant("BytesToNative", kind.toNative())
        .replace("BytesToNative*", kind.toNative()).replace("Memory.BYTES", "Memory." + kind)
        .replace("ByteArrays", kind.arrays()).replace("NativeBytes", kind.natives())
        .replace("byte[]", kind.primitive() + "[]").write();
    for (String vectors : new String[] {"Vectors", "Tiles"}) {
      vectors(kind, kind.toNative(), vectors)
          .replace("ByteArrays", kind.arrays()).replace("NativeBytes", kind.natives())
          .call("fromArray", kind.vectorFrom()).write();
    }
  }

  private void loopsFromNative(Kind kind) throws IOException {
    variant("BytesToNative", kind.fromNative())
        .replace("BytesToNative*", kind.fromNative()).replace("OUT_*", "IN_").replace("Memory.BYTES", "Memory." + kind)
        .replace("Memory.read(Memory.BYTES, a, src, dst, bytes)",
            "Memory.write(Memory." + kind + ", a, dst, src, bytes)")
        .replace("ByteArrays", kind.natives()).replace("NativeBytes", kind.arrays())
        .replace("from a {@code byte[]} to native memory", "from native memory to {@code " + kind.primitive() + "[]}")
        .replace("byte[]", kind.primitive() + "[]").write();
    for (String vectors : new String[] {"Vectors", "Tiles"}) {
      vectors(kind, kind.fromNative(), vectors)
          .replace("ByteArrays", kind.natives()).replace("NativeBytes", kind.arrays())
          .call("fromArray", FROM_NATIVE).call("intoMemorySegment", kind.vectorInto()).write();
    }
  }

  private Variant vectors(Kind kind, String name, String vectors) {
    return lanes(variant("BytesToNative" + vectors, name + vectors), kind)
        .replace("BytesToNative*", name).replace("reinterpretAsBytes", "reinterpretAs" + kind.lane + "s")
        .replace("byte[]", kind.primitive() + "[]");
  }

  private void loopsByElements(Kind kind) throws IOException {
    if (kind != Kind.FLOATS) {
      variant("FloatsToNativeBlocks", kind.toNative() + "Blocks")
          .replace("FloatsToNative*", kind.toNative()).replace("float", kind.primitive())
          .call("FloatArrays.get", 2, "a[$1]", "a[$1 + $2]")
          .call("NativeFloats.put", 3,
              "Raw.put" + kind.name + "($1, $2)", "Raw.put" + kind.name + "($1 + (long) WIDTH * ($2), $3)")
          .replace(PACKAGE_END, IMPORT_RAW)
          .replace("FloatArrays", kind.arrays()).replace("NativeFloats", kind.natives()).write();
    }
    variant("FloatsToNativeBlocks", kind.fromNative() + "Blocks")
        .call("FloatArrays.get", 2,
            "Raw.get" + kind.name + "($1)", "Raw.get" + kind.name + "($1 + (long) WIDTH * ($2))")
        .call("NativeFloats.put", 3, "a[$1] = $2", "a[$1 + $2] = $3")
        .replace(PACKAGE_END, IMPORT_RAW)
        .replace("FloatsToNative*", kind.fromNative()).replace("float", kind.primitive())
        .replace("FloatArrays.wordsToNative(a, src, dst, bytes)",
            kind.arrays() + ".wordsFromNative(a, src, dst, bytes)")
        .replace("FloatArrays", kind.natives()).replace("NativeFloats", kind.arrays()).write();
  }

  private void copiers(Kind kind) throws IOException {
    variant("BytePacker", kind.name + "Packer")
        .replace("BytePack*", kind.name + "Pack").replace("BytesToNative", kind.toNative())
        .replace("Memory.BYTES", "Memory." + kind)
        .replace("ByteArrays", kind.arrays()).replace("byte[]", kind.primitive() + "[]").write();
    variant("ByteUnpacker", kind.name + "Unpacker")
        .replace("ByteUnpack*", kind.name + "Unpack").replace("NativeToBytes", kind.fromNative())
        .replace("Memory.BYTES", "Memory." + kind)
        .replace("ByteArrays", kind.arrays()).replace("byte[]", kind.primitive() + "[]").write();
    lanes(variant("BytePackVectors", kind.name + "PackVectors"), kind)
        .replace("BytePack*", kind.name + "Pack").replace("BytesToNative", kind.toNative())
        .call("fromArray", kind.vectorFrom())
        .replace("ByteArrays", kind.arrays()).replace("byte[]", kind.primitive() + "[]").write();
    lanes(variant("ByteUnpackVectors", kind.name + "UnpackVectors"), kind)
        .replace("ByteUnpack*", kind.name + "Unpack").replace("NativeToBytes", kind.fromNative())
        .replace("reinterpretAsBytes", "reinterpretAs" + kind.lane + "s")
        .call("intoArray", kind.vectorInto())
        .replace("ByteArrays", kind.arrays()).replace("byte[]", kind.primitive() + "[]").write();
  }

  private static Variant lanes(Variant variant, Kind kind) {
    return variant.replace("ByteVector", kind.lane + "Vector")
        .replace("<Byte>", "<" + (kind == Kind.CHARS ? "Short" : kind.box) + ">");
  }

  // ---- native memory on both sides

  private void nativeMemory() throws IOException {
    ofNative("BytesToNative", "NativeToNative")
        .replace("BytesToNative*", "NativeToNative").replace("OUT_*", "MOVE_").replace("Memory.BYTES", "Memory.NATIVE")
        .replace("Memory.read(Memory.BYTES, a, src, dst, bytes)", "NativeBytes.copy(src, dst, bytes)").write();
    words(ofNative("BytesToNativeBlocks", "NativeToNativeBlocks"), "Raw.get%s($1)", "Raw.put%s($1, $2)")
        .replace("BytesToNative*", "NativeToNative").write();
    for (String vectors : new String[] {"Vectors", "Tiles"}) {
      ofNative("BytesToNative" + vectors, "NativeToNative" + vectors)
          .replace("BytesToNative*", "NativeToNative").call("fromArray", FROM_NATIVE).write();
    }
    ofNative("BytePacker", "NativePacker")
        .replace("BytePack*", "NativePack").replace("BytesToNative", "NativeToNative")
        .replace("Memory.BYTES", "Memory.NATIVE").write();
    ofNative("ByteUnpacker", "NativeUnpacker")
        .replace("ByteUnpack*", "NativeUnpack").replace("NativeToBytes", "NativeToNative")
        .replace("Memory.BYTES", "Memory.NATIVE").write();
    ofNative("BytePackVectors", "NativePackVectors")
        .replace("BytePack*", "NativePack").replace("BytesToNative", "NativeToNative")
        .call("fromArray", FROM_NATIVE).write();
    ofNative("ByteUnpackVectors", "NativeUnpackVectors")
        .replace("ByteUnpack*", "NativeUnpack").replace("NativeToBytes", "NativeToNative")
        .call("intoArray", INTO_NATIVE).write();
  }

  /** Begins a variant in which the array is an object that is never accessed. */
  private Variant ofNative(String source, String name) {
    return variant(source, name)
        .replace("ByteArrays", "NativeBytes").replace("{@code byte[]}", "block of native memory")
        .replace("byte[]", "Object");
  }

  /** Replaces accessors of words by plain accesses. */
  private static Variant words(Variant variant, String get, String put) {
    for (String word : new String[] {"Byte", "Short", "Int", "Long"}) {
      variant.call("ByteArrays.get" + word, 2, get.formatted(word))
          .call("NativeBytes.put" + word, 3, put.formatted(word));
    }
    return variant.replace(PACKAGE_END, IMPORT_RAW);
  }

  // ---- deriving

  private Variant variant(String source, String name) {
    return new Variant(source, name);
  }

  /** A hand-written class, the name of the derived one, and the replacements. */
  private final class Variant {
    private final String source;
    private final String name;
    private final Map<String, String> replacements = new LinkedHashMap<>();
    private final Map<String, String[]> calls = new LinkedHashMap<>();
    private final Map<String, Integer> fewest = new LinkedHashMap<>();

    Variant(String source, String name) {
      this.source = source;
      this.name = name;
    }

    /** Replaces a word, or, with a star behind it, each beginning of a word. */
    Variant replace(String word, String by) {
      if (replacements.put(word, by) != null) {
        throw new IllegalArgumentException(name + ": " + word + " is replaced twice");
      }
      return this;
    }

    Variant exchange(String one, String other) {
      return replace(one, other).replace(other, one);
    }

    /**
     * Replaces the calls of a method, before words are replaced: those without a mask by the first text, those with one
     * by the second. {@code $0} stands for the first argument and so on, {@code $L} for the last.
     */
    Variant call(String method, String[] texts) {
      calls.put(method, texts);
      return this;
    }

    /** The same for a method that has a fewest number of arguments: a text for it, and for each number above. */
    Variant call(String method, int arguments, String... texts) {
      fewest.put(method, arguments);
      return call(method, texts);
    }

    void write() throws IOException {
      String text = Files.readString(sources.resolve(source + ".java"));
      for (Map.Entry<String, String[]> call : calls.entrySet()) {
        text = called(text, call.getKey(), call.getValue());
      }
      text = replaced(text);
      text = text.replaceFirst(
          "\npackage ", "\n// Derived from " + source + " by GenerateCopies: change those, not this.\npackage ");
      Path file = output.resolve(name + ".java");
      written.add(file);
      // An unchanged file keeps its time stamp, so that an incremental build compiles nothing.
      if (!Files.exists(file) || !Files.readString(file).equals(text)) {
        Files.writeString(file, text);
      }
    }

    private String called(String text, String method, String[] texts) {
      StringBuilder result = new StringBuilder();
      int done = 0;
      for (int at = text.indexOf(method + "("); at >= 0; at = text.indexOf(method + "(", done)) {
        List<String> arguments = new ArrayList<>();
        int end = arguments(text, at + method.length() + 1, arguments);
        boolean masked = arguments.get(arguments.size() - 1).matches("mask|EVEN_\\d");
        int which = fewest.containsKey(method) ? arguments.size() - fewest.get(method) : masked ? 1 : 0;
        String by = texts[which]
            .replace("$L", arguments.get(arguments.size() - 1));
        for (int i = 0; i < arguments.size(); i++) {
          by = by.replace("$" + i, arguments.get(i));
        }
        result.append(text, done, at).append(by);
        done = end;
      }
      if (done == 0) {
        throw new IllegalStateException(name + ": no call of " + method + " in " + source);
      }
      return result.append(text, done, text.length()).toString();
    }

    /** Finds the arguments of a call from behind its parenthesis on; returns the end of the call. */
    private static int arguments(String text, int from, List<String> arguments) {
      int depth = 1;
      int start = from;
      for (int i = from;; i++) {
        char c = text.charAt(i);
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (depth == 0 || depth == 1 && c == ',') {
          arguments.add(text.substring(start, i).strip());
          start = i + 1;
        }
        if (depth == 0) {
          return i + 1;
        }
      }
    }

    private String replaced(String text) {
      Pattern any = Pattern.compile(replacements.keySet().stream()
          .sorted(Comparator.comparing(String::length).reversed())
          .map(Variant::pattern).collect(Collectors.joining("|")));
      Set<String> unused = new HashSet<>(replacements.keySet());
      String result = any.matcher(text).replaceAll(match -> {
        String word = replacements.containsKey(match.group()) ? match.group() : match.group() + "*";
        unused.remove(word);
        return Matcher.quoteReplacement(replacements.get(word));
      });
      if (!unused.isEmpty()) {
        throw new IllegalStateException(
            name + ": nothing in " + source + " to replace: " + new TreeSet<>(unused));
      }
      return result;
    }

    private static String pattern(String word) {
      boolean prefix = word.endsWith("*");
      String text = prefix ? word.substring(0, word.length() - 1) : word;
      return (isLetter(text.charAt(0)) ? "\\b" : "") + Pattern.quote(text)
          + (!prefix && isLetter(text.charAt(text.length() - 1)) ? "\\b" : "");
    }

    private static boolean isLetter(char c) {
      return Character.isJavaIdentifierPart(c);
    }
  }
}
