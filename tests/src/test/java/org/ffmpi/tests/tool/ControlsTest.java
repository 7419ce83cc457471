// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.tool;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ffmpi.Comm;
import org.ffmpi.ThreadLevel;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Setting;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tool.Binding;
import org.ffmpi.tool.ControlHandle;
import org.ffmpi.tool.ControlVariable;
import org.ffmpi.tool.Tool;
import org.ffmpi.tool.VariableScope;
import org.junit.jupiter.api.Test;

/** Control variables, which are the settings (MPI-4.1 §15.3.6). */
class ControlsTest {
  @Test
  void everySettingIsAControlVariable() {
    try (Tool tool = Tool.init(ThreadLevel.MULTIPLE)) {
      int number = tool.controlVariables().size();
      assertEquals(Setting.all().size(), number);
      assertTrue(number > 50, () -> "only " + number + " settings, as if their classes were not loaded");
      for (int i = 0; i < number; i++) {
        ControlVariable variable = tool.controlVariable(i);
        assertEquals(i, variable.index());
        assertEquals(variable, tool.controlVariable(variable.name()));
        assertEquals(Setting.find(variable.name()).orElseThrow().description(), variable.description());
        assertEquals(Binding.NO_OBJECT, variable.binding());
        try (ControlHandle handle = variable.allocate()) {
          String text = handle.readText();
          assertEquals(variable.datatype() == Datatype.CHAR ? text.length() : 1, handle.count(), variable.name());
          if (variable.datatype() != Datatype.CHAR) {
            long value = handle.readLong();
            variable.enumeration().ifPresent(names -> assertEquals(text, names.item((int) value).name()));
          }
        }
      }
      assertEquals(number, tool.categoriesChanged());
    }
  }

  @MpiTest(ranks = 2)
  void spinAndYieldChangeDuringARun(Comm world) {
    try (Tool tool = Tool.init(ThreadLevel.MULTIPLE)) {
      ControlHandle spin = tool.controlVariable("ffmpi.spin").allocate();
      ControlHandle yields = tool.controlVariable("ffmpi.yield").allocate();
      assertEquals(-1, spin.readLong());
      spin.write(world.rank() == 0 ? 0 : 5);
      yields.write("3");
      assertEquals(world.rank() == 0 ? "0" : "5", spin.readText());
      assertEquals(3, yields.readLong());
      for (int i = 0; i < 100; i++) { // waits still end
        world.barrier();
        world.sendrecv(new int[1], 1 - world.rank(), 1, new int[1], 1 - world.rank(), 1);
      }
      assertEquals(VariableScope.LOCAL, tool.controlVariable("ffmpi.spin").scope());
    }
  }

  @MpiTest(ranks = 1, settings = {"ffmpi.ring.slots=16", "ffmpi.errors=abort"})
  void valuesAreThoseOfTheRank(Comm world) {
    try (Tool tool = Tool.init(ThreadLevel.MULTIPLE)) {
      assertEquals(16, tool.controlVariable("ffmpi.ring.slots").allocate().readLong());
      ControlVariable errors = tool.controlVariable("ffmpi.errors");
      assertEquals("abort", errors.allocate().readText());
      assertEquals(1, errors.allocate().readLong());
      assertEquals("abort", errors.enumeration().orElseThrow().item(1).name());
      assertEquals(VariableScope.LOCAL, errors.scope());
    }
  }

  @MpiTest(ranks = 1)
  @SuppressWarnings("try") // closed before its end on purpose
  void whatCannotBeSetIsRefused(Comm world) {
    try (Tool tool = Tool.init(ThreadLevel.MULTIPLE)) {
      ControlHandle slots = tool.controlVariable("ffmpi.ring.slots").allocate();
      assertError(ErrorClass.T_ERR_CVAR_SET_NOT_NOW, () -> slots.write(16), "ffmpi.ring.slots", "before Mpi.init");
      ControlHandle timeout = tool.controlVariable("ffmpi.timeout").allocate();
      assertError(ErrorClass.T_ERR_CVAR_SET_NEVER, () -> timeout.write("5"), "ffmpi.timeout");
      assertError(ErrorClass.T_ERR_CVAR_SET_NEVER, () -> tool.controlVariable("ffmpi.parent").allocate().write(""));
      assertEquals(VariableScope.CONSTANT, tool.controlVariable("ffmpi.timeout").scope());
      assertEquals(VariableScope.ALL_EQ, tool.controlVariable("ffmpi.ring.slots").scope());
      ControlHandle spin = tool.controlVariable("ffmpi.spin").allocate();
      assertError(ErrorClass.T_ERR_INVALID, () -> spin.write(-2), "ffmpi.spin = -2: allowed are whole numbers");
      assertError(ErrorClass.T_ERR_INVALID, () -> spin.write("much"), "ffmpi.spin = much");
      assertError(ErrorClass.T_ERR_INVALID, () -> spin.write(null), "ffmpi.spin = null");
      assertEquals(-1, spin.readLong());
      ControlHandle errors = tool.controlVariable("ffmpi.errors").allocate();
      assertError(ErrorClass.T_ERR_INVALID_ITEM, () -> errors.write(3), "index = 3: allowed are 0..2");
      ControlHandle cores = tool.controlVariable("ffmpi.cores").allocate();
      assertError(ErrorClass.T_ERR_INVALID, cores::readLong, "ffmpi.cores is a text");
      spin.close();
      assertError(ErrorClass.T_ERR_INVALID_HANDLE, spin::readText, "ffmpi.spin");
      assertError(ErrorClass.T_ERR_INVALID_NAME, () -> tool.controlVariable("ffmpi.nothing"), "name = ffmpi.nothing");
      assertError(ErrorClass.T_ERR_INVALID_INDEX, () -> tool.controlVariable(10_000), "index = 10000");
      ControlVariable kept = tool.controlVariable("ffmpi.spin");
      tool.close();
      assertError(ErrorClass.T_ERR_NOT_INITIALIZED, kept::allocate);
      assertError(ErrorClass.T_ERR_NOT_INITIALIZED, slots::readText);
      assertFalse(kept.description().isEmpty());
    }
  }
}
