// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code scripts/jextract} with a tool that copies prepared classes of the form that jextract generates. */
@Timeout(180)
class JextractScriptTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String POSIX = "/java/org/ffmpi/shm/posix/";
  private static final List<String> FILES = List.of(
      "scripts/jextract", "scripts/lib/jdk.sh", "base/src/main/java/org/ffmpi/base/raw/Raw.java",
      "ffm-shm/src/main" + POSIX + "LinuxNumbers.java", "ffm-shm/src/main" + POSIX + "Posix.java",
      "ffm-shm/src/test" + POSIX + "NativeTable.java", "ffm-shm/src/test" + POSIX + "Jextract.java");
  private static final boolean AMD64 = System.getProperty("os.arch").equals("amd64");

  /** What the tool finds: but for one error number, which it has wrong, and the time, which it has not. */
  private static final String HEADER_CLASS = """
      package org.ffmpi.shm.posix.generated;
      import java.lang.foreign.*;
      public class posix_h extends posix_h$shared {
        public static int EPERM() { return 1; }
        public static int EINVAL() { return 23; }
        public static int ENOSYS() { return 38; }
        public static int FUTEX_WAIT() { return 0; }
        public static int FUTEX_WAKE() { return 1; }
        public static int PR_SET_PTRACER() { return 0x59616d61; }
        public static long PR_SET_PTRACER_ANY() { return -1L; }
        public static int CPU_SETSIZE() { return 1024; }
        public static int SYS_futex() { return %d; }
        public static int SYS_sched_setaffinity() { return %d; }
        public static int SYS_prctl() { return %d; }
        public static int SYS_process_vm_readv() { return %d; }
        public static int SYS_process_vm_writev() { return %d; }
        public static class syscall {
          private final FunctionDescriptor descriptor;
          private syscall(FunctionDescriptor descriptor) { this.descriptor = descriptor; }
          public static syscall makeInvoker(MemoryLayout... layouts) {
            return new syscall(FunctionDescriptor.of(C_LONG, C_LONG).appendArgumentLayouts(layouts));
          }
          public FunctionDescriptor descriptor() { return descriptor; }
        }
      }
      """;

  private static final String SHARED_CLASS = """
      package org.ffmpi.shm.posix.generated;
      import java.lang.foreign.*;
      class posix_h$shared {
        public static final ValueLayout.OfInt C_INT = ValueLayout.JAVA_INT;
        public static final ValueLayout.OfLong C_LONG = ValueLayout.JAVA_LONG;
      }
      """;

  private static final String STRUCTURE = """
      package org.ffmpi.shm.posix.generated;
      import java.lang.foreign.*;
      public class %s {
        public static GroupLayout layout() { return MemoryLayout.structLayout(%s); }
      }
      """;

  @TempDir Path folder;

  private Path clone;
  private Path bin;

  private record Answer(int exitCode, String output, String errors) {}

  @BeforeEach
  void makeClone() throws IOException {
    clone = Files.createDirectories(folder.resolve("a clone"));
    bin = Files.createDirectories(folder.resolve("bin"));
    for (String file : FILES) {
      Files.createDirectories(clone.resolve(file).getParent());
      Files.copy(ROOT.resolve(file), clone.resolve(file));
    }
  }

  private Answer run() throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    ProcessBuilder builder = new ProcessBuilder(clone.resolve("scripts/jextract").toString());
    builder.redirectOutput(output.toFile()).redirectError(errors.toFile());
    builder.environment().put("PATH", clone.resolve("scripts") + ":" + bin + ":/usr/bin:/bin");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    int exitCode = builder.start().waitFor();
    return new Answer(exitCode, Files.readString(output), Files.readString(errors));
  }

  private void makeTool(String text) throws IOException {
    Path tool = Files.writeString(bin.resolve("jextract"), text);
    assertTrue(tool.toFile().setExecutable(true));
  }

  @Test
  void withoutTheToolOneSentenceSaysWhatCovers() throws Exception {
    assertEquals(
        new Answer(1, "",
            "jextract: there is no jextract on the PATH (jdk.java.net/jextract has builds of it); without it,"
                + " NativeHeadersTest compares the same numbers by the C compiler\n"),
        run());
  }

  @Test
  void numbersThatDifferAreNamed() throws Exception {
    Path prepared = Files.createDirectories(folder.resolve("prepared"));
    Files.writeString(prepared.resolve("posix_h.java"), AMD64
        ? HEADER_CLASS.formatted(202, 203, 157, 310, 311) : HEADER_CLASS.formatted(98, 122, 167, 270, 271));
    Files.writeString(prepared.resolve("posix_h$shared.java"), SHARED_CLASS);
    Files.writeString(prepared.resolve("iovec.java"), STRUCTURE.formatted(
        "iovec", "ValueLayout.ADDRESS.withName(\"iov_base\"), ValueLayout.JAVA_LONG.withName(\"iov_len\")"));
    Files.writeString(prepared.resolve("cpu_set_t.java"), STRUCTURE.formatted(
        "cpu_set_t", "MemoryLayout.sequenceLayout(16, ValueLayout.JAVA_LONG).withName(\"__bits\")"));
    makeTool("#!/bin/sh\nset -eu\nwhile [ $# -gt 2 ]; do eval \"$(echo \"$1\" | tr -d '-')='$2'\"; shift 2; done\n"
        + "cp \"${1#@}\" '" + folder + "/includes'; cp \"$2\" '" + folder + "/header'\n"
        + "[ $headerclassname = posix_h ]\n"
        + "to=$output/$(echo $targetpackage | tr . /)\nmkdir -p \"$to\"\ncp '" + prepared + "'/*.java \"$to\"\n");
    Answer answer = run();
    Set<String> lines = new TreeSet<>(answer.errors().lines().toList());
    assertEquals(
        Set.of(
            "LinuxNumbers.EINVAL, EINVAL in C, is 22, in what jextract generated 23",
            "LinuxNumbers.TIMESPEC_BYTES, sizeof (struct timespec) in C, is 16; jextract generated nothing for it",
            "LinuxNumbers.TIMESPEC_NANOS, offsetof (struct timespec, tv_nsec) in C, is 8;"
                + " jextract generated nothing for it",
            "LinuxNumbers.TIMESPEC_SECONDS, offsetof (struct timespec, tv_sec) in C, is 0;"
                + " jextract generated nothing for it"),
        lines);
    assertTrue(
        answer.output().matches("[1-9]\\d numbers and signatures agree with the headers, 4 do not\n"), answer.output());
    assertEquals(1, answer.exitCode());
    assertTrue(Files.readString(folder.resolve("includes")).contains("--include-constant SYS_futex\n"));
    assertTrue(Files.readString(folder.resolve("header")).contains("#include <sys/uio.h>\n"));
  }
}
