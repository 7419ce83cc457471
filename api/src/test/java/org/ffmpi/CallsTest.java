// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.junit.jupiter.api.Test;

/** Listening in a JVM without the agent, such as this one. */
class CallsTest {
  @Test
  void withoutTheAgentInstallingSaysHowToAddIt() {
    assertFalse(Calls.isPossible());
    MpiException refused = assertThrows(MpiException.class, () -> Calls.install(new CallListener() {}));
    assertEquals(ErrorClass.ERR_OTHER, refused.errorClass());
    assertTrue(refused.getMessage().contains("mpirun --profile"), refused.getMessage());
    assertTrue(refused.getMessage().contains("-javaagent:"), refused.getMessage());
  }

  @Test
  void aListenerHasToBeGiven() {
    MpiException refused = assertThrows(MpiException.class, () -> Calls.install(null));
    assertEquals(ErrorClass.ERR_ARG, refused.errorClass());
    assertTrue(refused.getMessage().contains("listener"), refused.getMessage());
  }
}
