// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Java half of {@code scripts/jextract mpi}. It writes the options for an {@code mpi.h}, and compares the table of
 * its ABI and the types of all calls with the classes that jextract has made of it. Handles that are addresses of
 * variables have no value before a library is loaded, so nothing is generated for them.
 */
public final class MpiJextract {
  /** Package of the generated classes. */
  static final String PACKAGE = "org.ffmpi.mpi.binding.generated";

  /** Generated class that holds constants and functions. */
  static final String HEADER_CLASS = "mpi_h";

  private static final String STATUS = "MPI_Status";
  private static final Pattern OFFSET = Pattern.compile("offsetof \\(MPI_Status, (\\w+)\\)");

  private MpiJextract() {}

  /**
   * Writes the options, or compares.
   *
   * @param args {@code write FOLDER ABI}, or {@code compare ABI}
   */
  public static void main(String[] args) throws IOException, ReflectiveOperationException {
    if (args.length == 3 && args[0].equals("write")) {
      write(Path.of(args[1]), MpiAbi.valueOf(args[2]));
    } else if (args.length == 2 && args[0].equals("compare")) {
      System.exit(compare(MpiAbi.valueOf(args[1])) ? 0 : 1);
    } else {
      throw new IllegalArgumentException("write FOLDER ABI, or compare ABI");
    }
  }

  private static List<MpiTable.Function> functions() {
    return MpiTable.functions().stream()
        .filter(function -> function.name().startsWith("MPI_") && !function.name().endsWith("_c")).toList();
  }

  private static boolean isOfStatus(MpiTable.Row row) {
    return row.inC().contains(STATUS + ")") || row.inC().contains(STATUS + ",");
  }

  private static void write(Path folder, MpiAbi abi) throws IOException {
    TreeSet<String> includes = new TreeSet<>();
    for (MpiTable.Row row : MpiTable.rows(abi)) {
      if (row.variable() == null && !isOfStatus(row)) {
        includes.add("--include-constant " + row.inC());
      }
    }
    // A typedef of a structure that has another name, or none.
    List.of("--include-struct MPI_Status", "--include-typedef MPI_Status", "--include-struct ompi_status_public_t")
        .forEach(includes::add);
    functions().forEach(function -> includes.add("--include-function " + function.name()));
    Files.write(folder.resolve("includes.txt"), includes);
    Files.write(folder.resolve("all.h"), List.of("#include <mpi.h>"));
  }

  private static boolean compare(MpiAbi abi) throws ReflectiveOperationException {
    Class<?> header = Class.forName(PACKAGE + "." + HEADER_CLASS);
    int equal = 0;
    int addresses = 0;
    List<String> differences = new ArrayList<>();
    for (MpiTable.Row row : MpiTable.rows(abi)) {
      if (row.variable() != null) {
        addresses++;
        continue;
      }
      Long generated = isOfStatus(row) ? ofStatus(row.inC()) : number(call(header, row.inC()));
      if (generated == null) {
        differences.add(row + "; jextract generated nothing for it");
      } else if (generated != row.value()) {
        differences.add(row + ", in what jextract generated " + generated);
      } else {
        equal++;
      }
    }
    for (MpiTable.Function function : functions()) {
      FunctionDescriptor generated = (FunctionDescriptor) call(header, function.name() + "$descriptor");
      if (generated == null) {
        differences.add("jextract generated no function " + function.name());
      } else if (!types(function, abi).equals(types(generated))) {
        differences.add(function.name() + " is " + generated + ", here it has " + types(function, abi));
      } else {
        equal++;
      }
    }
    differences.forEach(System.err::println);
    System.out.println(equal + " numbers and signatures agree with the headers, " + differences.size() + " do not, "
        + addresses + " are addresses");
    return differences.isEmpty();
  }

  private static Long number(Object generated) {
    return switch (generated) {
      case null -> null;
      case MemorySegment pointer -> pointer.address();
      case Number number -> number.longValue();
      default -> throw new IllegalStateException("not a number: " + generated);
    };
  }

  private static Long ofStatus(String inC) throws ReflectiveOperationException {
    try {
      MemoryLayout layout = (MemoryLayout) call(Class.forName(PACKAGE + "." + STATUS), "layout");
      Matcher offset = OFFSET.matcher(inC);
      return layout == null ? null
          : offset.matches() ? layout.byteOffset(PathElement.groupElement(offset.group(1))) : layout.byteSize();
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /** What a function of C passes: an int, or 8 bytes. */
  private static List<String> types(MpiTable.Function function, MpiAbi abi) {
    return function.arguments().equals("void")
        ? List.of()
        : List.of(function.arguments().split(", ")).stream().map(type -> kind(type, abi)).toList();
  }

  private static String kind(String type, MpiAbi abi) {
    boolean handle = type.matches("MPI_(Comm|Datatype|Op|Errhandler|Info)");
    return type.equals("int") || handle && abi.handleBytes() == Integer.BYTES ? "4 bytes" : "8 bytes";
  }

  private static List<String> types(FunctionDescriptor generated) {
    return generated.argumentLayouts().stream().map(layout -> ((ValueLayout) layout).byteSize() + " bytes").toList();
  }

  /** Calls a static method without arguments; null without such a method. */
  private static Object call(Class<?> owner, String name) throws ReflectiveOperationException {
    try {
      Method method = owner.getMethod(name);
      method.setAccessible(true);
      return method.invoke(null);
    } catch (NoSuchMethodException e) {
      return null;
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(owner + "." + name + " fails", e.getCause());
    }
  }
}
