// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.dialect.mpijava.programs.AllPrograms;
import org.ffmpi.dialect.mpijava.programs.Alone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs of mpiJava and MPJ Express, as jobs of processes. A job that hangs is ended by mpirun, which prints the
 * stacks of all ranks.
 */
@Tag("process")
@Timeout(400)
class ProgramsTest {
  private static final String LAUNCHER = "org.ffmpi.launcher.MpirunMain";

  @TempDir private Path folder;
  private Process mpirun;

  private String output(int ranks, Class<?> program, String... arguments) throws Exception {
    String classPath = System.getProperty("java.class.path");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", classPath, LAUNCHER, "-n", Integer.toString(ranks), "--timeout", "300"));
    command.addAll(List.of("-cp", classPath, program.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(folder.resolve("err").toFile());
    builder.environment().put("FFMPI_AOT_FOLDER", folder.resolve("caches").toString());
    mpirun = builder.start();
    String output = new String(mpirun.getInputStream().readAllBytes());
    mpirun.waitFor();
    return output;
  }

  @AfterEach
  void endWhatIsLeft() {
    if (mpirun != null) {
      mpirun.descendants().forEach(ProcessHandle::destroyForcibly);
      mpirun.destroyForcibly();
    }
  }

  private String errors() throws IOException {
    return Files.readString(folder.resolve("err"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 8})
  void allProgramsFindNothingWrong(int ranks) throws Exception {
    String output = output(ranks, AllPrograms.class);
    assertEquals("programs 17, failures 0\n", output, () -> output + errorsOrNone());
    assertEquals(0, mpirun.exitValue(), this::errorsOrNone);
  }

  private String errorsOrNone() {
    try {
      return errors();
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void aRingPassesItsGreeting() throws Exception {
    assertEquals("Hello a b\n", output(3, Alone.Ring.class, "a", "b"), this::errorsOrNone);
    assertEquals(0, mpirun.exitValue());
  }

  @Test
  void programsOfMpjExpressGetWhatTheyExpect() throws Exception {
    assertEquals("x,y 2 true\n[-1, 2, -1, 2]\n", output(2, Alone.Arguments.class, "x", "y"), this::errorsOrNone);
  }

  @Test
  void aProgramMayReturnWithoutFinalize() throws Exception {
    assertEquals("3 and\n", output(3, Alone.Unfinished.class), this::errorsOrNone);
    assertEquals(0, mpirun.exitValue(), this::errorsOrNone);
    List<String> lines = errors().lines().sorted().toList();
    assertEquals(3, lines.size(), this::errorsOrNone);
    for (int r = 0; r < 3; r++) {
      assertTrue(lines.get(r).endsWith("mpi: rank " + r
          + " has returned from main without MPI.Finalize; it leaves the job as if it had called it"), lines.get(r));
    }
  }

  @Test
  void aProgramThatThrowsHasNotReturned() throws Exception {
    assertEquals("", output(3, Alone.Throwing.class));
    assertNotEquals(0, mpirun.exitValue());
    assertTrue(errors().contains("rank 1") && errors().contains("out of cheese"), errors());
  }

  @Test
  void aFatalHandlerEndsTheJob() throws Exception {
    assertEquals("", output(2, Alone.Fatal.class));
    assertNotEquals(0, mpirun.exitValue());
    assertTrue(errors().contains("mpi: MPI_ERR_RANK: dest = 77: allowed are 0..1 or PROC_NULL, and the error handler is"
        + " MPI.ERRORS_ARE_FATAL"), errors());
  }

  @Test
  void abortEndsTheJobWithItsCode() throws Exception {
    output(2, Alone.Aborting.class);
    assertEquals(7, mpirun.exitValue(), errors());
  }

  @Test
  void aSettingAllowsMoreClasses() throws Exception {
    assertEquals("mpi:a\n", output(1, Alone.Allowing.class), this::errorsOrNone);
  }

  @Test
  void whatIsBeforeTheStartAndAfterTheEnd() throws Exception {
    assertEquals("falsetrue1true4truetrue true\n", output(2, Alone.Outside.class), this::errorsOrNone);
  }
}
