// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

/** The environment of a rank, a process of its own or a thread beside other ranks. The two end differently. */
public interface RankRuntime {
  /**
   * Returns whether other ranks share this JVM.
   *
   * @return true for ranks in threads
   */
  boolean inThreads();

  /**
   * Returns whether a launcher of ffmpi watches this process.
   *
   * @return true when it can be asked to start others
   */
  default boolean isLaunched() {
    return false;
  }

  /** Binds the rank's first thread, if the settings say so. Called once, when the rank has run for some time. */
  void bind();

  /**
   * Returns the name of the connection to other nodes.
   *
   * @return words that follow the number of ranks and nodes; empty where a launcher of ffmpi has started the rank
   */
  default String describe() {
    return "";
  }

  /**
   * Returns the processors that the rank's first thread is bound to, or will be bound to.
   *
   * @return their numbers; empty when the thread is not bound
   */
  int[] boundTo();

  /** The program of a rank, whose place outside of calls matters when other ranks wait for long. */
  interface Program {
    /**
     * Names the thread of the program.
     *
     * @param thread the thread that has initialized the rank
     */
    void setThread(Thread thread);

    /**
     * Finds the place of the thread if others wait, and writes it into the rank's account. The segment stays mapped
     * meanwhile.
     */
    void updatePlace();
  }

  /**
   * Called when the rank has joined.
   *
   * @param program its program, whose place the runtime updates now and then
   */
  default void onJoined(Program program) {}

  /**
   * Called when the thread of the program is known that has not joined itself.
   *
   * @param thread the thread that runs the rank
   */
  default void setThread(Thread thread) {}

  /** Called before the accounts of all ranks are read: updates the places of programs that this process knows. */
  default void updatePlaces() {}

  /** Called when the program has printed the reason of the end that follows. */
  default void markFailurePrinted() {}

  /**
   * Called when this rank has ended the job.
   *
   * @param first whether no other rank had ended it before
   * @param code exit code
   * @param reason one line
   */
  void onAborted(boolean first, int code, String reason);

  /**
   * Called when a connected job has ended this one.
   *
   * @param code exit code
   * @param reason one line
   */
  default void onEndedFromOutside(int code, String reason) {}

  /**
   * Called before the progress of a leaving rank ends: waits until its peers no longer need it.
   *
   * @param progress makes some progress
   */
  default void awaitPeers(Runnable progress) {}

  /** Called when the rank has left and its engine does not touch the segment again. */
  void onLeft();
}
