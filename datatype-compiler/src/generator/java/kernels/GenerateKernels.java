// SPDX-License-Identifier: Apache-2.0
package kernels;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kernels.GenerateKernels.Representations.Operation;
import kernels.GenerateKernels.Representations.Pair;
import kernels.GenerateKernels.Representations.PairOperation;
import kernels.GenerateKernels.Representations.Scalar;
import kernels.GenerateKernels.Representations.Storage;

/**
 * Writes the reduction kernels. The build runs {@code java kernels/GenerateKernels.java <output folder>} before it
 * compiles.
 *
 * <p>Java has no generics over primitive types, and a loop is fast only if it sees one type and one operation. So each
 * representation has a class with one nested class per operation, all from two templates: one for elements of one
 * number, one for elements of two (complex numbers; value and index). A third makes the vector loops, in separate
 * classes, since they must not be linked where the Vector API is missing.
 *
 * <p>This file is long because it runs as source, by the JDK that the build finds, and before Java 22 a program that
 * runs as source is one file. The representations and the templates follow in classes of their own.
 */
public final class GenerateKernels {
  private static final String PACKAGE = "org.ffmpi.datatype.reduce";

  private final Path folder;

  private GenerateKernels(Path folder) {
    this.folder = folder;
  }

  /**
   * Generates everything.
   *
   * @param args the folder of generated sources
   * @throws IOException when it cannot be written
   */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]).resolve(PACKAGE.replace('.', '/'));
    Files.createDirectories(folder);
    GenerateKernels generator = new GenerateKernels(folder);
    for (Scalar scalar : Representations.scalars()) {
      generator.scalarKernels(scalar);
      if (scalar.operations().stream().anyMatch(o -> o.vector() != null)) {
        generator.vectorKernels(scalar);
      }
    }
    for (Pair pair : Representations.pairs()) {
      generator.pairKernels(pair);
    }
  }

  // ---- elements of one number

  private void scalarKernels(Scalar scalar) throws IOException {
    StringBuilder body = new StringBuilder();
    List<String> imports = new ArrayList<>(List.of("org.ffmpi.base.raw.Memory", "org.ffmpi.base.raw.Raw",
        "org.ffmpi.base.raw.Views"));
    if (scalar.storage().hasLanes()) {
      imports.add(0, "org.ffmpi.base.raw.Lanes");
    }
    imports.addAll(0, List.of("java.nio." + scalar.storage().raw + "Buffer",
        "java.util.concurrent.atomic.AtomicReference"));
    body.append(Templates.POOL.replace("@width", "" + scalar.storage().width)
        .replace("@type", scalar.storage().type));
    of(body, scalar.operations().stream().map(Operation::name).toList(),
        scalar.fallback() == null ? "null" : scalar.fallback() + "Kernels.of(op)");
    for (Operation operation : scalar.operations()) {
      body.append('\n').append(scalarKernel(scalar, operation));
    }
    write(scalar.name() + "Kernels", "Reductions of " + scalar.name() + " elements", imports, body);
  }

  private static String scalarKernel(Scalar scalar, Operation operation) {
    Storage storage = scalar.storage();
    String method = operation.name().toLowerCase(Locale.ROOT);
    List<Storage> arrays = new ArrayList<>(List.of(storage));
    for (Storage other : scalar.otherArrays()) {
      // Truth values are combined by logical operations only.
      if (other != Storage.BOOLEAN || operation.name().startsWith("L")) {
        arrays.add(other);
      }
    }
    String tiledFrom = tiledFrom(scalar, operation);
    boolean integers = scalar.arithmetic().equals("int") || scalar.arithmetic().equals("long");
    StringBuilder cases = new StringBuilder();
    StringBuilder methods = new StringBuilder();
    for (Storage array : arrays) {
      cases.append("        case Memory.").append(array.kind)
          .append(" -> reduceInto(in, (").append(array.type).append("[]) array, from, count);\n");
      boolean vectors = operation.vector() != null && array != Storage.BOOLEAN;
      // The loop for other numbers is also correct, but one without pieces is faster where it is vectorized.
      boolean direct = integers && array != Storage.BYTE;
      String many = onFrom("MANY", "reduceMany(in, array, from, count)");
      String template = Templates.ARRAY_METHODS + (direct ? Templates.ARRAY_LOOP : Templates.ARRAY_TILES);
      boolean copies = array == storage;
      template = (copies ? template + Templates.ARRAY_COPIES : template)
          .replace("@lanes", lanes(Templates.ARRAY_LANES, Templates.ARRAY_LANE, scalar))
          .replace("@static", copies ? "" : " static")
          .replace("@copies", copies ? COPIES_CALL : "");
      methods.append(expandElement(template, scalar, array)
          .replace("@vectorCall", vectors ? vectorCall(method, "in, array, from, count") : "").replace("@many", many));
    }
    String text = Templates.SCALAR_KERNEL
        .replace("@lanes", lanes(Templates.LANES, Templates.LANE, scalar))
        .replace("@vectorCall", operation.vector() == null ? "" : vectorCall(method, "left, right, out, count"))
        .replace("@tilesMethod", Templates.TILES.replace("@from", tiledFrom))
        .replace("@tiles", onFrom(tiledFrom, "combineTiles(left, right, out, count)"))
        .replace("@cases", cases).replace("@arrayMethods", methods);
    text = expand(expand(text, "load", scalar.load()), "store", scalar.store());
    return text
        .replace("@Op", camel(operation.name())).replace("@Name", scalar.name()).replace("@width", "" + storage.width)
        .replace("@arith", scalar.arithmetic()).replace("@scalar", operation.scalar()).replace("@type", storage.type)
        .replace("@raw", storage.raw).replace("@kind", storage.kind)
        .replace("@Buffer", storage.raw + "Buffer").replace("@views", storage.type + "s");
  }

  /**
   * Returns from how many elements a copy into an array and vector code beat a loop over native memory. Without vectors
   * a maximum of numbers with NaNs and two zeros takes long.
   */
  private static String tiledFrom(Scalar scalar, Operation operation) {
    boolean slow = scalar.arithmetic().equals("float") && operation.name().startsWith("M");
    return switch (scalar.storage().width) {
      case Long.BYTES -> "TILED_FROM";
      case Integer.BYTES -> slow ? "TILED_FROM" : "TILED_INTS_FROM";
      default -> "MANY";
    };
  }

  /** Returns a loop over eight numbers at a time, or nothing for numbers that are too short. */
  private static String lanes(String loop, String body, Scalar scalar) {
    Storage storage = scalar.storage();
    if (!storage.hasLanes()) {
      return "";
    }
    StringBuilder eight = new StringBuilder();
    for (int lane = 0; lane < 8; lane++) {
      eight.append(body
          .replace("@getLeft", storage.getLane(lane, "left8")).replace("@getRight", storage.getLane(lane, "right8"))
          .replace("@putOut", storage.putLane(lane, "out8", "@store(r@lane)")).replace("@lane", "" + lane));
    }
    return loop.replace("@eight", eight);
  }

  private static String vectorCall(String method, String arguments) {
    return """
              if (VectorSupport.PRESENT) {
                @NameVectors.%s(%s);
                return;
              }
        """.formatted(method, arguments);
  }

  private static final String COPIES_CALL = """
              if (count >= FEW && !runsLong(count)) {
                reduceCopies(in, array, from, count);
                return;
              }
        """;

  private static String onFrom(String limit, String call) {
    return """
              if (count >= %s) {
                %s;
                return;
              }
        """.formatted(limit, call);
  }

  // ---- vector loops

  private void vectorKernels(Scalar scalar) throws IOException {
    Storage storage = scalar.storage();
    StringBuilder body = new StringBuilder("""
          private static final VectorSpecies<@Box> SPECIES = @Vector.SPECIES_PREFERRED;
          private static final ByteOrder ORDER = ByteOrder.nativeOrder();

          /** All memory, by absolute address; one constant segment, so that no other slows the loops. */
          private static final MemorySegment MEMORY = Raw.view(0, Long.MAX_VALUE);

          /** Elements in a loop that counts with ints, which the compiler optimizes best; a multiple of any vector. */
          private static final int BLOCK = 1 << 24;

          private static final long BLOCK_BYTES = (long) BLOCK * @width;
        """.replace("@Box", storage.box).replace("@Vector", storage.vector()).replace("@width", "" + storage.width));
    for (Operation operation : scalar.operations()) {
      if (operation.vector() != null) {
        String text = Templates.VECTOR_KERNEL + vectorArray(scalar, storage);
        if (scalar.otherArrays().contains(Storage.CHAR)) {
          text += vectorArray(scalar, Storage.CHAR);
        }
        body.append('\n').append(expand(expand(text, "load", scalar.load()), "store", scalar.store())
            .replace("@op", operation.name().toLowerCase(Locale.ROOT)).replace("@width", "" + storage.width)
            .replace("@vector", operation.vector()).replace("@Vector", storage.vector())
            .replace("@scalar", operation.scalar()).replace("@arith", scalar.arithmetic())
            .replace("@type", storage.type).replace("@raw", storage.raw));
      }
    }
    List<String> imports = new ArrayList<>(List.of("java.lang.foreign.MemorySegment", "java.nio.ByteOrder",
        "jdk.incubator.vector." + storage.vector()));
    if (body.indexOf("VectorOperators.") >= 0) {
      imports.add("jdk.incubator.vector.VectorOperators");
    }
    imports.addAll(List.of("jdk.incubator.vector.VectorSpecies", "org.ffmpi.base.raw.Raw"));
    write(scalar.name() + "Vectors", "Vector loops for reductions of " + scalar.name()
        + " elements; linked only where the Vector API is present", imports, body);
  }

  private static String vectorArray(Scalar scalar, Storage array) {
    return expandElement(Templates.VECTOR_ARRAY_KERNEL, scalar, array)
        .replace("@Array", array == Storage.CHAR ? "Char" : "");
  }

  // ---- elements of two numbers

  private void pairKernels(Pair pair) throws IOException {
    StringBuilder body = new StringBuilder();
    of(body, pair.operations().stream().map(PairOperation::name).toList(), "null");
    boolean sameStorage = pair.first() == pair.second();
    String[] arithmetic = pair.arithmetic().split(" ");
    for (PairOperation operation : pair.operations()) {
      String compute = """
          #A0 a0 = @load(x0);
          #A1 a1 = @load(x1);
          #A0 b0 = @load(y0);
          #A1 b1 = @load(y1);
          """ + operation.body();
      String text = Templates.PAIR_KERNEL
          .replace("@array", sameStorage ? Templates.PAIR_ARRAY : "      return false;\n")
          .replace("@compute", compute.strip().replace("\n", "\n        "))
          .replace("#A0", arithmetic[0]).replace("#A1", arithmetic[1]);
      body.append('\n').append(expand(expand(text, "load", pair.load()), "store", pair.store())
          .replace("@Op", camel(operation.name())).replace("@Name", pair.name())
          .replace("@unit", "" + pair.first().width).replace("@stride", "" + pair.stride())
          .replace("@span", "" + (pair.secondAt() + pair.second().width)).replace("@second", "" + pair.secondAt())
          .replace("@S0", pair.first().type).replace("@S1", pair.second().type)
          .replace("@raw0", pair.first().raw).replace("@raw1", pair.second().raw).replace("@kind", pair.first().kind));
    }
    List<String> imports = sameStorage
        ? List.of("org.ffmpi.base.raw.Memory", "org.ffmpi.base.raw.Raw")
        : List.of("org.ffmpi.base.raw.Raw");
    write(pair.name() + "Kernels", "Reductions of " + pair.name() + " elements", imports, body);
  }

  // ---- pieces of text

  /** Replaces {@code @name(argument)} by an expression of {@code x}, with the argument for {@code x}. */
  private static String expand(String text, String name, String expression) {
    return text.replaceAll("@" + name + "\\((\\w+)\\)", expression.replaceAll("\\bx\\b", "\\$1"));
  }

  /** Fills in how elements are read from and written to one kind of array. */
  private static String expandElement(String text, Scalar scalar, Storage array) {
    String load = switch (array) {
      case BOOLEAN -> "x ? 1 : 0";
      // A char holds the bits; the representation decides whether they have a sign.
      case CHAR -> scalar.load().equals("x") ? "(short) x" : scalar.load();
      default -> scalar.load();
    };
    String store = switch (array) {
      case BOOLEAN -> "x != 0";
      case CHAR -> "(char) x";
      default -> scalar.store();
    };
    return expand(expand(text, "loadElement", load), "storeElement", store).replace("@element", array.type);
  }

  private static String camel(String name) {
    return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
  }

  private static void of(StringBuilder body, List<String> operations, String otherwise) {
    body.append("  /** Returns the kernel of an operation, or null when it is not defined here. */\n");
    body.append("  static ReduceKernel of(PredefinedOp op) {\n    return switch (op) {\n");
    for (String operation : operations) {
      body.append("      case ").append(operation).append(" -> new ").append(camel(operation)).append("();\n");
    }
    body.append("      default -> ").append(otherwise).append(";\n    };\n  }\n");
  }

  private void write(String name, String comment, List<String> imports, StringBuilder body) throws IOException {
    StringBuilder text = new StringBuilder("// SPDX-License-Identifier: Apache-2.0\n");
    text.append("// Written by GenerateKernels: change that, not this.\n");
    text.append("package ").append(PACKAGE).append(";\n\n");
    for (String imported : imports) {
      text.append("import ").append(imported).append(";\n");
    }
    text.append("\n/** ").append(comment).append(". */\nfinal class ").append(name).append(" {\n");
    text.append(body).append("\n  private ").append(name).append("() {}\n}\n");
    Path file = folder.resolve(name + ".java");
    // An unchanged file keeps its time stamp, so that an incremental build compiles nothing.
    if (!Files.exists(file) || !Files.readString(file).contentEquals(text)) {
      Files.writeString(file, text);
    }
  }

  // ---- operations and representations

  /**
   * The representations for which kernels are generated, with the storage of their elements and the operations on them.
   */
  static final class Representations {
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

  /**
   * The kernels' text. Words that begin with {@code @} are replaced: {@code @load(x)} and the like by an expression,
   * the others by a name, a type or a number of the representation.
   */
  static final class Templates {
    private Templates() {}

    /** One operation on elements of one number: native memory, tiles, and the choice among arrays. */
    static final String SCALAR_KERNEL = """
          /** @Op of @Name elements. */
          static final class @Op extends ElementKernel {
            @Op() {
              super(@width, @width, @width);
            }

            private static @arith apply(@arith a, @arith b) {
              return @scalar;
            }

            @Override
            public void reduce(long in, long inout, long count) {
              combine(in, inout, inout, count);
            }

            /** Works also when the results replace the right operands: each is read before its result is written. */
            @Override
            public void combine(long left, long right, long out, long count) {
        @vectorCall      if (count >= FEW && !runsLong(count)) {
                combineCopies(left, right, out, count);
                return;
              }
        @tiles      combineFew(left, right, out, count);
            }

            private static void combineCopies(long left, long right, long out, long count) {
              @type[][] tiles = acquireTiles();
              for (long done = 0; done < count; done += TILE) {
                int n = (int) Math.min(count - done, TILE);
                long at = done * @width;
                long bytes = (long) n * @width;
                Memory.write(Memory.@kind, tiles[0], 0, left + at, bytes);
                Memory.write(Memory.@kind, tiles[1], 0, right + at, bytes);
                combineArrays(tiles[0], tiles[1], n);
                Memory.read(Memory.@kind, tiles[1], 0, out + at, bytes);
              }
              releaseTiles(tiles);
            }

            private static void combineArrays(@type[] left, @type[] right, int count) {
              for (int i = 0; i < count; i++) {
                @type x = left[i];
                @type y = right[i];
                @arith r = apply(@load(x), @load(y));
                right[i] = @store(r);
              }
            }

            private static void combineFew(long left, long right, long out, long count) {
              long at = 0;
        @lanes      for (long end = count * @width; at < end; at += @width) {
                @type x = Raw.get@raw(left + at);
                @type y = Raw.get@raw(right + at);
                @arith r = apply(@load(x), @load(y));
                Raw.put@raw(out + at, @store(r));
              }
            }
        @tilesMethod
            @Override
            boolean reduceArray(long in, Object array, int kind, int from, int count) {
              switch (kind) {
        @cases        default -> {
                  return false;
                }
              }
              return true;
            }
        @arrayMethods  }
        """;

    /** Part of SCALAR_KERNEL for numbers that are long enough, with LANE eight times. */
    static final String LANES = """
              for (long end = (count & -Lanes.COUNT) * @width; at < end; at += Lanes.COUNT * @width) {
                long left8 = left + at;
                long right8 = right + at;
                long out8 = out + at;
        @eight      }
        """;

    /** One of eight numbers. */
    static final String LANE = """
                @type x@lane = @getLeft;
                @type y@lane = @getRight;
                @arith r@lane = apply(@load(x@lane), @load(y@lane));
                @putOut;
        """;

    /** The same in ARRAY_METHODS. */
    static final String ARRAY_LANES = """
              for (int end = count - Lanes.COUNT; done <= end; done += Lanes.COUNT) {
                long left8 = in + (long) done * @width;
                int right8 = from + done;
        @eight      }
        """;

    /** One of eight numbers. */
    static final String ARRAY_LANE = """
                @type x@lane = @getLeft;
                @element y@lane = array[right8 + @lane];
                @arith r@lane = apply(@load(x@lane), @loadElement(y@lane));
                array[right8 + @lane] = @storeElement(r@lane);
        """;

    /**
     * Part of SCALAR_KERNEL: loops that the compiler vectorizes. It does not vectorize a loop that both loads from and
     * stores to native memory, where the operands might overlap, so one of them is an array; nor always one whose index
     * into native memory is a sum, so this index counts.
     */
    static final String TILES = """

            private static void combineTiles(long left, long right, long out, long count) {
              @type[][] tiles = acquireTiles();
              @type[] tile = tiles[0];
              long done = 0;
              for (int n; count - done >= @from; done += n) {
                n = (int) Math.min(count - done, TILE);
                long at = done * @width;
                Memory.write(Memory.@kind, tile, 0, left + at, (long) n * @width);
                if (right == out) {
                  combineInto(tile, out + at, n);
                } else {
                  combineTile(right + at, tile, n);
                  Memory.read(Memory.@kind, tile, 0, out + at, (long) n * @width);
                }
              }
              releaseTiles(tiles);
              combineFew(left + done * @width, right + done * @width, out + done * @width, count - done);
            }

            private static void combineInto(@type[] tile, long out, int count) {
              @Buffer b = Views.@views(out);
              int from = Views.index(out, @width);
              for (int i = from, end = from + Math.min(count, TILE); i < end; i++) {
                @type x = tile[i - from];
                @type y = b.get(i);
                @arith r = apply(@load(x), @load(y));
                b.put(i, @store(r));
              }
            }

            private static void combineTile(long right, @type[] tile, int count) {
              @Buffer b = Views.@views(right);
              int from = Views.index(right, @width);
              for (int i = from, end = from + Math.min(count, TILE); i < end; i++) {
                @type x = tile[i - from];
                @type y = b.get(i);
                @arith r = apply(@load(x), @load(y));
                tile[i - from] = @store(r);
              }
            }
        """;

    /** Two tiles for all kernels of a representation, one for each operand. */
    static final String POOL = """
          private static final int TILE = ElementKernel.TILE_BYTES / @width;

          /** The tiles that are not in use. A second thread allocates its own; one pair is kept afterwards. */
          private static final AtomicReference<@type[][]> TILES = new AtomicReference<>();

          private static @type[][] acquireTiles() {
            @type[][] tiles = TILES.getAndSet(null);
            return tiles != null ? tiles : new @type[2][TILE];
          }

          private static void releaseTiles(@type[][] tiles) {
            TILES.setRelease(tiles);
          }

        """;

    /** Part of SCALAR_KERNEL for each kind of array: for few elements, or for all where no other loop is faster. */
    static final String ARRAY_METHODS = """

            private@static void reduceInto(long in, @element[] array, int from, int count) {
        @vectorCall@copies@many      reduceFew(in, array, from, count);
            }

            private static void reduceFew(long in, @element[] array, int from, int count) {
              int done = 0;
        @lanes      for (; done < count; done++) {
                @type x = Raw.get@raw(in + (long) done * @width);
                @element y = array[from + done];
                @arith r = apply(@load(x), @loadElement(y));
                array[from + done] = @storeElement(r);
              }
            }
        """;

    /** Part of ARRAY_METHODS for arrays of the type that tiles have. */
    static final String ARRAY_COPIES = """

            private static void reduceCopies(long in, @type[] array, int from, int count) {
              @type[][] tiles = acquireTiles();
              for (int done = 0; done < count; done += TILE) {
                int n = Math.min(count - done, TILE);
                Memory.write(Memory.@kind, tiles[0], 0, in + (long) done * @width, (long) n * @width);
                System.arraycopy(array, from + done, tiles[1], 0, n);
                combineArrays(tiles[0], tiles[1], n);
                System.arraycopy(tiles[1], 0, array, from + done, n);
              }
              releaseTiles(tiles);
            }
        """;

    /** Part of SCALAR_KERNEL for arrays of integers longer than bytes, which the compiler vectorizes. */
    static final String ARRAY_LOOP = """

            private static void reduceMany(long in, @element[] array, int from, int count) {
              for (int i = 0; i < count; i++) {
                @type x = Raw.get@raw(in + (long) i * @width);
                @element y = array[from + i];
                @arith r = apply(@load(x), @loadElement(y));
                array[from + i] = @storeElement(r);
              }
            }
        """;

    /** The same for other numbers: the compiler vectorizes loops over buffers, see {@code Views}. */
    static final String ARRAY_TILES = """

            private static void reduceMany(long in, @element[] array, int from, int count) {
              for (int done = 0; done < count; done += TILE) {
                reduceTile(in + (long) done * @width, array, from + done, count - done);
              }
            }

            private static void reduceTile(long in, @element[] array, int to, int count) {
              @Buffer a = Views.@views(in);
              int from = Views.index(in, @width);
              for (int i = from, end = from + Math.min(count, TILE); i < end; i++) {
                @type x = a.get(i);
                @element y = array[to + (i - from)];
                @arith r = apply(@load(x), @loadElement(y));
                array[to + (i - from)] = @storeElement(r);
              }
            }
        """;

    /** Vector loop over native memory. */
    static final String VECTOR_KERNEL = """
          static void @op(long left, long right, long out, long count) {
            for (long done = 0; done < count; done += BLOCK) {
              long at = done * @width;
              @opBlock(left + at, right + at, out + at, (int) Math.min(count - done, BLOCK));
            }
          }

          private static void @opBlock(long left, long right, long out, int count) {
            int i = 0;
            for (int end = SPECIES.loopBound(count); i < end; i += SPECIES.length()) {
              long at = (long) i * @width;
              @Vector a = @Vector.fromMemorySegment(SPECIES, MEMORY, left + at, ORDER);
              @Vector b = @Vector.fromMemorySegment(SPECIES, MEMORY, right + at, ORDER);
              @vector.intoMemorySegment(MEMORY, out + at, ORDER);
            }
            for (; i < count; i++) {
              long at = (long) i * @width;
              @type x = Raw.get@raw(left + at);
              @type y = Raw.get@raw(right + at);
              @arith a = @load(x);
              @arith b = @load(y);
              @arith r = @scalar;
              Raw.put@raw(out + at, @store(r));
            }
          }
        """;

    /** Vector loop into one kind of array. */
    static final String VECTOR_ARRAY_KERNEL = """

          static void @op(long in, @element[] array, int from, int count) {
            int i = 0;
            for (int end = SPECIES.loopBound(count); i < end; i += SPECIES.length()) {
              @Vector a = @Vector.fromMemorySegment(SPECIES, MEMORY, in + (long) i * @width, ORDER);
              @Vector b = @Vector.from@ArrayArray(SPECIES, array, from + i);
              @vector.into@ArrayArray(array, from + i);
            }
            for (; i < count; i++) {
              @type x = Raw.get@raw(in + (long) i * @width);
              @element y = array[from + i];
              @arith a = @load(x);
              @arith b = @loadElement(y);
              @arith r = @scalar;
              array[from + i] = @storeElement(r);
            }
          }
        """;

    /** One operation on elements of two numbers. */
    static final String PAIR_KERNEL = """
          /** @Op of @Name elements. */
          static final class @Op extends ElementKernel {
            @Op() {
              super(@unit, @stride, @span);
            }

            @Override
            public void reduce(long in, long inout, long count) {
              combine(in, inout, inout, count);
            }

            /** Works also when the results replace the right operands: each is read before its result is written. */
            @Override
            public void combine(long left, long right, long out, long count) {
              for (long at = 0, end = count * @stride; at < end; at += @stride) {
                @S0 x0 = Raw.get@raw0(left + at);
                @S1 x1 = Raw.get@raw1(left + at + @second);
                @S0 y0 = Raw.get@raw0(right + at);
                @S1 y1 = Raw.get@raw1(right + at + @second);
                @compute
                Raw.put@raw0(out + at, @store(r0));
                Raw.put@raw1(out + at + @second, @store(r1));
              }
            }

            @Override
            boolean reduceArray(long in, Object array, int kind, int from, int count) {
        @array    }
          }
        """;

    /** Part of PAIR_KERNEL where both numbers have one type, so that an array can hold them. */
    static final String PAIR_ARRAY = """
              if (kind != Memory.@kind) {
                return false;
              }
              @S0[] b = (@S0[]) array;
              long at = in;
              for (int i = from, end = from + 2 * count; i < end; i += 2, at += @stride) {
                @S0 x0 = Raw.get@raw0(at);
                @S0 x1 = Raw.get@raw0(at + @second);
                @S0 y0 = b[i];
                @S0 y1 = b[i + 1];
                @compute
                b[i] = @store(r0);
                b[i + 1] = @store(r1);
              }
              return true;
        """;
  }
}
