// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

/**
 * Sees the program's MPI calls, in place of the profiling interface {@code PMPI} of C (MPI-4.1 §15.2).
 *
 * {@snippet :
 * final class SlowCalls implements CallListener {
 *   @Override
 *   public void end(Call call) {
 *     if (call.nanos() > 1_000_000) {
 *       System.err.println(call + " took " + call.nanos() / 1000 + " us");
 *     }
 *   }
 * }
 * }
 *
 * <p>Installed by {@link Calls#install}, or named to the launcher ({@code mpirun --profile=SlowCalls}), which makes one
 * in each rank before {@code main} by its constructor without parameters. Methods run in the thread that makes the
 * call, several at a time when several threads do. Their own calls, MPI included, are not reported. One that throws
 * does not disturb the call: its exception is printed, once, and the listener is removed.
 */
public interface CallListener {
  /**
   * Called when a call begins. Several listeners are called in the order in which they were installed.
   *
   * @param call what is called, with which arguments
   */
  default void begin(Call call) {}

  /**
   * Called when a call whose beginning this listener has seen returns or throws. Several listeners are called in the
   * reverse order. A call that ends the process is not reported here.
   *
   * @param call the same object as at the beginning, now with duration and result
   */
  default void end(Call call) {}
}
