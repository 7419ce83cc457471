// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The limits of a process, as the kernel writes them. */
class ProcessLimitsTest {
  @Test
  void valuesAreThoseThatHold() {
    List<String> lines =
        List.of(
            "Limit                     Soft Limit           Hard Limit           Units     ",
            "Max file size             unlimited            unlimited            bytes     ",
            "Max processes             96365                96365                processes ",
            "Max open files            1024                 20000                files     ");
    assertEquals(ProcessLimits.UNLIMITED, ProcessLimits.in(lines, ProcessLimits.FILE_SIZE));
    assertEquals(96365, ProcessLimits.in(lines, ProcessLimits.PROCESSES));
    assertEquals(1024, ProcessLimits.in(lines, ProcessLimits.OPEN_FILES));
    assertEquals(ProcessLimits.UNLIMITED, ProcessLimits.in(List.of(), ProcessLimits.OPEN_FILES));
    assertTrue(ProcessLimits.of(ProcessLimits.OPEN_FILES) > 0);
  }
}
