// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.memory;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CrossMemoryTest {
  @Test
  void peersInThisProcessAreAlwaysRead() {
    CrossMemory threads = new CrossMemory(true);
    assertTrue(threads.mayBeRead());
    assertTrue(threads.mayRead((int) ProcessHandle.current().pid()));
  }

  @Test
  void aPeerWithThisProcessesNumberInAnotherNamespaceIsNot() {
    CrossMemory processes = new CrossMemory(false);
    assertFalse(processes.mayRead((int) ProcessHandle.current().pid()));
  }
}
