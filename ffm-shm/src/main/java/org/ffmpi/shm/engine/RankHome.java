// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

/** What a rank lives in, a process of its own or a thread among others: where its end has other consequences. */
interface RankHome {
  /** Whether other ranks share this JVM. */
  boolean inThreads();

  /** The C library's functions may be used from now on. */
  void onLinked();

  /** The processors that the rank's first thread is, or will be, bound to; none when it is not bound. */
  int[] boundTo();

  /** The rank ended the job; {@code first} when no other had. */
  void aborted(boolean first, int code, String reason);

  /** The rank has left; its engine touches the segment no more. */
  void left(ShmEngine engine);
}
