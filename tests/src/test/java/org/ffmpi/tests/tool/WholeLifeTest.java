// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.ffmpi.tests.support.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tools interface may be used before MPI is initialized and after it is finalized (MPI-4.1 §15.3.4). */
@Tag("process")
class WholeLifeTest {
  @Test
  void aToolIsThereBeforeMpiAndAfterIt() throws Exception {
    String printed = ChildJvm.run(WholeLifeProgram.class, "WholeLifeTest", 2, List.of());
    assertEquals(
        List.of(
            "[before, 0, 0, 0, 0]", "T_ERR_NOT_ACCESSIBLE", "[written, return]",
            "[stamp, 1, ffmpi.aaa.test, true, true]", "[during, 1, 3, 3, 3]", "[thrown, ERR_RANK]", "[slots, 32]",
            "T_ERR_CVAR_SET_NOT_NOW", "[after, 3, 3, 0]", "[still, 3]", "T_ERR_NOT_INITIALIZED",
            "T_ERR_NOT_INITIALIZED"),
        printed.lines().toList());
  }
}
