// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code scripts/jextract} with a tool that copies prepared classes of the form that jextract generates. */
@Tag("process")
@Timeout(180)
class JextractScriptTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String POSIX = "/java/org/ffmpi/shm/posix/";
  private static final List<String> FILES = List.of(
      "scripts/jextract", "scripts/lib/jdk.sh", "base/src/main/java/org/ffmpi/base/raw/Raw.java",
      "ffm-shm/src/main" + POSIX + "LinuxNumbers.java", "ffm-shm/src/main" + POSIX + "Posix.java",
      "ffm-shm/src/test" + POSIX + "NativeTable.java", "ffm-shm/src/test" + POSIX + "Jextract.java",
      "ffm-mpi/src/test/java/org/ffmpi/mpi/binding/MpiTable.java",
      "ffm-mpi/src/test/java/org/ffmpi/mpi/binding/MpiJextract.java");
  private static final List<String> FOLDERS =
      List.of("base/src/main/java/org/ffmpi/base", "ffm-mpi/src/main/java/org/ffmpi/mpi/binding");
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

  /** What the tool finds in an {@code mpi.h}: a number and a function are wrong, and nearly all are missing. */
  private static final String MPI_CLASS = """
      package org.ffmpi.mpi.binding.generated;
      import java.lang.foreign.*;
      public class mpi_h {
        public static int MPI_ANY_TAG() { return -1; }
        public static int MPI_ANY_SOURCE() { return -3; }
        public static int MPI_COMM_WORLD() { return 0x44000000; }
        public static MemorySegment MPI_STATUS_IGNORE() { return MemorySegment.ofAddress(1); }
        public static FunctionDescriptor MPI_Comm_rank$descriptor() {
          return FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS);
        }
        public static FunctionDescriptor MPI_Start$descriptor() {
          return FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
        }
      }
      """;

  private static final String MPI_STATUS = """
      package org.ffmpi.mpi.binding.generated;
      import java.lang.foreign.*;
      public class MPI_Status {
        public static GroupLayout layout() {
          return MemoryLayout.structLayout(
              ValueLayout.JAVA_INT.withName("count_lo"), ValueLayout.JAVA_INT.withName("count_hi_and_cancelled"),
              ValueLayout.JAVA_INT.withName("MPI_SOURCE"), ValueLayout.JAVA_INT.withName("MPI_TAG"),
              ValueLayout.JAVA_INT.withName("MPI_ERROR"));
        }
      }
      """;

  /** A compiler that knows its headers, and says how it is called. */
  private static final String MPICC = """
      #!/bin/sh
      case $1 in
        -E) cat > /dev/null; echo '#define MPICH_VERSION "4.0.2"' ;;
        -show) echo 'gcc -Wl,-z,relro -I/some/where -lmpich' ;;
      esac
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
    for (String each : FOLDERS) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(each))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          Path copy = clone.resolve(ROOT.relativize(file));
          Files.createDirectories(copy.getParent());
          Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  private Answer run(String... args) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    List<String> command = new ArrayList<>(List.of(clone.resolve("scripts/jextract").toString()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectOutput(output.toFile()).redirectError(errors.toFile());
    builder.environment().put("PATH", clone.resolve("scripts") + ":" + bin + ":/usr/bin:/bin");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    int exitCode = builder.start().waitFor();
    return new Answer(exitCode, Files.readString(output), Files.readString(errors));
  }

  private void makeTool(String text) throws IOException {
    makeProgram("jextract", text);
  }

  private void makeProgram(String name, String text) throws IOException {
    assertTrue(Files.writeString(bin.resolve(name), text).toFile().setExecutable(true));
  }

  /** A tool that copies prepared sources, and keeps what it was called with. */
  private String copying(Path prepared) {
    return "#!/bin/sh\nset -eu\nwhile [ $# -gt 2 ]; do eval \"$(echo \"$1\" | tr -d '-')='$2'\"; shift 2; done\n"
        + "cp \"${1#@}\" '" + folder + "/includes'; cp \"$2\" '" + folder + "/header'\n"
        + "echo \"${I:-}\" $headerclassname > '" + folder + "/options'\n"
        + "to=$output/$(echo $targetpackage | tr . /)\nmkdir -p \"$to\"\ncp '" + prepared + "'/*.java \"$to\"\n";
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
    makeTool(copying(prepared));
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
    assertEquals("posix_h", Files.readString(folder.resolve("options")).strip());
  }

  @Test
  void numbersOfMpiThatDifferAreNamed() throws Exception {
    Path prepared = Files.createDirectories(folder.resolve("prepared"));
    Files.writeString(prepared.resolve("mpi_h.java"), MPI_CLASS);
    Files.writeString(prepared.resolve("MPI_Status.java"), MPI_STATUS);
    makeTool(copying(prepared));
    makeProgram("mpicc.mpich", MPICC);
    for (String name : List.of("mpicc.openmpi", "mpicc")) { // in front of those that are installed
      Files.createSymbolicLink(bin.resolve(name), bin.resolve("mpicc.mpich"));
    }
    Answer answer = run("mpi");
    Set<String> lines = new TreeSet<>(answer.errors().lines().toList());
    assertTrue(lines.containsAll(Set.of(
        "ANY_SOURCE, MPI_ANY_SOURCE in C, is -2, in what jextract generated -3",
        "PROC_NULL, MPI_PROC_NULL in C, is -1; jextract generated nothing for it",
        "MPI_Start is (i4)i4, here it has [8 bytes]",
        "jextract generated no function MPI_Isend")), answer.errors());
    for (String right : List.of("MPI_ANY_TAG", "MPI_COMM_WORLD", "STATUS_", "MPI_Comm_rank")) {
      assertTrue(lines.stream().noneMatch(line -> line.contains(right)), answer.errors());
    }
    assertTrue(answer.output().matches(
        "mpicc.openmpi, MPICH:\n8 numbers and signatures agree with the headers, \\d+ do not, 0 are addresses\n"),
        answer.output());
    assertEquals(1, answer.exitCode());
    assertTrue(Files.readString(folder.resolve("includes")).contains("--include-function MPI_Isend\n"));
    assertEquals("/some/where mpi_h", Files.readString(folder.resolve("options")).strip());
  }

  @Test
  void anUnknownPartIsAnError() throws Exception {
    assertEquals(new Answer(2, "", "jextract: win: allowed are posix, mpi and --help\n"), run("win"));
  }
}
