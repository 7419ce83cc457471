// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

/** The home of a rank: a process of its own, or a thread beside other ranks. The two end differently. */
public interface RankRuntime {
  /**
   * Returns whether other ranks share this JVM.
   *
   * @return true for ranks in threads
   */
  boolean inThreads();

  /** Binds the rank's first thread, if that is wanted. Called once, when the rank has run for some time. */
  void bind();

  /**
   * Returns what connects the rank with other nodes.
   *
   * @return words that follow the number of ranks and nodes; empty where a launcher of ours has started the rank
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

  /** Called when the reason of the end that follows has been printed already. */
  default void failurePrinted() {}

  /**
   * Called when this rank has ended the job.
   *
   * @param first whether no other rank had ended it before
   * @param code exit code
   * @param reason one line
   */
  void aborted(boolean first, int code, String reason);

  /**
   * Called when this rank has nothing more to do, before its progress ends: waits until its peers can do without it.
   *
   * @param progress makes some progress
   */
  default void awaitPeers(Runnable progress) {}

  /** Called when the rank has left: its engine does not touch the segment again. */
  void left();
}
