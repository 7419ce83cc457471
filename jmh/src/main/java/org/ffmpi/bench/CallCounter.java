// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.MethodExitEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.EventRequestManager;
import com.sun.jdi.request.MethodEntryRequest;
import com.sun.jdi.request.MethodExitRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ffmpi.bench.rank.Calls;
import org.ffmpi.bench.rank.ShortCall;
import org.ffmpi.launcher.Job;
import org.ffmpi.launcher.Launcher;

/**
 * A debugger of rank 0 that notes each method of the library which the program's thread enters during a call. Two ranks
 * run {@link Calls}. Of the followed calls of a kind the one with the fewest methods counts: what others enter beyond
 * it is polling, or what the engine does once in a while.
 */
final class CallCounter {
  private static final String LIBRARY = "org.ffmpi.*";
  private static final String PROGRAMS = "org.ffmpi.bench.*";
  private static final String PROGRAM = Calls.class.getName();

  /** The other rank never goes to sleep: to wake it enters further methods. */
  private static final String LOOKS = Integer.toString(1 << 24);

  private static final Duration LIMIT = Duration.ofSeconds(120);

  private final Map<String, List<CallTree>> followed = new LinkedHashMap<>();
  private final VirtualMachine vm;
  private MethodEntryRequest entries;
  private MethodExitRequest exits;

  /** The methods that are active, the last entered first. */
  private final Deque<CallTree> active = new ArrayDeque<>();

  private CallCounter(VirtualMachine vm) {
    this.vm = vm;
  }

  /**
   * Runs a job that makes the calls.
   *
   * @param classPath where the ranks find the program
   * @return by the titles of the calls, in their order, the methods that they enter
   * @throws IOException when the job fails
   */
  static Map<String, CallTree> count(List<ShortCall> calls, String classPath) throws IOException, InterruptedException {
    ListeningConnector connector = Bootstrap.virtualMachineManager().listeningConnectors().stream()
        .filter(c -> c.name().equals("com.sun.jdi.SocketListen")).findFirst().orElseThrow();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    arguments.get("localAddress").setValue("127.0.0.1");
    arguments.get("timeout").setValue(Long.toString(LIMIT.toMillis()));
    try {
      String address = connector.startListening(arguments);
      try (Job job = launcher("follow", calls, classPath)
          .rankOptions(0, "-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=" + address)
          .setting("ffmpi.spin", LOOKS).start()) {
        CallCounter counter = new CallCounter(connector.accept(arguments));
        counter.follow();
        await(job);
        return counter.fewest();
      } finally {
        connector.stopListening(arguments);
      }
    } catch (IllegalConnectorArgumentsException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns a launcher of the program, with two ranks. */
  static Launcher launcher(String what, List<ShortCall> calls, String classPath) {
    String[] arguments = Stream.concat(Stream.of(what), calls.stream().map(c -> c.title)).toArray(String[]::new);
    return Launcher.of(2).javaOptions("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED").classPath(classPath)
        .main(PROGRAM, arguments).timeout(LIMIT);
  }

  /** Waits for the end of the job, which must be a good one. */
  static void await(Job job) throws IOException, InterruptedException {
    int code = job.await();
    if (code != 0) {
      throw new IOException("the job of " + PROGRAM + " ended with exit code " + code);
    }
  }

  private Map<String, CallTree> fewest() throws IOException {
    Map<String, CallTree> counts = new LinkedHashMap<>();
    for (Map.Entry<String, List<CallTree>> e : followed.entrySet()) {
      if (e.getValue().size() != Calls.FOLLOWED) {
        throw new IOException("of " + Calls.FOLLOWED + " calls of " + e.getKey() + " " + e.getValue().size()
            + " have been followed");
      }
      counts.put(e.getKey(), e.getValue().stream().min(Comparator.comparingInt(CallTree::entered)).orElseThrow());
    }
    return counts;
  }

  /** Follows the program to its end. */
  private void follow() throws InterruptedException {
    ClassPrepareRequest prepared = vm.eventRequestManager().createClassPrepareRequest();
    prepared.addClassFilter(PROGRAM);
    prepared.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
    prepared.enable();
    for (;;) {
      EventSet events = vm.eventQueue().remove();
      for (Event event : events) {
        if (event instanceof VMDisconnectEvent) {
          return;
        }
        handle(event);
      }
      events.resume();
    }
  }

  private void handle(Event event) {
    switch (event) {
      case ClassPrepareEvent e -> {
        breakAt(e.referenceType(), "begin");
        breakAt(e.referenceType(), "end");
      }
      case BreakpointEvent e when e.location().method().name().equals("begin") -> begin(e.thread());
      case BreakpointEvent e -> end();
      case MethodEntryEvent e ->
        active.push(active.element().add(e.method().declaringType().name(), e.method().name()));
      case MethodExitEvent e -> leave(e.method().declaringType().name(), e.method().name());
      default -> {
        // starts and ends of the virtual machine
      }
    }
  }

  private void breakAt(ReferenceType program, String method) {
    BreakpointRequest r =
        vm.eventRequestManager().createBreakpointRequest(program.methodsByName(method).getFirst().location());
    r.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
    r.enable();
  }

  private void begin(ThreadReference thread) {
    String title;
    try {
      title = ((StringReference) thread.frame(0).getArgumentValues().getFirst()).value();
    } catch (IncompatibleThreadStateException e) {
      throw new IllegalStateException(e);
    }
    CallTree root = new CallTree();
    followed.computeIfAbsent(title, t -> new ArrayList<>()).add(root);
    active.clear();
    active.push(root);
    if (entries == null) {
      request(thread);
    }
    entries.enable();
    exits.enable();
  }

  /** Requests events that do not stop the thread. */
  private void request(ThreadReference thread) {
    EventRequestManager requests = vm.eventRequestManager();
    entries = requests.createMethodEntryRequest();
    entries.addThreadFilter(thread);
    entries.addClassFilter(LIBRARY);
    entries.addClassExclusionFilter(PROGRAMS);
    entries.setSuspendPolicy(EventRequest.SUSPEND_NONE);
    exits = requests.createMethodExitRequest();
    exits.addThreadFilter(thread);
    exits.addClassFilter(LIBRARY);
    exits.addClassExclusionFilter(PROGRAMS);
    exits.setSuspendPolicy(EventRequest.SUSPEND_NONE);
  }

  private void end() {
    entries.disable();
    exits.disable();
  }

  /** Methods that were left by an exception have no event of their own. */
  private void leave(String className, String method) {
    while (active.size() > 1 && !active.pop().is(className, method)) {
      continue;
    }
  }
}
