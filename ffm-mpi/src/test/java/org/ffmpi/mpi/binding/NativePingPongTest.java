// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two JVMs under each {@code mpiexec}, over the library's shared memory and over TCP; signals stay the JVM's. */
@Tag("process")
@Timeout(240)
class NativePingPongTest {
  @ParameterizedTest
  @CsvSource({"OPEN_MPI, false", "OPEN_MPI, true", "MPICH, false", "MPICH, true"})
  void messagesArriveAndSignalsAreTheJvms(NativeJob.Installed library, boolean tcp) throws Exception {
    NativeJob.Answer answer = library.run(2, tcp, List.of(), NativePingPong.class, "8x200", "1048576x5");
    assertEquals(0, answer.exitCode(), answer.output());
    assertEquals(2, answer.output().split("rank ends well", -1).length - 1, answer.output());
    assertTrue(answer.output().contains("MULTIPLE granted"), answer.output());
    assertFalse(answer.output().contains("fork"), () -> "the library warns of a child: " + answer.output());
  }
}
