// SPDX-License-Identifier: Apache-2.0
package copies;

import java.util.Locale;
import java.util.regex.Pattern;

/** One end of a copy: native memory or a kind of array, and how loops reach it. */
enum Side {
  NATIVE("Native", null, null, 1, "Byte", "Byte"),
  BYTES("Byte", "byte", "BYTES", 1, "Byte", "Byte"),
  CHARS("Char", "char", "CHARS", 2, "Short", "Short"),
  SHORTS("Short", "short", "SHORTS", 2, "Short", "Short"),
  INTS("Int", "int", "INTS", 4, "Int", "Integer"),
  LONGS("Long", "long", "LONGS", 8, "Long", "Long"),
  FLOATS("Float", "float", "FLOATS", 4, "Float", "Float"),
  DOUBLES("Double", "double", "DOUBLES", 8, "Double", "Double");

  private static final String[] WORDS = {"Byte", "Short", "Int", "Long"};

  final String prefix;
  final int width;
  private final String element;
  private final String kind;
  private final String lane;
  private final String box;

  Side(String prefix, String element, String kind, int width, String lane, String box) {
    this.prefix = prefix;
    this.element = element;
    this.kind = kind;
    this.width = width;
    this.lane = lane;
    this.box = box;
  }

  /** Whether words of any size can be reached at any byte; otherwise there are elements only. */
  boolean hasWords() {
    return this == NATIVE || this == BYTES;
  }

  /** The vector class of this side's elements. */
  String vector() {
    return lane + "Vector";
  }

  /** What elements are called in the names of conversions. */
  String lanes() {
    return lane + "s";
  }

  /** Fills in a text in which this side is the user's. */
  String fill(String text) {
    return parameters(text, this)
        .replace("@Prefix", prefix).replace("@Box", box).replace("@V", vector())
        .replace("@cast", this == NATIVE ? "" : "(" + element + "[]) array, ")
        .replace("@out", this == NATIVE ? "move" : "out")
        .replace("@in", this == NATIVE ? "move" : "in")
        .replace("bytes / @width", width == 1 ? "bytes" : "bytes / " + width)
        .replace("@what", this == NATIVE ? "native memory" : "{@code " + element + "[]}");
  }

  /** Fills in loops that read from this side and write to another; at most one of them is an array. */
  String loops(String text, Side target, String direction) {
    Side user = this == NATIVE ? target : this;
    String filled = loopHeads(text);
    filled = parameters(filled, user)
        .replace("@dir", direction).replace("@DIR", direction.toUpperCase(Locale.ROOT))
        .replace("@Vectors", user.prefix + "Vectors").replace("@Copies", user.prefix + "Copies")
        .replace("@andWhole", user.width == 1 ? "" : " && @whole(s, d, bytes)")
        .replace("@Box", user.box).replace("@V", user.vector())
        .replace("@type", user == NATIVE ? "long" : user.element).replace("@width", "" + user.width)
        .replace("@alignedGrid", user.width == 1 ? "true" : "(("
            + (this == NATIVE ? "dst | dstOuter | dstInner" : "src | srcOuter | srcInner")
            + " | block) & " + (user.width - 1) + ") == 0")
        .replaceAll("@aligned\\((\\w+), (\\w+), (\\w+), (\\w+), (\\w+)\\)",
            user.width == 1 ? "true"
                : "((" + (this == NATIVE ? "$3 | $4" : "$1 | $2") + " | $5) & " + (user.width - 1) + ") == 0")
        .replaceAll("@alignedElements\\(([^,]+), (\\w+)\\)( \\|\\| )?",
            user.width == 1 ? "" : "(($1 | $2) & " + (user.width - 1) + ") != 0$3")
        .replaceAll(" *if \\(\\) \\{\\n *return false;\\n *\\}\\n", "")
        .replaceAll("@whole\\((\\w+), (\\w+), (\\w+)\\)",
            "((" + (this == NATIVE ? "$2" : "$1") + " | $3) & " + (user.width - 1) + ") == 0");
    filled = bulk(filled, user, target);
    filled = read(filled, user);
    return target.written(filled, user);
  }

  private static String loopHeads(String text) {
    String filled = lines(text, "@four\\(([^,]+), ([^,]+), ([^,]+), ([^,]+)\\)", CopyTemplates.FOUR);
    filled = lines(filled, "@begin", CopyTemplates.BEGIN);
    filled = lines(filled, "@each", "for (int i = 0; i < count; i++) {\n");
    filled = lines(filled, "@byFour", "int i = 0;\nfor (int end = count - 3; i < end; i += 4) {\n");
    filled = lines(filled, "@rest", "for (; i < count; i++) {\n");
    filled = lines(filled, "@stepFour", "s += 4 * srcStep;\nd += 4 * dstStep;\n");
    return lines(filled, "@step", "s += srcStep;\nd += dstStep;\n");
  }

  /** Puts lines in the place of a line, indented like it. */
  private static String lines(String text, String pattern, String lines) {
    return Pattern.compile("(?m)^( *)" + pattern + "\\n").matcher(text)
        .replaceAll(lines.replaceAll("(?m)^(?=.)", "\\$1"));
  }

  private String bulk(String text, Side user, Side target) {
    if (user == NATIVE) {
      return text.replace("@bulk(", "Raw.copy(");
    }
    String memory = "Memory." + (this == NATIVE ? "write" : "read") + "(Memory." + user.kind + ", a, ";
    return this == NATIVE
        ? text.replaceAll("@bulk\\(([^,]+), ([^,]+), ", memory.replace("$", "") + "$2, $1, ")
        : text.replace("@bulk(", memory);
  }

  /** Fills in how this side is read. */
  private String read(String text, Side user) {
    String filled = text.replaceAll("@sc\\((\\w+)\\)", width == 1 ? "$1" : "$1 / " + width);
    for (String word : WORDS) {
      filled = filled.replaceAll("@get" + word + "\\(([^()]+)\\)", getter(word));
    }
    String native_ = "Raw.get" + user.prefix + "(s + " + user.width + "L * ($1))";
    return filled
        .replace("@S ", this == NATIVE ? "long " : "int ")
        .replaceAll("@s\\((\\w+)\\)", this == NATIVE ? "$1" : index("$1"))
        .replace("@unitS", this == NATIVE ? "" + user.width : "1")
        .replaceAll("@getAt\\(([^()]+)\\)", this == NATIVE ? "Raw.get" + user.prefix + "($1)" : "a[$1]")
        .replaceAll("@get\\(([^()]+)\\)", this == NATIVE ? native_ : "a[s + $1]")
        .replaceAll("@load(\\d+)\\(([^()]+)\\)", this == NATIVE
            ? user.vector() + ".fromMemorySegment(S$1, MEMORY, $2, ORDER)"
            : vector() + ".from" + (this == CHARS ? "Char" : "") + "Array(S$1, a, $2)")
        .replaceAll("@loadMasked(\\d+)\\(([^()]+), mask\\)", this == NATIVE
            ? user.vector() + ".fromMemorySegment(S$1, MEMORY, $2, ORDER, mask)"
            : vector() + ".from" + (this == CHARS ? "Char" : "") + "Array(S$1, a, $2, mask)");
  }

  /** Fills in how this side is written. */
  private String written(String text, Side user) {
    String filled = text;
    for (String word : WORDS) {
      filled = filled.replaceAll("@put" + word + "\\(([^,]+), ", setter(word));
    }
    String into = this == NATIVE ? ".intoMemorySegment(MEMORY, $2, ORDER" : ".into"
        + (this == CHARS ? "Char" : "") + "Array(a, $2";
    return filled
        .replaceAll("@dc\\((\\w+)\\)", width == 1 ? "$1" : "$1 / " + width)
        .replace("@D ", this == NATIVE ? "long " : "int ")
        .replaceAll("@d\\((\\w+)\\)", this == NATIVE ? "$1" : index("$1"))
        .replace("@unitD", this == NATIVE ? "" + user.width : "1")
        .replaceAll("@putAt\\(([^,]+), (.+)\\);",
            this == NATIVE ? "Raw.put" + user.prefix + "($1, $2);" : "a[$1] = $2;")
        .replaceAll("@put\\(([^,]+), (.+)\\);", this == NATIVE
            ? "Raw.put" + user.prefix + "(d + " + user.width + "L * ($1), $2);" : "a[d + $1] = $2;")
        .replaceAll("@store(\\d+)\\(([^,]+), (.*)\\);", "$3" + into + ");")
        .replaceAll("@masked(\\d+)\\(([^,]+), (.*), ([^,]+)\\);", "$3" + into + ", $4);");
  }

  private static String parameters(String text, Side user) {
    return user == NATIVE
        ? text.replace("@array ", "").replace("@a, ", "").replaceAll("\\n *@view\\n", "\n")
        : text.replace("@array ", user.element + "[] a, ").replace("@a, ", "a, ")
            .replaceAll(user == BYTES ? "\\n *@view\\n" : "@view\\n",
                user == BYTES ? "\n" : "MemorySegment m = MemorySegment.ofArray(a);\n");
  }

  /** The element at a byte offset. */
  private String index(String offset) {
    int shift = Integer.numberOfTrailingZeros(width);
    return shift == 0 ? "(int) (" + offset + ")" : "(int) ((" + offset + ") >> " + shift + ")";
  }

  private String getter(String word) {
    return switch (this) {
      case NATIVE -> "Raw.get" + word + "($1)";
      case BYTES -> word.equals("Byte") ? "a[$1]"
          : "(" + word.toLowerCase(Locale.ROOT) + ") " + word.toUpperCase(Locale.ROOT) + ".get(a, $1)";
      default -> "m.get(" + layout(word) + ", $1)";
    };
  }

  private String setter(String word) {
    return switch (this) {
      case NATIVE -> "Raw.put" + word + "($1, ";
      case BYTES -> word.equals("Byte") ? "a[$1] = ("
          : word.toUpperCase(Locale.ROOT) + ".set(a, $1, ";
      default -> "m.set(" + layout(word) + ", $1, ";
    };
  }

  private static String layout(String word) {
    return word.equals("Byte")
        ? "ValueLayout.JAVA_BYTE" : "ValueLayout.JAVA_" + word.toUpperCase(Locale.ROOT) + "_UNALIGNED";
  }
}
