// SPDX-License-Identifier: Apache-2.0
package kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The representations for which kernels are generated: the storage of their elements, and the operations on them. */
final class Representations {
  private Representations() {}

  /** A type of array that stores numbers, and the ways in which kernels access it. */
  enum Storage {
    BOOLEAN("boolean", "Byte", "BOOLEANS", 1, null),
    BYTE("byte", "Byte", "BYTES", 1, "Byte"),
    CHAR("char", "Short", "CHARS", 2, null),
    SHORT("short", "Short", "SHORTS", 2, "Short"),
    INT("int", "Int", "INTS", 4, "Integer"),
    LONG("long", "Long", "LONGS", 8, "Long"),
    FLOAT("float", "Float", "FLOATS", 4, "Float"),
    DOUBLE("double", "Double", "DOUBLES", 8, "Double");

    final String type;
    final String raw;
    final String kind;
    final int width;
    final String box;

    Storage(String type, String raw, String kind, int width, String box) {
      this.type = type;
      this.raw = raw;
      this.kind = kind;
      this.width = width;
      this.box = box;
    }

    /** Returns whether eight numbers in native memory are accessed at once. */
    boolean hasLanes() {
      return width >= 4;
    }

    /** Returns the expression that reads one of eight numbers at an address. */
    String getLane(int lane, String address) {
      return switch (this) {
        case FLOAT -> "Float.intBitsToFloat(Lanes.getInt" + lane + "(" + address + "))";
        case DOUBLE -> "Double.longBitsToDouble(Lanes.getLong" + lane + "(" + address + "))";
        default -> "Lanes.get" + raw + lane + "(" + address + ")";
      };
    }

    /** Returns the statement that writes one of eight numbers at an address. */
    String putLane(int lane, String address, String value) {
      return switch (this) {
        case FLOAT -> "Lanes.putInt" + lane + "(" + address + ", Float.floatToRawIntBits(" + value + "))";
        case DOUBLE -> "Lanes.putLong" + lane + "(" + address + ", Double.doubleToRawLongBits(" + value + "))";
        default -> "Lanes.put" + raw + lane + "(" + address + ", " + value + ")";
      };
    }

    String vector() {
      return (this == INT ? "Int" : box) + "Vector";
    }
  }

  /**
   * An operation on two numbers or vectors {@code a} (left) and {@code b} (right).
   *
   * @param name of the operation
   * @param scalar the result as a Java expression
   * @param vector the result as an expression of vectors; null where plain loops do as well or vectors are badly
   *     supported
   */
  record Operation(String name, String scalar, String vector) {}

  /**
   * A representation of one number.
   *
   * @param name prefix of the generated classes
   * @param storage how it is stored
   * @param arithmetic the Java type computed with
   * @param load expression that turns a stored {@code x} into the arithmetic type
   * @param store expression that turns an arithmetic {@code x} into the stored type
   * @param otherArrays arrays it may lie in besides the storage's own
   * @param operations what can be computed
   * @param fallback prefix of the class that has the remaining operations, or null
   */
  record Scalar(
      String name,
      Storage storage,
      String arithmetic,
      String load,
      String store,
      List<Storage> otherArrays,
      List<Operation> operations,
      String fallback) {}

  /**
   * An operation on elements of two numbers {@code a0, a1} and {@code b0, b1}, with results {@code r0, r1}.
   *
   * @param name of the operation
   * @param body statements that declare the results
   */
  record PairOperation(String name, String body) {}

  /**
   * A representation of an element of two numbers.
   *
   * @param name prefix of the generated class
   * @param first how the first number is stored
   * @param second how the second number is stored
   * @param stride bytes between elements
   * @param arithmetic the Java types computed with
   * @param load as for scalars
   * @param store as for scalars
   * @param operations what can be computed
   */
  record Pair(
      String name,
      Storage first,
      Storage second,
      int stride,
      String arithmetic,
      String load,
      String store,
      List<PairOperation> operations) {
    /** Both numbers are aligned to their widths. */
    int secondAt() {
      return Math.max(first.width, second.width);
    }
  }

  static List<Scalar> scalars() {
    List<Storage> none = List.of();
    return List.of(
        new Scalar("Int8", Storage.BYTE, "int", "x", "(byte) x", List.of(Storage.BOOLEAN), signed(false), null),
        new Scalar("UInt8", Storage.BYTE, "int", "x & 0xff", "(byte) x", none, unsigned("Byte", false), "Int8"),
        new Scalar("Int16", Storage.SHORT, "int", "x", "(short) x", List.of(Storage.CHAR), signed(true), null),
        new Scalar("UInt16", Storage.SHORT, "int", "x & 0xffff", "(short) x", List.of(Storage.CHAR),
            unsigned("Short", false), "Int16"),
        new Scalar("Int32", Storage.INT, "int", "x", "x", none, signed(true), null),
        new Scalar("UInt32", Storage.INT, "int", "x", "x", none, unsigned("Integer", true), "Int32"),
        // A 64-bit vector multiplication is missing in NEON, where the API would fall back to objects.
        new Scalar("Int64", Storage.LONG, "long", "x", "x", none, signed(false), null),
        new Scalar("UInt64", Storage.LONG, "long", "x", "x", none, unsigned("Long", true), "Int64"),
        // Sum and product of two halves, rounded to float and then to half, equal the correctly rounded ones.
        new Scalar("Float16", Storage.SHORT, "float", "Float.float16ToFloat(x)", "Float.floatToFloat16(x)", none,
            floating(false), null),
        new Scalar("Float32", Storage.FLOAT, "float", "x", "x", none, floating(true), null),
        new Scalar("Float64", Storage.DOUBLE, "double", "x", "x", none, floating(true), null));
  }

  private static List<Operation> signed(boolean vectorProduct) {
    return List.of(
        new Operation("SUM", "a + b", "a.add(b)"),
        new Operation("PROD", "a * b", vectorProduct ? "a.mul(b)" : null),
        new Operation("MIN", "Math.min(a, b)", "a.min(b)"),
        new Operation("MAX", "Math.max(a, b)", "a.max(b)"),
        new Operation("BAND", "a & b", "a.and(b)"),
        new Operation("BOR", "a | b", "a.or(b)"),
        new Operation("BXOR", "a ^ b", "a.lanewise(VectorOperators.XOR, b)"),
        new Operation("LAND", "a != 0 & b != 0 ? 1 : 0", null),
        new Operation("LOR", "(a | b) != 0 ? 1 : 0", null),
        new Operation("LXOR", "a != 0 ^ b != 0 ? 1 : 0", null));
  }

  /** Flipping the sign bit turns unsigned order into signed order, for which every processor has instructions. */
  private static List<Operation> unsigned(String box, boolean flipScalars) {
    List<Operation> operations = new ArrayList<>();
    for (String name : List.of("MIN", "MAX")) {
      String function = name.toLowerCase(Locale.ROOT);
      String flip = box + ".MIN_VALUE";
      String scalar = flipScalars
          ? "Math." + function + "(a ^ " + flip + ", b ^ " + flip + ") ^ " + flip
          : "Math." + function + "(a, b)";
      String xor = ".lanewise(VectorOperators.XOR, " + flip + ")";
      operations.add(new Operation(name, scalar, "a" + xor + "." + function + "(b" + xor + ")" + xor));
    }
    return operations;
  }

  private static List<Operation> floating(boolean vectors) {
    return List.of(
        new Operation("SUM", "a + b", vectors ? "a.add(b)" : null),
        new Operation("PROD", "a * b", vectors ? "a.mul(b)" : null),
        new Operation("MIN", "Math.min(a, b)", vectors ? "a.min(b)" : null),
        new Operation("MAX", "Math.max(a, b)", vectors ? "a.max(b)" : null));
  }

  static List<Pair> pairs() {
    List<PairOperation> product = List.of(new PairOperation("PROD", """
        #A0 r0 = a0 * b0 - a1 * b1;
        #A0 r1 = a0 * b1 + a1 * b0;
        """));
    return List.of(
        new Pair("ComplexFloat16", Storage.SHORT, Storage.SHORT, 4, "float float", "Float.float16ToFloat(x)",
            "Float.floatToFloat16(x)", product),
        new Pair("ComplexFloat32", Storage.FLOAT, Storage.FLOAT, 8, "float float", "x", "x", product),
        new Pair("ComplexFloat64", Storage.DOUBLE, Storage.DOUBLE, 16, "double double", "x", "x", product),
        // Little-endian: the low half comes first.
        new Pair("Int128", Storage.LONG, Storage.LONG, 16, "long long", "x", "x", wide()),
        new Pair("Float32Int32", Storage.FLOAT, Storage.INT, 8, "float int", "x", "x", located(true)),
        new Pair("Float64Int32", Storage.DOUBLE, Storage.INT, 16, "double int", "x", "x", located(true)),
        new Pair("Int64Int32", Storage.LONG, Storage.INT, 16, "long int", "x", "x", located(false)),
        new Pair("Int32Int32", Storage.INT, Storage.INT, 8, "int int", "x", "x", located(false)),
        new Pair("Int16Int32", Storage.SHORT, Storage.INT, 8, "short int", "x", "x", located(false)),
        new Pair("Float32Float32", Storage.FLOAT, Storage.FLOAT, 8, "float float", "x", "x", located(true)),
        new Pair("Float64Float64", Storage.DOUBLE, Storage.DOUBLE, 16, "double double", "x", "x", located(true)));
  }

  /** Integers of two words, low word first. Kernels of single words do the bitwise operations. */
  private static List<PairOperation> wide() {
    List<PairOperation> operations = new ArrayList<>();
    operations.add(new PairOperation("SUM", """
        #A0 r0 = a0 + b0;
        #A1 r1 = a1 + b1 + (Long.compareUnsigned(r0, a0) < 0 ? 1 : 0);
        """));
    operations.add(new PairOperation("PROD", """
        #A0 r0 = a0 * b0;
        #A1 r1 = Math.unsignedMultiplyHigh(a0, b0) + a0 * b1 + a1 * b0;
        """));
    for (String name : List.of("MAX", "MIN")) {
      String sign = name.equals("MAX") ? ">" : "<";
      operations.add(new PairOperation(name, """
          boolean leftWins = a1 == b1 ? Long.compareUnsigned(a0, b0) %s 0 : a1 %s b1;
          #A0 r0 = leftWins ? a0 : b0;
          #A1 r1 = leftWins ? a1 : b1;
          """.formatted(sign, sign)));
    }
    return operations;
  }

  /** The winning value keeps its index. Equal values, both zeros, and two NaNs are ties. */
  private static List<PairOperation> located(boolean floating) {
    List<PairOperation> operations = new ArrayList<>();
    for (String name : List.of("MAXLOC", "MINLOC")) {
      String sign = name.startsWith("MAX") ? ">" : "<";
      String function = name.startsWith("MAX") ? "max" : "min";
      String winner = floating ? "Math." + function + "(a0, b0)" : "leftWins ? a0 : b0";
      String leftIsNaN = floating ? " || a0 != a0 && b0 == b0" : "";
      String rightIsNaN = floating ? " || b0 != b0 && a0 == a0" : "";
      operations.add(new PairOperation(name, """
          boolean leftWins = a0 %s b0%s;
          boolean rightWins = b0 %s a0%s;
          #A0 r0 = %s;
          #A1 r1 = leftWins ? a1 : rightWins ? b1 : Math.min(a1, b1);
          """.formatted(sign, leftIsNaN, sign, rightIsNaN, winner)));
    }
    return operations;
  }
}
