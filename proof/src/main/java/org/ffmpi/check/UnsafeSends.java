// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.ffmpi.spi.CallPlace;
import org.ffmpi.spi.Operation;

/**
 * The sends of a rank that have ended only because messages are buffered. One to the rank itself counts when the rank
 * has received it in the thread that sends, since another thread may post the receive. Any thread.
 */
final class UnsafeSends {
  private static final String NEEDS = " needs a buffer, which not every MPI has: ";

  private record ToItself(Thread thread, CallPlace place, int tag, Operation message) {}

  private final Queue<String> found = new ConcurrentLinkedQueue<>();
  private final Queue<ToItself> toItself = new ConcurrentLinkedQueue<>();
  private volatile Thread receiver;
  private volatile boolean hasSeveralReceivers;

  /** Adds a send to another rank. */
  void add(CallPlace place, int peer, int tag) {
    found.add(place + " to rank " + peer + " with tag " + tag + NEEDS
        + "all ranks wait, and none has posted its receive; post that first, or " + waitLater(place)
        + ", or compare its tag and communicator with those of the receive");
  }

  /** Adds a send of this thread to its own rank. */
  void addToItself(CallPlace place, int tag, Operation message) {
    toItself.add(new ToItself(Thread.currentThread(), place, tag, message));
  }

  /** Notes that this thread receives. */
  void receives() {
    Thread now = Thread.currentThread();
    Thread known = receiver;
    if (known == null) {
      receiver = now;
    } else if (known != now) {
      hasSeveralReceivers = true;
    }
  }

  /** Returns the sentences about them. */
  List<String> sentences() {
    List<String> all = new ArrayList<>(found);
    for (ToItself send : toItself) {
      if (!hasSeveralReceivers && send.thread == receiver && send.message.isDone()) {
        all.add(send.place + " to its own rank with tag " + send.tag + NEEDS
            + "the rank has posted its receive later; post that first, or " + waitLater(send.place));
      }
    }
    return all;
  }

  private static String waitLater(CallPlace place) {
    return place.call().equals("MPI_Send") ? "use isend or sendrecv" : "wait for it after the rank's own receives";
  }
}
