// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.ffmpi.mpi.binding.NativeJob.Answer;
import org.ffmpi.mpi.binding.NativeJob.Installed;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The ABI of MPI-5, by a library made for this test; it takes a signal over, which the JVM gets back. */
@Tag("process")
@Timeout(240)
class Mpi5LibraryTest {
  private static final String COMPILER = "cc";

  @TempDir Path folder;

  @Test
  void messagesArriveAndSignalsAreTheJvms() throws Exception {
    NativeJob.assumeThere(COMPILER);
    NativeJob.assumeThere(Installed.MPICH.launcher);
    Path library = compiled();
    Answer answer = Installed.MPICH.run(
        2, false, List.of("-Dffmpi.mpi.library=" + library), NativePingPong.class, "8x200", "262144x5");
    assertEquals(0, answer.exitCode(), answer.output());
    assertEquals(2, answer.output().split("rank ends well", -1).length - 1, answer.output());
    assertTrue(answer.output().contains("A test of MPI-5 over MPICH (" + library + ", the ABI of MPI-5)"),
        answer.output());
    assertTrue(answer.output().contains("MULTIPLE granted"), answer.output());
  }

  private Path compiled() throws Exception {
    String text;
    try (InputStream in = Mpi5LibraryTest.class.getResourceAsStream("/mpi5.c")) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    Set<String> missing = new TreeSet<>(MpiTable.functions().stream().map(MpiTable.Function::name).toList());
    missing.removeIf(name -> !name.startsWith("MPI_"));
    Pattern.compile("^int (MPI_\\w+)", Pattern.MULTILINE).matcher(text).results()
        .forEach(found -> missing.remove(found.group(1)));
    StringBuilder rest = new StringBuilder();
    missing.forEach(name -> rest.append("ONLY_THERE (").append(name).append(")\n"));
    Path source = Files.writeString(folder.resolve("mpi5.c"), text.replace("ONLY_FUNCTIONS", rest));
    Path library = folder.resolve("libmpi_abi.so.0");
    Answer compiled = NativeJob.run(List.of(
        COMPILER, "-std=gnu11", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library.toString(), source.toString()),
        Map.of());
    assertEquals(0, compiled.exitCode(), compiled::output);
    return library;
  }
}
