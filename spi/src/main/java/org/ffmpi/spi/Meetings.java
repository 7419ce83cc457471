// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

/**
 * Meetings of processes that belong to several jobs, or to a job and the processes that it has spawned. A meeting has
 * an engine of its own at each process that takes part. Its peers are numbered from 0, apart from those of the jobs, so
 * that nothing above an engine knows of more than one. All engines of a process make progress together, so that a wait
 * in one of them is a wait in all.
 *
 * <p>Any thread may call. Names of places are for one use.
 */
public interface Meetings {
  /**
   * Returns whether the ranks of this job are threads.
   *
   * @return false for ranks in processes
   */
  boolean inThreads();

  /**
   * Returns whether all peers of an engine of this process are threads of this JVM.
   *
   * @param engine that of the job, or of a meeting
   * @return false when some are in other processes
   */
  boolean isWithinJvm(Engine engine);

  /**
   * Asks the launcher that has started this process to connect to a port.
   *
   * @param port a number that the launcher knows how to make a name of
   * @return false when no launcher has started it
   */
  boolean callLauncher(long port);

  /**
   * Makes a place where processes can meet. Its maker keeps it until all have entered.
   *
   * @param processes how many will take part
   * @param withinJvm whether all of them are threads of this JVM
   * @return its name, by which the others enter
   */
  String make(int processes, boolean withinJvm);

  /**
   * Closes the entrance of a place that this process has made. Those who have entered stay.
   *
   * @param place the name of the place
   */
  void discard(String place);

  /**
   * Enters a place. Does not wait for others, see {@link Engine#hasJoined}.
   *
   * @param place the name of the place
   * @param self the number of this process there
   * @param processes how many take part
   * @return the engine of this process there
   */
  Engine enter(String place, int self, int processes);

  /**
   * Returns whether a meeting has ended early, and ends the job then.
   *
   * @return true when the processes that this one is connected with end
   */
  boolean haveEnded();

  /**
   * Leaves a meeting: completes the sends of this process there, then publishes that it has left.
   *
   * @param engine what {@link #enter} has returned
   * @param failed whether the process leaves because of an error
   */
  void leave(Engine engine, boolean failed);
}
