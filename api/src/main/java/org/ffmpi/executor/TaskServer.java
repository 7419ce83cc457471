// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.executor;

import org.ffmpi.IntraComm;

/** Runs the tasks of the master, as a worker, until the master sends none any more. */
final class TaskServer {
  static final int TASK = 1;
  static final int RESULT = 2;

  private TaskServer() {}

  static void serve(IntraComm comm, int master) {
    while (true) {
      byte[] task = comm.recvObject(master, TASK);
      if (task == null) {
        return;
      }
      TaskOutcome outcome = TaskOutcome.of(task, comm);
      Thread.interrupted(); // what the task has left behind is not for the next one
      comm.sendObject(outcome.message(), master, RESULT);
    }
  }
}
