// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.ffmpi.mpi.binding.Linking.InC;

/** The numbers and functions of the room as a table, for the test of the headers and for jextract. Loads no library. */
final class MpiTable {
  /** The classes with a method per function of MPI. */
  static final List<Class<?>> CALLS = List.of(
      NativeEnvironment.class, NativeComms.class, NativeMessages.class, NativeRequests.class, NativeCollectives.class);

  private static final Pattern FUNCTION = Pattern.compile("(.*\\W)(\\w+) \\((.*)\\)");

  private MpiTable() {}

  /**
   * A number or handle.
   *
   * @param name its name in Java
   * @param inC the expression of the same value in C
   * @param value its value in Java, where it has a fixed one
   * @param variable the variable whose address it is, or null
   */
  record Row(String name, String inC, long value, String variable) {
    @Override
    public String toString() {
      return name + ", " + inC + " in C, is " + (variable == null ? value : "the address of " + variable);
    }
  }

  /**
   * A function.
   *
   * @param name its name
   * @param result the type of its result
   * @param arguments the types of its arguments, as C has them
   */
  record Function(String name, String result, String arguments) {
    /** The types that a method of Java has for the arguments: ints, and longs for addresses and handles. */
    List<String> javaTypes() {
      return arguments.equals("void")
          ? List.of()
          : Stream.of(arguments.split(", ")).map(type -> type.equals("int") ? "int" : "long").toList();
    }
  }

  /** Returns all rows of an ABI. */
  static List<Row> rows(MpiAbi abi) {
    List<Row> rows = new ArrayList<>();
    for (AbiValue value : AbiValue.values()) {
      rows.add(new Row(value.name(), value.inC(), value.value(abi), value.variable(abi)));
    }
    String own = switch (abi) {
      case MPICH -> "MPICH_";
      case OPEN_MPI -> "OPEN_MPI_";
      case STANDARD -> "MPI_5_";
    };
    fixedRows(NativeStatus.Members.class).stream().filter(row -> row.name().startsWith(own)).forEach(rows::add);
    return rows;
  }

  /** Returns the numbers of a class that are constants of the compiler. */
  static List<Row> fixedRows(Class<?> owner) {
    List<Row> rows = new ArrayList<>();
    for (Field field : owner.getDeclaredFields()) {
      InC inC = field.getAnnotation(InC.class);
      if (inC != null && field.getType() == int.class) {
        rows.add(new Row(field.getName(), inC.value(), value(field), null));
      }
    }
    return rows;
  }

  /** Returns all functions that are linked. */
  static List<Function> functions() {
    List<Function> functions = new ArrayList<>();
    List<Class<?>> owners = new ArrayList<>(CALLS);
    owners.addAll(List.of(DynamicLinker.class, SignalRules.class));
    owners.addAll(List.of(NativeStatus.class.getDeclaredClasses()));
    for (Class<?> owner : owners) {
      for (Field field : owner.getDeclaredFields()) {
        InC inC = field.getAnnotation(InC.class);
        if (inC != null && field.getType() != int.class) {
          functions.add(function(inC.value()));
        }
      }
    }
    return functions;
  }

  /** Reads a declaration. */
  static Function function(String declaration) {
    Matcher function = FUNCTION.matcher(declaration);
    if (!function.matches()) {
      throw new IllegalStateException("not the declaration of a function: " + declaration);
    }
    return new Function(function.group(2), function.group(1).strip(), function.group(3));
  }

  private static long value(Field field) {
    try {
      return field.getInt(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(field + " cannot be read", e);
    }
  }
}
