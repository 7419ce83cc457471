// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.ffmpi.Mpi;
import org.ffmpi.testkit.MpiTest;

class HelloTest {
  @MpiTest(ranks = {1, 2, 4, 8})
  void everyRankSaysWhichOneItIs(Mpi mpi) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Hello.greet(mpi, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    assertEquals(
        "rank " + mpi.world().rank() + " of " + mpi.world().size() + " on " + Mpi.processorName(),
        bytes.toString(StandardCharsets.UTF_8).strip());
  }
}
