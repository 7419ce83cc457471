// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.models;

import java.util.ArrayList;
import java.util.List;

/**
 * Visits every state that a model can reach, depth first. States are remembered by hashes of 64 bits: of ten million
 * states, the chance that any two share one is one in 300,000.
 */
final class Search {
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private static final class Frame {
    byte[] state;
    int next;
    boolean moved;
  }

  private final Model model;
  private final Machine machine;
  private final int perProcess;
  private final List<Frame> path = new ArrayList<>();
  private long[] seen = new long[1 << 20];
  private int states;
  private int depth;

  private Search(Model model) {
    this.model = model;
    this.machine = model.machine;
    int choices = 1;
    for (int p = 0; p < machine.processes; p++) {
      choices = Math.max(choices, model.choices(p));
    }
    this.perProcess = choices + machine.buffers();
  }

  /** Returns how many states a model has. Fails at the first state with a mistake, and says how it was reached. */
  static int run(Model model) {
    Search search = new Search(model);
    search.visitAll();
    return search.states;
  }

  private void visitAll() {
    push(machine.s.clone());
    while (depth > 0) {
      Frame top = path.get(depth - 1);
      if (top.next == perProcess * machine.processes) {
        if (!top.moved) {
          machine.s = top.state;
          model.checkEnd();
          failOnMistake("at the end");
        }
        depth--;
        continue;
      }
      int process = top.next / perProcess;
      int what = top.next % perProcess;
      top.next++;
      machine.s = top.state.clone();
      boolean flushes = what < machine.buffers();
      boolean moves = flushes
          ? machine.flush(process, what)
          : what - machine.buffers() < model.choices(process) && machine.pc(process) != Model.END
              && model.step(process, what - machine.buffers());
      if (moves) {
        top.moved = true;
        failOnMistake((flushes ? "flush of " : "step of ") + process);
        push(machine.s);
      }
    }
  }

  private void push(byte[] state) {
    if (!add(state)) {
      return;
    }
    if (depth == path.size()) {
      path.add(new Frame());
    }
    Frame frame = path.get(depth++);
    frame.state = state;
    frame.next = 0;
    frame.moved = false;
  }

  private void failOnMistake(String last) {
    if (model.mistake() == null) {
      return;
    }
    StringBuilder text = new StringBuilder(model.mistake()).append(" after");
    for (int i = 1; i < depth; i++) {
      int taken = path.get(i - 1).next - 1;
      machine.s = path.get(i - 1).state;
      text.append(' ').append(taken % perProcess < machine.buffers() ? "flush:" : "")
          .append(model.place(taken / perProcess));
    }
    throw new AssertionError(text.append(", ").append(last).toString());
  }

  private boolean add(byte[] state) {
    if (states > seen.length / 2) {
      grow();
    }
    long hash = hash(state);
    if (!insert(seen, hash)) {
      return false;
    }
    states++;
    return true;
  }

  private static boolean insert(long[] table, long hash) {
    int i = (int) (hash >>> 20) & table.length - 1;
    while (table[i] != 0) {
      if (table[i] == hash) {
        return false;
      }
      i = i + 1 & table.length - 1;
    }
    table[i] = hash;
    return true;
  }

  private void grow() {
    long[] larger = new long[2 * seen.length];
    for (long hash : seen) {
      if (hash != 0) {
        insert(larger, hash);
      }
    }
    seen = larger;
  }

  private static long hash(byte[] state) {
    long h = state.length;
    for (byte b : state) {
      h = (h ^ b & 0xFF) * MULTIPLIER;
      h ^= h >>> 29;
    }
    return h == 0 ? 1 : h;
  }
}
