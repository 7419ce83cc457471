// SPDX-License-Identifier: Apache-2.0
package copies;

/** One end of a copy: native memory or a kind of array, and how loops reach it. */
enum Side {
  NATIVE("Native", null, null),
  BYTES("Byte", "byte", "BYTES"),
  CHARS("Char", "char", "CHARS"),
  SHORTS("Short", "short", "SHORTS"),
  INTS("Int", "int", "INTS"),
  LONGS("Long", "long", "LONGS"),
  FLOATS("Float", "float", "FLOATS"),
  DOUBLES("Double", "double", "DOUBLES");

  final String prefix;
  private final String element;
  private final String kind;

  Side(String prefix, String element, String kind) {
    this.prefix = prefix;
    this.element = element;
    this.kind = kind;
  }

  /** Fills in a text in which this side is the user's. */
  String fill(String text) {
    return parameters(text, this)
        .replace("@Prefix", prefix)
        .replace("@cast", this == NATIVE ? "" : "(" + element + "[]) array, ")
        .replace("@out", this == NATIVE ? "move" : "out")
        .replace("@in", this == NATIVE ? "move" : "in")
        .replace("@what", this == NATIVE ? "native memory" : "{@code " + element + "[]}");
  }

  /** Fills in loops that read from this side and write to another; at most one of them is an array. */
  String loops(String text, Side target, String name) {
    Side user = this == NATIVE ? target : this;
    String filled = parameters(text, user).replace("@dir", name);
    filled = filled.replace("@bulk(", user == NATIVE ? "Raw.copy("
        : this == NATIVE ? "Memory.write(Memory." + user.kind + ", a, " : "Memory.read(Memory." + user.kind + ", a, ");
    if (user != NATIVE && this == NATIVE) {
      // Memory.write takes the array's side first.
      filled = filled.replaceAll("(Memory\\.write\\(Memory\\.\\w+, a, )([^,]+), ([^,]+), ", "$1$3, $2, ");
    }
    for (String word : new String[] {"Byte", "Short", "Int", "Long"}) {
      filled = filled
          .replaceAll("@get" + word + "\\(([^()]+)\\)", getter(word))
          .replaceAll("@put" + word + "\\(([^,]+), ", target.setter(word));
    }
    return filled;
  }

  private static String parameters(String text, Side user) {
    return user == NATIVE
        ? text.replace("@array ", "").replace("@a, ", "").replaceAll("\\n *@view\\n", "\n")
        : text.replace("@array ", user.element + "[] a, ").replace("@a, ", "a, ")
            .replace("@view", "MemorySegment m = MemorySegment.ofArray(a);");
  }

  private String getter(String word) {
    return this == NATIVE ? "Raw.get" + word + "($1)" : "m.get(" + layout(word) + ", $1)";
  }

  private String setter(String word) {
    return this == NATIVE ? "Raw.put" + word + "($1, " : "m.set(" + layout(word) + ", $1, ";
  }

  private static String layout(String word) {
    return word.equals("Byte") ? "ValueLayout.JAVA_BYTE" : "ValueLayout.JAVA_" + word.toUpperCase() + "_UNALIGNED";
  }
}
