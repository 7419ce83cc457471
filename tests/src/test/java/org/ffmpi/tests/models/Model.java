// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.models;

/** The program of the processes of a {@link Machine}, one access to memory at a time. */
abstract class Model {
  /** Where a process stands that has ended. */
  static final int END = 127;

  final Machine machine;
  private String mistake;

  Model(Machine machine) {
    this.machine = machine;
  }

  /**
   * Takes the next step of a process in the machine's state.
   *
   * @param choice which of its steps, below {@link #choices}
   * @return false when it cannot be taken now; then the state does not count
   */
  abstract boolean step(int process, int choice);

  /** Returns how many steps a process may have to choose from. */
  int choices(int process) {
    return 1;
  }

  /** Checks a state in which nothing can move any more. */
  void checkEnd() {
    for (int p = 0; p < machine.processes; p++) {
      check(machine.pc(p) == END, "process " + p + (machine.isAsleep(p) ? " sleeps" : " waits") + " for ever");
    }
  }

  /** Names the place at which a process stands, for a trace. */
  String place(int process) {
    return "p" + process + "@" + machine.pc(process);
  }

  final boolean check(boolean holds, String text) {
    if (!holds && mistake == null) {
      mistake = text;
    }
    return holds;
  }

  final String mistake() {
    return mistake;
  }
}
