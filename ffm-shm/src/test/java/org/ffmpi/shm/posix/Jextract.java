// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.posix;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;

/**
 * The Java half of {@code scripts/jextract}. It writes the options, and compares the numbers and the signature of this
 * room with the classes that jextract has made of the headers of the machine.
 *
 * <p>Uses of generated classes only what jextract has had since it generates for final versions of {@code
 * java.lang.foreign}: a method per constant, {@code layout()} of structures, {@code makeInvoker} and {@code
 * descriptor()} of functions with a variable number of arguments.
 */
public final class Jextract {
  /** Package of the generated classes. */
  static final String PACKAGE = "org.ffmpi.shm.posix.generated";

  /** Generated class that holds constants and functions. */
  static final String HEADER_CLASS = "posix_h";

  private Jextract() {}

  /**
   * Writes the header and the options, or compares.
   *
   * @param args {@code write FOLDER}, or {@code compare}
   */
  public static void main(String[] args) throws IOException, ReflectiveOperationException {
    if (args.length == 2 && args[0].equals("write")) {
      write(Path.of(args[1]));
    } else if (args.length == 1 && args[0].equals("compare")) {
      System.exit(compare() ? 0 : 1);
    } else {
      throw new IllegalArgumentException("write FOLDER, or compare");
    }
  }

  private static void write(Path folder) throws IOException {
    List<String> header = new ArrayList<>(List.of("#define _GNU_SOURCE"));
    NativeTable.HEADERS.forEach(name -> header.add("#include <" + name + ">"));
    Files.write(folder.resolve("posix.h"), header);
    TreeSet<String> includes = new TreeSet<>();
    for (NativeTable.Number number : NativeTable.numbersHere()) {
      String type = number.member() != null ? number.member()[0] : number.sized();
      if (type == null) {
        includes.add("--include-constant " + number.inC());
      } else if (type.startsWith("struct ")) {
        includes.add("--include-struct " + name(type));
      } else if (type.endsWith("_t")) { // a structure without a name: one or the other, with the version of clang
        includes.add("--include-struct " + type);
        includes.add("--include-typedef " + type);
      }
    }
    NativeTable.functions().forEach(function -> includes.add("--include-function " + function.name()));
    Files.write(folder.resolve("includes.txt"), includes);
  }

  private static boolean compare() throws ReflectiveOperationException {
    Class<?> header = Class.forName(PACKAGE + "." + HEADER_CLASS);
    int equal = 0;
    List<String> differences = new ArrayList<>();
    for (NativeTable.Number number : NativeTable.numbersHere()) {
      Long generated = generated(header, number);
      if (generated == null) {
        differences.add(number + "; jextract generated nothing for it");
      } else if (generated != number.value()) {
        differences.add(number + ", in what jextract generated " + generated);
      } else {
        equal++;
      }
    }
    FunctionDescriptor syscall = syscall(header);
    if (syscall == null) {
      differences.add("jextract generated no function syscall");
    } else if (!syscall.toMethodType().equals(Posix.SIGNATURE.toMethodType())) {
      differences.add("syscall is " + syscall + ", here it is " + Posix.SIGNATURE);
    } else {
      equal++;
    }
    differences.forEach(System.err::println);
    System.out.println(equal + " numbers and signatures agree with the headers, " + differences.size() + " do not");
    return differences.isEmpty();
  }

  private static String name(String type) {
    return type.substring(type.lastIndexOf(' ') + 1);
  }

  /** The value of a number in the generated classes, or null. */
  private static Long generated(Class<?> header, NativeTable.Number number) throws ReflectiveOperationException {
    String[] member = number.member();
    String type = member != null ? member[0] : number.sized();
    if (type == null) {
      Object value = call(header, number.inC());
      return value == null ? null : ((java.lang.Number) value).longValue();
    }
    MemoryLayout layout = switch (type) {
      case "int" -> primitive(header, "C_INT");
      case "unsigned long" -> primitive(header, "C_LONG");
      default -> structure(name(type));
    };
    if (layout == null) {
      return null;
    }
    return member == null ? layout.byteSize() : layout.byteOffset(PathElement.groupElement(member[1]));
  }

  private static MemoryLayout primitive(Class<?> header, String name) throws ReflectiveOperationException {
    Field layout = header.getField(name);
    layout.setAccessible(true); // such fields are inherited from classes that need not be public
    return (MemoryLayout) layout.get(null);
  }

  private static MemoryLayout structure(String name) throws ReflectiveOperationException {
    try {
      return (MemoryLayout) call(Class.forName(PACKAGE + "." + name), "layout");
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  private static FunctionDescriptor syscall(Class<?> header) throws ReflectiveOperationException {
    for (Class<?> nested : header.getClasses()) {
      if (nested.getSimpleName().equals("syscall")) {
        Method maker = nested.getMethod("makeInvoker", MemoryLayout[].class);
        maker.setAccessible(true);
        List<MemoryLayout> layouts = Posix.SIGNATURE.argumentLayouts();
        MemoryLayout[] variable =
            Collections.nCopies(layouts.size() - 1, layouts.getFirst()).toArray(MemoryLayout[]::new);
        Object invoker = maker.invoke(null, (Object) variable);
        Method descriptor = nested.getMethod("descriptor");
        descriptor.setAccessible(true);
        return (FunctionDescriptor) descriptor.invoke(invoker);
      }
    }
    return null;
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
      throw new UncheckedIOException(new IOException(owner + "." + name + " fails", e.getCause()));
    }
  }
}
