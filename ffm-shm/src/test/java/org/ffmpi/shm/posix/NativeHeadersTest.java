// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.ffmpi.shm.posix.LinuxNumbers.Amd64Calls;
import org.ffmpi.shm.posix.LinuxNumbers.GenericCalls;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Numbers and functions of the system in Java, against what a C compiler makes of the real headers. */
@Tag("process")
@Timeout(120)
class NativeHeadersTest {
  private static final String COMPILER = "cc";

  @TempDir Path folder;

  @Test
  void numbersAreThoseOfTheHeaders() throws Exception {
    assumeCompiler();
    List<NativeTable.Number> numbers = new ArrayList<>(NativeTable.numbersHere());
    numbers.addAll(NativeTable.numbers(PosixTest.class));
    assertTrue(numbers.size() > 20, numbers::toString);
    assertEquals(List.of(), differences(numbers, NativeTable.HEADERS));
  }

  @Test
  void aWrongNumberIsFound() throws Exception {
    assumeCompiler();
    NativeTable.Number wrong = new NativeTable.Number(LinuxNumbers.class, "EPERM", "EPERM", 2);
    assertEquals(
        List.of("LinuxNumbers.EPERM, EPERM in C, is 2, in the headers 1"),
        differences(List.of(wrong), NativeTable.HEADERS));
  }

  @Test
  void callsOfEachArchitectureAreThoseOfItsHeaders() throws Exception {
    assumeCompiler();
    String there = output(compiled("there", """
        #include <stdio.h>
        int main(void) {
        #if __has_include(<asm-generic/unistd.h>)
          puts("asm-generic/unistd.h");
        #endif
        #if __has_include(<asm/unistd_64.h>) && defined(__x86_64__)
          puts("asm/unistd_64.h");
        #endif
          return 0;
        }
        """));
    if (there.contains("asm-generic")) {
      assertEquals(List.of(), differences(NativeTable.numbers(GenericCalls.class), List.of("asm-generic/unistd.h")));
    }
    if (there.contains("_64")) {
      assertEquals(List.of(), differences(NativeTable.numbers(Amd64Calls.class), List.of("asm/unistd_64.h")));
    }
    assumeTrue(!there.isBlank(), "the headers of Linux with the numbers of system calls are not installed");
  }

  @Test
  void functionsHaveTheTypesOfTheHeaders() throws Exception {
    assumeCompiler();
    StringBuilder text = includes(NativeTable.HEADERS);
    List<NativeTable.Function> functions = NativeTable.functions();
    assertEquals(5, functions.size(), functions::toString);
    for (NativeTable.Function f : functions) {
      text.append("%s (*call_%s) (%s) = %s;%n".formatted(f.result(), f.name(), f.arguments(), f.name()));
      text.append("_Static_assert (__builtin_types_compatible_p (__typeof__ (%s), %s (%s)), \"%s\");%n"
          .formatted(f.name(), f.result(), f.arguments(), f.name()));
    }
    // What the engine passes: each argument as a long; and what the linker stores after the call.
    text.append("_Static_assert (sizeof (long) == 8 && sizeof (void *) == 8 && sizeof (size_t) == 8, \"64 bits\");\n");
    text.append("_Static_assert (sizeof (pid_t) == sizeof (int), \"pid_t\");\n");
    text.append("_Static_assert (_Generic (errno, int: 1, default: 0), \"errno\");\n");
    text.append("int main(void) { return 0; }\n");
    assertEquals("", output(compiled("functions", text.toString())));
  }

  @Test
  void syscallIsLinkedWithLongs() {
    NativeTable.Function syscall =
        NativeTable.functions().stream().filter(f -> f.name().equals("syscall")).findFirst().orElseThrow();
    assertEquals("long", syscall.result());
    assertEquals("long, ...", syscall.arguments());
    assertEquals(JAVA_LONG, Posix.SIGNATURE.returnLayout().orElseThrow());
    assertEquals(Collections.nCopies(7, (MemoryLayout) JAVA_LONG), Posix.SIGNATURE.argumentLayouts());
  }

  @Test
  void theLinkerStoresNothingButErrno() {
    MemoryLayout state = Linker.Option.captureStateLayout();
    assertEquals(LinuxNumbers.ERRNO_BYTES, state.byteSize());
    assertEquals(0, state.byteOffset(PathElement.groupElement("errno")));
    assertEquals(JAVA_INT.withName("errno"), state.select(PathElement.groupElement("errno")));
  }

  @Test
  void everyNumberSaysWhatItIsInC() {
    assertEquals(
        List.of("private static final long org.ffmpi.shm.posix.Posix.STATE_BYTES"),
        NativeTable.unexplained(LinuxNumbers.class, Posix.class, Amd64Calls.class, GenericCalls.class));
  }

  private static void assumeCompiler() {
    boolean there = Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(entry -> !entry.isEmpty() && Files.isExecutable(Path.of(entry, COMPILER)));
    if (!there) {
      System.out.println("NativeHeadersTest: no " + COMPILER + " on the PATH; numbers are not compared with headers");
    }
    assumeTrue(there, "no " + COMPILER + " on the PATH");
  }

  private static StringBuilder includes(List<String> headers) {
    StringBuilder text = new StringBuilder("#define _GNU_SOURCE\n#include <stdio.h>\n");
    headers.forEach(header -> text.append("#include <").append(header).append(">\n"));
    return text;
  }

  /** Compiles a program that prints the numbers, and returns those that are others in Java. */
  private List<String> differences(List<NativeTable.Number> numbers, List<String> headers)
      throws IOException, InterruptedException {
    StringBuilder text = includes(headers).append("int main(void) {\n");
    for (NativeTable.Number number : numbers) {
      String[] member = number.member();
      if (member != null) { // the engine reads and writes members as longs
        text.append("  _Static_assert (sizeof (((%s *) 0)->%s) == 8, \"%s\");%n"
            .formatted(member[0], member[1], number.inC()));
      }
      text.append("  printf (\"%lld\\n\", (long long) (").append(number.inC()).append("));\n");
    }
    List<String> lines = output(compiled("numbers", text.append("  return 0;\n}\n").toString())).lines().toList();
    assertEquals(numbers.size(), lines.size());
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < numbers.size(); i++) {
      if (numbers.get(i).value() != Long.parseLong(lines.get(i))) {
        differences.add(numbers.get(i) + ", in the headers " + lines.get(i));
      }
    }
    return differences;
  }

  private Path compiled(String name, String text) throws IOException, InterruptedException {
    Path source = Files.writeString(folder.resolve(name + ".c"), text);
    Path program = folder.resolve(name);
    run(text, COMPILER, "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-o", program.toString(), source.toString());
    return program;
  }

  private String output(Path program) throws IOException, InterruptedException {
    return run("", program.toString());
  }

  private static String run(String text, String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes());
    assertEquals(0, process.waitFor(), () -> String.join(" ", command) + " failed:\n" + said + text);
    return said;
  }
}
