// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.models;

import java.util.Arrays;

/**
 * A machine of a few processes with store buffers, as a state of bytes that {@link Search} copies and compares.
 *
 * <p>A store goes to the process's buffer and reaches memory at any later moment; the process itself reads it at once.
 * Strong machines (x86) write buffers out in order. Weak ones write out stores to different words in any order, but a
 * release store only after everything before it. Loads happen in program order on both: what a weak machine may do with
 * loads is left to jcstress.
 *
 * <p>A futex is part of it: a process sleeps as long as nobody wakes it, and the first of its sleeps is limited to a
 * time in which every store that was in a buffer when it began has long been written out.
 */
final class Machine {
  private static final int PC = 0;
  private static final int SLEEP = 1;
  private static final int FIRST_LOCAL = 2;
  private static final int ENTRY = 3;
  private static final int RELEASE = 0x40;

  static final int AWAKE = 0;
  static final int LIMITED = 1;
  static final int UNLIMITED = 2;

  final int words;
  final int processes;
  final boolean weak;
  private final int locals;
  private final int capacity;
  private final int size;

  /** The state that steps are taken in. */
  byte[] s;

  Machine(int words, int processes, int locals, int capacity, boolean weak) {
    this.words = words;
    this.processes = processes;
    this.locals = locals;
    this.capacity = capacity;
    this.weak = weak;
    this.size = FIRST_LOCAL + locals + 1 + capacity * ENTRY;
    this.s = new byte[words + processes * size];
  }

  private int at(int process) {
    return words + process * size;
  }

  private int count(int process) {
    return at(process) + FIRST_LOCAL + locals;
  }

  private int entry(int process, int i) {
    return count(process) + 1 + i * ENTRY;
  }

  // ---- a process's own

  int pc(int process) {
    return s[at(process) + PC];
  }

  void go(int process, int pc) {
    s[at(process) + PC] = (byte) pc;
  }

  int local(int process, int i) {
    return s[at(process) + FIRST_LOCAL + i];
  }

  void local(int process, int i, int value) {
    s[at(process) + FIRST_LOCAL + i] = (byte) value;
  }

  // ---- memory

  /** What a process reads: its own newest store, or memory. */
  int load(int process, int word) {
    for (int i = s[count(process)] - 1; i >= 0; i--) {
      int e = entry(process, i);
      if ((s[e] & ~RELEASE) == word) {
        return s[e + 1];
      }
    }
    return s[word];
  }

  /** Stores; false while the buffer has no room. */
  boolean store(int process, int word, int value) {
    return buffer(process, word, value);
  }

  /** Stores with release order. */
  boolean release(int process, int word, int value) {
    return buffer(process, word | RELEASE, value);
  }

  private boolean buffer(int process, int word, int value) {
    int n = s[count(process)];
    if (n == capacity) {
      return false;
    }
    int e = entry(process, n);
    s[e] = (byte) word;
    s[e + 1] = (byte) value;
    s[e + 2] = 0;
    s[count(process)] = (byte) (n + 1);
    return true;
  }

  /** Whether a process's stores are all in memory: what a full fence, and any atomic update, waits for. */
  boolean isDrained(int process) {
    return s[count(process)] == 0;
  }

  /** Compare-and-set by a process whose buffer is drained. */
  boolean cas(int word, int expected, int value) {
    if (s[word] != expected) {
      return false;
    }
    s[word] = (byte) value;
    return true;
  }

  int buffers() {
    return capacity;
  }

  /** Writes out one entry of a process's buffer if that may be the next; false if not. */
  boolean flush(int process, int i) {
    int n = s[count(process)];
    if (i >= n || i > 0 && !mayOvertake(process, i)) {
      return false;
    }
    int e = entry(process, i);
    s[s[e] & ~RELEASE] = s[e + 1];
    System.arraycopy(s, e + ENTRY, s, e, (n - 1 - i) * ENTRY);
    Arrays.fill(s, entry(process, n - 1), entry(process, n - 1) + ENTRY, (byte) 0);
    s[count(process)] = (byte) (n - 1);
    return true;
  }

  private boolean mayOvertake(int process, int i) {
    int word = s[entry(process, i)];
    if (!weak || (word & RELEASE) != 0) {
      return false;
    }
    for (int j = 0; j < i; j++) {
      if ((s[entry(process, j)] & ~RELEASE) == word) {
        return false;
      }
    }
    return true;
  }

  // ---- sleep

  /** Sleeps if a word still holds a value; false if it does not. The process's buffer is drained. */
  boolean sleepIf(int process, int word, int value, int how) {
    if (s[word] != value) {
      return false;
    }
    s[at(process) + SLEEP] = (byte) how;
    if (how == LIMITED) {
      for (int p = 0; p < processes; p++) {
        for (int i = 0; i < s[count(p)]; i++) {
          s[entry(p, i) + 2] |= (byte) (1 << process);
        }
      }
    }
    return true;
  }

  boolean isAsleep(int process) {
    return s[at(process) + SLEEP] != AWAKE;
  }

  /** Ends a limited sleep, unless a store that was in a buffer when it began still is. */
  boolean timeOut(int process) {
    if (s[at(process) + SLEEP] != LIMITED) {
      return false;
    }
    for (int p = 0; p < processes; p++) {
      for (int i = 0; i < s[count(p)]; i++) {
        if ((s[entry(p, i) + 2] & 1 << process) != 0) {
          return false;
        }
      }
    }
    wake(process);
    return true;
  }

  /** Wakes a process; what its sleep has left in buffers goes with it. */
  void wake(int process) {
    if (!isAsleep(process)) {
      return;
    }
    s[at(process) + SLEEP] = AWAKE;
    for (int p = 0; p < processes; p++) {
      for (int i = 0; i < s[count(p)]; i++) {
        s[entry(p, i) + 2] &= (byte) ~(1 << process);
      }
    }
  }
}
