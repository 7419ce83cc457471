// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.ffmpi.launcher.Launcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What blocking calls leave to the garbage collector. */
@Tag("process")
class BlockingAllocationTest {
  @Test
  void sendsAndReceivesOfArraysMakeNoObjects() throws InterruptedException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Launcher.of(1)
            .javaOptions("-XX:+UseSerialGC", "-XX:-BackgroundCompilation")
            .main(BlockingAllocationTest.class.getPackageName() + ".programs.AllocationProgram")
            .output(out)
            .errors(err)
            .timeout(Duration.ofSeconds(120))
            .run();
    assertEquals(0, code, err::toString);
    assertEquals(List.of("none"), out.toString(StandardCharsets.UTF_8).lines().toList(), err::toString);
  }
}
