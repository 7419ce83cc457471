// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.tool;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.ThreadLevel;
import org.ffmpi.base.Measure;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Setting;
import org.ffmpi.tool.CallbackSafety;
import org.ffmpi.tool.PerformanceHandle;
import org.ffmpi.tool.Tool;
import org.ffmpi.tool.ToolException;
import org.ffmpi.tool.ToolSession;

/** A process that uses the tools interface before MPI begins, during it and afterwards. */
final class WholeLifeProgram {
  private WholeLifeProgram() {}

  public static void main(String[] arguments) {
    Tool tool = Tool.init(ThreadLevel.SINGLE);
    Tool second = Tool.init(ThreadLevel.SINGLE);
    ToolSession session = tool.openSession();
    PerformanceHandle state = session.allocate(tool.performanceVariable(Measure.RANK_STATE));
    PerformanceHandle sent = session.allocate(tool.performanceVariable(Measure.SENT_SELF));
    PerformanceHandle peak = session.allocate(tool.performanceVariable(Measure.UNEXPECTED_PEAK));
    session.startAll();
    print("before", state.read(), sent.read(), peak.read(), sent.readReset());
    AtomicInteger unexpected = new AtomicInteger();
    tool.eventType("ffmpi.message.unexpected").allocate(null)
        .register(CallbackSafety.THREAD_SAFE, null, (event, registration, safety) -> unexpected.getAndIncrement());
    refused(() -> session.allocate(tool.performanceVariable(Measure.SENT_BYTES_TO)));
    tool.controlVariable("ffmpi.errors").allocate().write("return");
    tool.controlVariable("ffmpi.ring.slots").allocate().write(32);
    print("written", tool.controlVariable("ffmpi.errors").allocate().readText());

    int stamp = tool.categoriesChanged();
    List<String> names = tool.controlVariables().stream().map(Object::toString).toList();
    Setting.ofInt("ffmpi.aaa.test", 1, 0, 9, Setting.Scope.RANK, "a setting of this program");
    print("stamp", tool.categoriesChanged() - stamp, tool.controlVariable(stamp),
        names.equals(tool.controlVariables().stream().map(Object::toString).limit(stamp).toList()),
        tool.category("ffmpi.settings.rank").controlVariables().stream()
            .anyMatch(one -> one.name().equals("ffmpi.aaa.test")));

    try (Mpi mpi = Mpi.init(arguments)) {
      Comm world = mpi.world();
      for (int i = 0; i < 3; i++) {
        world.isend(new int[1], 0, i).await();
      }
      for (int i = 0; i < 3; i++) {
        world.recv(new int[1], 0, i);
      }
      print("during", state.read(), sent.read(), peak.read(), unexpected.get());
      try {
        world.send(new int[1], 5, 0);
      } catch (MpiException e) {
        print("thrown", e.errorClass());
      }
      print("slots", tool.controlVariable("ffmpi.ring.slots").allocate().readLong());
      refused(() -> tool.controlVariable("ffmpi.ring.slots").allocate().write(64));
    }
    print("after", sent.read(), peak.read(), session.allocate(tool.performanceVariable(Measure.POSTED)).read());
    sent.stop();
    second.close();
    print("still", sent.read());
    tool.close();
    refused(sent::read);
    refused(tool::categories);
  }

  private static void print(Object... values) {
    System.out.println(List.of(values));
  }

  private static void refused(Runnable call) {
    try {
      call.run();
      System.out.println("not refused");
    } catch (ToolException e) {
      System.out.println(e.errorClass());
    }
  }
}
