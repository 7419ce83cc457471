// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.ffmpi.mpi.binding.Linking.InC;
import org.ffmpi.mpi.binding.NativeJob.Answer;
import org.ffmpi.mpi.binding.NativeJob.Installed;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of the ABIs, and the calls' types, against what each library's compiler makes of its {@code mpi.h}. */
@Tag("process")
@Timeout(120)
class MpiHeadersTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void numbersAndHandlesAreThoseOfTheHeader(Installed library) throws Exception {
    List<MpiTable.Row> rows = MpiTable.rows(library.abi);
    assertTrue(rows.size() > 55, rows::toString);
    assertEquals(List.of(), differences(library, rows));
  }

  @ParameterizedTest
  @EnumSource
  void aWrongNumberIsFound(Installed library) throws Exception {
    List<MpiTable.Row> wrong = List.of(
        new MpiTable.Row("TAG", "MPI_ANY_TAG", 77, null), new MpiTable.Row("ROOT", "MPI_ROOT", -99, null));
    assertEquals(2, differences(library, wrong).size());
  }

  @ParameterizedTest
  @EnumSource
  void functionsHaveTheTypesOfTheHeader(Installed library) throws Exception {
    StringBuilder text = new StringBuilder("""
        #define _GNU_SOURCE
        #include <mpi.h>
        #include <dlfcn.h>
        #include <signal.h>
        #include <stdlib.h>
        """);
    List<MpiTable.Function> functions = MpiTable.functions();
    assertTrue(functions.size() > 25, functions::toString);
    for (MpiTable.Function f : functions) {
      if (f.name().endsWith("_c")) { // of MPI-4, which not every library has
        text.append("#if MPI_VERSION >= 4\n");
      }
      text.append("_Static_assert (__builtin_types_compatible_p (__typeof__ (%s), %s (%s)), \"%s\");%n"
          .formatted(f.name(), f.result(), f.arguments(), f.name()));
      text.append(f.name().endsWith("_c") ? "#endif\n" : "");
    }
    // What the engine passes: each argument as a long.
    text.append("_Static_assert (sizeof (long) == 8 && sizeof (void *) == 8 && sizeof (int) == 4, \"64 bits\");\n");
    text.append("_Static_assert (sizeof (MPI_Request) == %d && sizeof (MPI_Comm) == %d, \"handles\");%n"
        .formatted(library.abi.handleBytes(), library.abi.handleBytes()));
    text.append("_Static_assert (_Generic (((MPI_Status *) 0)->MPI_SOURCE, int: 1, default: 0), \"status\");\n");
    assertEquals("", output(library, "functions", text.append("int main (void) { return 0; }\n").toString()));
  }

  @Test
  void systemNumbersAreThoseOfTheHeader() throws Exception {
    List<MpiTable.Row> rows = new ArrayList<>(MpiTable.fixedRows(DynamicLinker.class));
    rows.addAll(MpiTable.fixedRows(SignalRules.class));
    assertEquals(16, rows.size(), rows::toString);
    assertEquals(List.of(), differences(Installed.OPEN_MPI, rows));
  }

  @Test
  void everyMethodPassesWhatItsFunctionHas() {
    List<String> wrong = new ArrayList<>();
    for (Class<?> owner : MpiTable.CALLS) {
      Map<String, Method> methods = new TreeMap<>();
      Stream.of(owner.getDeclaredMethods()).filter(m -> Modifier.isPublic(m.getModifiers()))
          .forEach(m -> methods.put(m.getName().toUpperCase(Locale.ROOT), m));
      for (Field field : owner.getDeclaredFields()) {
        InC inC = field.getAnnotation(InC.class);
        if (inC == null) {
          wrong.add(field + " says nothing of C");
          continue;
        }
        MpiTable.Function function = MpiTable.function(inC.value());
        if (!function.name().equals("MPI_" + field.getName().charAt(0)
            + field.getName().substring(1).toLowerCase(Locale.ROOT))) {
          wrong.add(field + " is " + function.name() + " in C");
        }
        String name = switch (field.getName()) {
          case "FINALIZE" -> "FINALIZELIBRARY";
          case "WAIT" -> "AWAIT";
          default -> field.getName().replace("_", "");
        };
        Method method = methods.remove(name);
        List<String> types = method == null
            ? List.of("none") : Stream.of(method.getParameterTypes()).map(Class::getName).toList();
        if (!types.equals(function.javaTypes())) {
          wrong.add(inC.value() + " has the method " + method);
        }
      }
      methods.values().forEach(method -> wrong.add(method + " has no function"));
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void valuesOfMpi5AreOfTheRangesThatItFixes() {
    Set<Long> handles = new TreeSet<>();
    for (AbiValue value : EnumSet.range(AbiValue.COMM_NULL, AbiValue.LXOR)) {
      long handle = value.value(MpiAbi.STANDARD);
      assertTrue(handles.add(handle), value + " is not the only one with its value");
      // The value says the kind: operations come first, then other objects, then datatypes.
      long from = value.compareTo(AbiValue.SUM) >= 0 ? 0x20
          : value.compareTo(AbiValue.BYTE) < 0 ? 0x100 : 0x200;
      long to = from == 0x20 ? 0x3f : from == 0x100 ? 0x1ff : 0x2ff;
      assertTrue(handle >= from && handle <= to, value + " = 0x" + Long.toHexString(handle));
    }
    // A fixed-size type has the binary logarithm of its size in bits 5 to 3.
    assertEquals(List.of(0L, 0L, 0L, 1L, 1L, 2L, 2L, 3L, 3L), Stream.of(
        AbiValue.BYTE, AbiValue.INT8, AbiValue.UINT8, AbiValue.INT16, AbiValue.UINT16, AbiValue.INT32, AbiValue.UINT32,
        AbiValue.INT64, AbiValue.UINT64).map(type -> type.value(MpiAbi.STANDARD) >> 3 & 7).toList());
    List<AbiValue> negative = List.of(AbiValue.ANY_SOURCE, AbiValue.ANY_TAG, AbiValue.PROC_NULL, AbiValue.UNDEFINED);
    assertTrue(negative.stream().allMatch(value -> value.value(MpiAbi.STANDARD) < 0));
    assertEquals(4, negative.stream().map(value -> value.value(MpiAbi.STANDARD)).distinct().count());
    List<Long> levels = Stream.of(AbiValue.THREAD_SINGLE, AbiValue.THREAD_FUNNELED, AbiValue.THREAD_SERIALIZED,
        AbiValue.THREAD_MULTIPLE).map(value -> value.value(MpiAbi.STANDARD)).toList();
    assertEquals(levels.stream().sorted().distinct().toList(), levels);
    for (AbiValue value : AbiValue.values()) {
      if (value.errorClass() != null) { // this project's own numbers are those of MPI-5
        assertEquals(value.errorClass().code(), value.value(MpiAbi.STANDARD), value.name());
      }
    }
    assertEquals(8 * Integer.BYTES, AbiValue.STATUS_BYTES.value(MpiAbi.STANDARD));
  }

  @Test
  void allConstantsComeFromTheTable() {
    Set<String> rows = new TreeSet<>(Arrays.stream(AbiValue.values()).map(Enum::name).toList());
    Set<String> constants = new TreeSet<>();
    for (Field field : MpiConstants.class.getDeclaredFields()) {
      if (Modifier.isPublic(field.getModifiers())) {
        constants.add(field.getName());
      }
    }
    constants.removeAll(Set.of("HANDLE_BYTES", "SUCCESS"));
    rows.removeIf(name -> name.startsWith("ERR_"));
    assertEquals(rows, constants);
  }

  private List<String> differences(Installed library, List<MpiTable.Row> rows) throws Exception {
    StringBuilder text = new StringBuilder("""
        #define _GNU_SOURCE
        #include <mpi.h>
        #include <dlfcn.h>
        #include <signal.h>
        #include <stddef.h>
        #include <stdio.h>
        int main (void) {
        """);
    for (MpiTable.Row row : rows) {
      text.append(row.variable() == null
          ? "  printf (\"%%lld\\n\", (long long) (%s));%n".formatted(row.inC())
          : "  printf (\"%%d\\n\", (void *) %s == (void *) &%s);%n".formatted(row.inC(), row.variable()));
    }
    List<String> lines = output(library, "numbers", text.append("  return 0;\n}\n").toString()).lines().toList();
    assertEquals(rows.size(), lines.size());
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      MpiTable.Row row = rows.get(i);
      long found = Long.parseLong(lines.get(i));
      if (row.variable() != null ? found != 1 : found != row.value()) {
        differences.add(row + ", in the header of " + library + " " + found);
      }
    }
    return differences;
  }

  private String output(Installed library, String name, String text) throws Exception {
    NativeJob.assumeThere(library.compiler);
    Path source = Files.writeString(folder.resolve(name + ".c"), text);
    Path program = folder.resolve(name);
    Answer compiled = NativeJob.run(List.of(
        library.compiler, "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-o", program.toString(), source.toString()),
        Map.of());
    assertEquals(0, compiled.exitCode(), () -> compiled.output() + text);
    Answer answer = NativeJob.run(List.of(program.toString()), Map.of());
    assertEquals(0, answer.exitCode(), answer::output);
    return answer.output();
  }
}
