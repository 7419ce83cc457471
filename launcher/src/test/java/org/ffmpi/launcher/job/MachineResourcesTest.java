// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Processors of the machine. */
class MachineResourcesTest {
  @Test
  void listsOfCoresAreReadAsTheKernelWritesThem() {
    assertEquals(List.of(0, 1, 2, 3, 8), MachineResources.parseList("0-3,8"));
    assertFalse(MachineResources.allowedProcessors().isEmpty());
  }
}
