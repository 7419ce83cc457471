// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * A status of ffmpi for a call that copies what is in it: one that is kept for the thread that called {@code MPI.Init},
 * so that its receives make none, a new one for any other.
 */
final class SpareStatus {
  private static final org.ffmpi.Status KEPT = new org.ffmpi.Status();

  private static Thread owner;

  private SpareStatus() {}

  static void keepFor(Thread thread) {
    owner = thread;
  }

  static org.ffmpi.Status get() {
    return Thread.currentThread() == owner ? KEPT : new org.ffmpi.Status();
  }
}
