// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * A status of ffmpi for a call that copies its content: a reused one for the thread that called {@code MPI.Init}, whose
 * receives then allocate none, and a new one for any other thread.
 */
final class SpareStatus {
  private static final org.ffmpi.Status REUSED = new org.ffmpi.Status();

  private static Thread owner;

  private SpareStatus() {}

  static void reserveFor(Thread thread) {
    owner = thread;
  }

  static org.ffmpi.Status get() {
    return Thread.currentThread() == owner ? REUSED : new org.ffmpi.Status();
  }
}
