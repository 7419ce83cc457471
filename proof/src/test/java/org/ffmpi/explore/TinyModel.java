// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * All that a {@link TinyProgram} can do, by trying every interleaving of its steps and matches. It knows nothing of the
 * engine, but the standard's rules: a receive takes the first message of its sender that fits it, and a message goes to
 * the first posted receive that it fits.
 */
final class TinyModel {
  /** The outcome of a run that cannot go on. */
  static final String DEADLOCK = "deadlock";

  /** How sends complete. */
  enum Sends {
    /** At once. */
    BUFFERED,
    /** When a receive has taken their message. */
    WAITING,
    /** Each in one of these ways. */
    MIXED
  }

  /** The outcome of a run with messages left over. */
  static final String LEFTOVER = "leftover";

  private record Message(int from, int number, int to, int tag) {}

  private record Posted(int request, int peer, int tag) {
    boolean takes(Message m) {
      return (peer < 0 || peer == m.from) && (tag < 0 || tag == m.tag);
    }
  }

  /** One rank's part of a state; request -2 stands for the blocking receive. */
  private static final class Part {
    int pc;
    int sent;
    boolean blocked;
    List<Posted> posted = new ArrayList<>();
    List<Message> pending = new ArrayList<>();
    List<String> matched = new ArrayList<>();
    List<String> seen = new ArrayList<>();

    Part copy() {
      Part p = new Part();
      p.pc = pc;
      p.sent = sent;
      p.blocked = blocked;
      p.posted = new ArrayList<>(posted);
      p.pending = new ArrayList<>(pending);
      p.matched = new ArrayList<>(matched);
      p.seen = new ArrayList<>(seen);
      return p;
    }

    @Override
    public String toString() {
      return pc + "," + sent + "," + blocked + "," + posted + "," + pending + "," + matched + ","
          + seen;
    }
  }

  private final TinyProgram program;
  private final Sends sends;
  private final int size;
  private final Set<String> visited = new HashSet<>();
  private final Set<String> outcomes = new TreeSet<>();

  private TinyModel(TinyProgram program, Sends sends) {
    this.program = program;
    this.sends = sends;
    this.size = program.ranks.size();
  }

  static Set<String> outcomes(TinyProgram program, Sends sends) {
    TinyModel model = new TinyModel(program, sends);
    List<Part> start = new ArrayList<>();
    for (int r = 0; r < model.size; r++) {
      start.add(new Part());
    }
    model.visit(start);
    return model.outcomes;
  }

  private List<Part> copy(List<Part> state) {
    List<Part> copy = new ArrayList<>();
    state.forEach(part -> copy.add(part.copy()));
    return copy;
  }

  private void visit(List<Part> state) {
    if (!visited.add(state.toString())) {
      return;
    }
    boolean moved = false;
    for (int r = 0; r < size; r++) {
      moved |= step(state, r);
      Part now = state.get(r);
      for (Posted posted : now.posted) {
        for (Message message : fitting(now, posted)) {
          moved = true;
          List<Part> next = copy(state);
          Part part = next.get(r);
          part.posted.remove(posted);
          part.pending.remove(message);
          take(part, posted.request, message);
          visit(next);
        }
      }
    }
    if (!moved) {
      end(state);
    }
  }

  private void end(List<Part> state) {
    StringBuilder outcome = new StringBuilder();
    for (int r = 0; r < size; r++) {
      Part part = state.get(r);
      if (part.pc < program.ranks.get(r).size()) {
        outcomes.add(DEADLOCK);
        return;
      }
      outcome.append(part.seen).append(' ');
    }
    outcomes.add(state.stream().allMatch(part -> part.pending.isEmpty()) ? outcome.toString() : LEFTOVER);
  }

  /** Returns the messages that a receive can take, or that a probe after all posted receives can find. */
  private static List<Message> fitting(Part part, Posted pattern) {
    List<Message> firsts = new ArrayList<>();
    for (Message message : part.pending) {
      if (pattern.takes(message) && firsts.stream().noneMatch(first -> first.from == message.from)) {
        firsts.add(message);
      }
    }
    int end = part.posted.contains(pattern) ? part.posted.indexOf(pattern) : part.posted.size();
    firsts.removeIf(message -> part.posted.subList(0, end).stream().anyMatch(earlier -> earlier.takes(message)));
    return firsts;
  }

  private static void take(Part part, int request, Message message) {
    while (part.matched.size() <= request + 2) {
      part.matched.add(null);
    }
    part.matched.set(request + 2, message.from + "." + message.number);
  }

  private static String matched(Part part, int request) {
    return request + 2 < part.matched.size() ? part.matched.get(request + 2) : null;
  }

  private boolean isTaken(List<Part> state, int to, int from, int number) {
    String name = from + "." + number;
    return state.get(to).matched.contains(name) || state.get(to).seen.contains(name);
  }

  /** Makes all steps that a rank can make next; returns whether there is one. */
  private boolean step(List<Part> state, int r) {
    Part now = state.get(r);
    if (now.pc == program.ranks.get(r).size()) {
      return false;
    }
    TinyProgram.Step step = program.ranks.get(r).get(now.pc);
    List<Part> next = copy(state);
    Part part = next.get(r);
    switch (step.code()) {
      case SEND -> {
        if (now.blocked) {
          if (!isTaken(state, step.peer(), r, now.sent - 1)) {
            return false;
          }
          part.blocked = false;
          part.pc++;
        } else {
          next.get(step.peer()).pending.add(new Message(r, part.sent++, step.peer(), step.tag()));
          if (sends == Sends.MIXED) {
            List<Part> other = copy(next);
            other.get(r).blocked = true;
            visit(other);
          }
          part.blocked = sends == Sends.WAITING;
          part.pc += part.blocked ? 0 : 1;
        }
      }
      case RECV -> {
        if (!now.blocked) {
          part.blocked = true;
          part.posted.add(new Posted(-2, step.peer(), step.tag()));
        } else if (matched(now, -2) == null) {
          return false;
        } else {
          part.seen.add(matched(now, -2));
          part.matched.set(0, null);
          part.blocked = false;
          part.pc++;
        }
      }
      case IRECV -> {
        part.pc++;
        part.posted.add(new Posted(step.request(), step.peer(), step.tag()));
      }
      case WAIT -> {
        String message = matched(now, step.request());
        if (message == null) {
          return false;
        }
        part.seen.add(message);
        part.pc++;
      }
      case TEST -> {
        part.seen.add("no");
        part.pc++;
        if (matched(now, step.request()) != null) {
          List<Part> other = copy(state);
          other.get(r).seen.add("yes");
          other.get(r).pc++;
          visit(other);
        }
      }
      case WAIT_ANY -> {
        for (int i = 1; i >= 0; i--) {
          if (matched(now, step.request() + i) != null) {
            List<Part> other = copy(state);
            other.get(r).seen.add("any" + i);
            other.get(r).pc++;
            visit(other);
          }
        }
        return matched(now, step.request()) != null || matched(now, step.request() + 1) != null;
      }
      case IPROBE -> {
        part.seen.add("no");
        part.pc++;
        for (Message message : fitting(now, new Posted(-1, step.peer(), step.tag()))) {
          List<Part> other = copy(state);
          other.get(r).seen.add("found" + message.from);
          other.get(r).pc++;
          visit(other);
        }
      }
    }
    visit(next);
    return true;
  }
}
