// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.tool;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ffmpi.Comm;
import org.ffmpi.ThreadLevel;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Measure;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tool.Binding;
import org.ffmpi.tool.PerformanceHandle;
import org.ffmpi.tool.PerformanceVariable;
import org.ffmpi.tool.Tool;
import org.ffmpi.tool.ToolException;
import org.ffmpi.tool.ToolSession;
import org.ffmpi.tool.Verbosity;
import org.junit.jupiter.api.Test;

/** Sessions and handles of performance variables (MPI-4.1 §15.3.7). */
class HandlesTest {
  private static void sendToItself(Comm world, int messages) {
    for (int i = 0; i < messages; i++) {
      world.isend(new byte[3], 0, 1).await();
      world.recv(new byte[3], 0, 1);
    }
  }

  @MpiTest(ranks = 1)
  void aHandleCountsFromItsStartToItsStop(Comm world) {
    try (Tool tool = Tool.init(ThreadLevel.SINGLE); ToolSession session = tool.openSession()) {
      PerformanceVariable variable = tool.performanceVariable("ffmpi.sent.self", Measure.Kind.COUNTER);
      PerformanceHandle handle = session.allocate(variable);
      assertEquals(1, handle.count());
      sendToItself(world, 2);
      assertEquals(0, handle.read(), "not started");
      handle.start();
      sendToItself(world, 3);
      handle.start();
      assertEquals(3, handle.read());
      handle.stop();
      sendToItself(world, 4);
      assertEquals(3, handle.read(), "stopped");
      handle.start();
      sendToItself(world, 5);
      assertEquals(8, handle.read());
      assertEquals(8, handle.readReset());
      sendToItself(world, 1);
      assertEquals(1, handle.read());
      handle.write(100);
      sendToItself(world, 2);
      assertEquals(102, handle.read());
      handle.reset();
      assertEquals(0, handle.readAll()[0]);
    }
  }

  @MpiTest(ranks = 1)
  @SuppressWarnings("try") // closed before its end on purpose
  void sessionsDoNotDisturbEachOther(Comm world) {
    try (Tool tool = Tool.init(ThreadLevel.SINGLE);
        ToolSession first = tool.openSession();
        ToolSession second = tool.openSession()) {
      PerformanceVariable variable = tool.performanceVariable(Measure.SENT_SELF_BYTES);
      PerformanceHandle one = first.allocate(variable);
      PerformanceHandle other = second.allocate(variable);
      first.startAll();
      sendToItself(world, 1);
      second.startAll();
      sendToItself(world, 1);
      first.resetAll();
      sendToItself(world, 1);
      assertEquals(3, one.read());
      assertEquals(6, other.read());
      first.stopAll();
      sendToItself(world, 1);
      assertEquals(3, one.read());
      assertEquals(9, other.read());
      first.close();
      assertError(ErrorClass.T_ERR_INVALID_HANDLE, one::read, "ffmpi.sent.self.bytes");
      assertError(ErrorClass.T_ERR_INVALID_SESSION, () -> first.allocate(variable));
      assertError(ErrorClass.T_ERR_INVALID_SESSION, first::startAll);
      assertEquals(9, other.read());
    }
  }

  @MpiTest(ranks = 1)
  @SuppressWarnings("try") // closed before its end on purpose
  void whatAVariableCannotDoIsRefused(Comm world) {
    try (Tool tool = Tool.init(ThreadLevel.SINGLE); ToolSession session = tool.openSession()) {
      PerformanceHandle level = session.allocate(tool.performanceVariable(Measure.POSTED));
      assertError(ErrorClass.T_ERR_PVAR_NO_STARTSTOP, level::start, "continuous");
      assertError(ErrorClass.T_ERR_PVAR_NO_STARTSTOP, level::stop);
      assertError(ErrorClass.T_ERR_PVAR_NO_WRITE, () -> level.write(1), "ffmpi.queue.posted");
      assertError(ErrorClass.T_ERR_PVAR_NO_WRITE, level::reset);
      assertError(ErrorClass.T_ERR_PVAR_NO_ATOMIC, level::readReset);
      assertEquals(0, level.read());
      session.startAll(); // leaves it alone
      PerformanceVariable ofComm = tool.performanceVariable(Measure.COLLECTIVE_CALLS);
      assertError(ErrorClass.T_ERR_INVALID, () -> session.allocate(ofComm), "comm = null");
      assertError(
          ErrorClass.T_ERR_INVALID, () -> session.allocate(tool.performanceVariable(Measure.POSTED), world), "comm");
      assertError(ErrorClass.T_ERR_INVALID, () -> session.allocate(null), "variable = null");
      level.close();
      level.close();
      assertError(ErrorClass.T_ERR_INVALID_HANDLE, level::read);
      tool.close();
      assertError(ErrorClass.T_ERR_NOT_INITIALIZED, tool::openSession);
      assertError(ErrorClass.T_ERR_NOT_INITIALIZED, tool::performanceVariables);
    }
  }

  @Test
  void variablesDescribeThemselves() {
    try (Tool tool = Tool.init(ThreadLevel.MULTIPLE)) {
      assertEquals(ThreadLevel.MULTIPLE, tool.threadLevel());
      assertEquals(Measure.values().length, tool.performanceVariables().size());
      for (int i = 0; i < Measure.values().length; i++) {
        PerformanceVariable variable = tool.performanceVariable(i);
        Measure measure = Measure.values()[i];
        assertEquals(i, variable.index());
        assertEquals(measure.title(), variable.name());
        assertEquals(variable, tool.performanceVariable(variable.name(), variable.kind()));
        assertEquals(measure.description(), variable.description());
        assertEquals(measure.unit(), variable.unit());
        assertEquals(measure.isOfCommunicator() ? Binding.COMM : Binding.NO_OBJECT, variable.binding());
        assertEquals(measure.kind() == Measure.Kind.STATE, variable.enumeration().isPresent());
      }
      PerformanceVariable state = tool.performanceVariable(Measure.RANK_STATE);
      assertEquals(Datatype.INT, state.datatype());
      assertTrue(state.isContinuous() && state.isReadonly() && !state.isAtomic());
      assertEquals("waiting", state.enumeration().orElseThrow().item(2).name());
      assertEquals(4, state.enumeration().orElseThrow().size());
      assertEquals("ffmpi.rank.state", state.enumeration().orElseThrow().name());
      assertError(
          ErrorClass.T_ERR_INVALID_ITEM, () -> state.enumeration().orElseThrow().item(4),
          "index = 4: allowed are 0..3");
      PerformanceVariable sent = tool.performanceVariable(Measure.SENT_MESSAGES);
      assertFalse(sent.isContinuous() || sent.isReadonly());
      assertTrue(sent.isAtomic());
      assertEquals(Datatype.UNSIGNED_LONG_LONG, sent.datatype());
      assertEquals(Verbosity.USER_BASIC, sent.verbosity());
      assertError(ErrorClass.T_ERR_INVALID_INDEX, () -> tool.performanceVariable(-1), "index = -1");
      assertError(ErrorClass.T_ERR_INVALID_INDEX, () -> tool.performanceVariable(Measure.values().length));
      assertInstanceOf(ToolException.class, assertError(
          ErrorClass.T_ERR_INVALID_NAME,
          () -> tool.performanceVariable("ffmpi.sent.messages", Measure.Kind.LEVEL), "ffmpi.sent.messages (LEVEL)"));
      assertError(ErrorClass.T_ERR_INVALID, () -> Tool.init(null), "required = null");
    }
  }
}
