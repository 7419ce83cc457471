// SPDX-License-Identifier: Apache-2.0
package kernels;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kernels.Representations.Operation;
import kernels.Representations.Pair;
import kernels.Representations.PairOperation;
import kernels.Representations.Scalar;
import kernels.Representations.Storage;

/**
 * Writes the reduction kernels: {@code java kernels/GenerateKernels.java <output folder>}, run by the build before it
 * compiles.
 *
 * <p>Java has no generics over primitive types, and a loop is fast only if it sees one type and one operation. So each
 * representation gets a class with one nested class per operation, all from two templates: one for elements of one
 * number, one for elements of two (complex numbers; value and index). A third makes the vector loops, in classes apart,
 * since they must not be linked where the Vector API is missing.
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
    List<String> imports = new ArrayList<>(List.of("org.ffmpi.base.raw.Memory", "org.ffmpi.base.raw.Raw"));
    if (scalar.storage().hasLanes()) {
      imports.addFirst("org.ffmpi.base.raw.Lanes");
    }
    if (scalar.operations().stream().anyMatch(o -> !tiledFrom(scalar, o).isEmpty())) {
      imports.addFirst("java.util.concurrent.atomic.AtomicReference");
      body.append(Templates.POOL.replace("@width", "" + scalar.storage().width)
          .replace("@type", scalar.storage().type));
    }
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
      // For bytes in two kinds of memory such loops are no faster than plain ones.
      boolean direct = integers && array != Storage.BYTE;
      String many = onFrom(direct ? "MANY" : tiledFrom, "reduceMany(in, array, from, count)");
      String template = Templates.ARRAY_METHODS
          + (direct ? Templates.ARRAY_LOOP : tiledFrom.isEmpty() ? "" : Templates.ARRAY_TILES);
      template = template.replace("@lanes", lanes(Templates.ARRAY_LANES, Templates.ARRAY_LANE, scalar));
      methods.append(expandElement(template, scalar, array)
          .replace("@vectorCall", vectors ? vectorCall(method, "in, array, from, count") : "").replace("@many", many));
    }
    String text = Templates.SCALAR_KERNEL
        .replace("@lanes", lanes(Templates.LANES, Templates.LANE, scalar))
        .replace("@vectorCall", operation.vector() == null ? "" : vectorCall(method, "left, right, out, count"))
        .replace("@tilesMethod", tiledFrom.isEmpty() ? "" : Templates.TILES)
        .replace("@tiles", onFrom(tiledFrom, "combineTiles(left, right, out, count)"))
        .replace("@cases", cases).replace("@arrayMethods", methods);
    text = expand(expand(text, "load", scalar.load()), "store", scalar.store());
    return text
        .replace("@Op", camel(operation.name())).replace("@Name", scalar.name()).replace("@width", "" + storage.width)
        .replace("@arith", scalar.arithmetic()).replace("@scalar", operation.scalar()).replace("@type", storage.type)
        .replace("@raw", storage.raw).replace("@kind", storage.kind);
  }

  /**
   * Returns from how many elements two copies into arrays, vector code there and a copy back beat a loop over native
   * memory; empty where they never do. Without vectors a maximum of numbers with NaNs and two zeros takes long.
   */
  private static String tiledFrom(Scalar scalar, Operation operation) {
    boolean slow = scalar.arithmetic().equals("float") || scalar.arithmetic().equals("double");
    slow &= operation.name().startsWith("M");
    return slow ? "TILED_IF_SLOW_FROM"
        : scalar.storage().width < Integer.BYTES ? "MANY"
        : scalar.storage().width < Long.BYTES ? "TILED_FROM" : "";
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

  private static String onFrom(String limit, String call) {
    return limit.isEmpty() ? "" : """
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

          /** All memory, by absolute address: one constant segment, so that no other slows the loops. */
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
}
