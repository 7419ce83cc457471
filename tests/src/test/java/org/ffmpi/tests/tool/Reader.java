// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.EnumMap;
import java.util.Map;
import org.ffmpi.Comm;
import org.ffmpi.ThreadLevel;
import org.ffmpi.base.Measure;
import org.ffmpi.tool.PerformanceHandle;
import org.ffmpi.tool.PerformanceVariable;
import org.ffmpi.tool.Tool;
import org.ffmpi.tool.ToolSession;

/** A session of the rank of the calling thread in which every variable is started. */
final class Reader implements AutoCloseable {
  private static final int PATIENCE = 1_000_000;

  private final Tool tool = Tool.init(ThreadLevel.MULTIPLE);
  private final ToolSession session = tool.openSession();
  private final Map<Measure, PerformanceHandle> handles = new EnumMap<>(Measure.class);

  /** Opens the variables of the rank, and those of a communicator unless it is null. */
  Reader(Comm comm) {
    for (Measure measure : Measure.values()) {
      PerformanceVariable variable = tool.performanceVariable(measure);
      if (!measure.isOfCommunicator()) {
        handles.put(measure, session.allocate(variable));
      } else if (comm != null) {
        handles.put(measure, session.allocate(variable, comm));
      }
    }
    session.startAll();
  }

  long read(Measure measure) {
    return handles.get(measure).read();
  }

  /** Reads until the value is there: a thread of progress counts a message after the program has it. */
  void awaitValue(long expected, Measure measure) {
    for (int i = 0; i < PATIENCE && read(measure) != expected; i++) {
      Thread.yield();
    }
    assertEquals(expected, read(measure), measure.title());
  }

  PerformanceHandle handle(Measure measure) {
    return handles.get(measure);
  }

  Tool tool() {
    return tool;
  }

  ToolSession session() {
    return session;
  }

  @Override
  public void close() {
    session.close();
    tool.close();
  }
}
