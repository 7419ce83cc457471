// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.connect;

/** Starts the processes of a spawn, and reports when that fails. Used by the root's thread. */
public interface Starter extends AutoCloseable {
  /** Returns how many more processes there may be; MAX_VALUE for any number. */
  int slots();

  /**
   * Begins to start processes.
   *
   * @param request the processes
   */
  void start(SpawnRequest request);

  /** Returns why the new processes will not all join, or null while they may. */
  String failure();

  /** Called when all processes have joined: what follows is no failure of the start. */
  void settled();

  @Override
  void close();
}
