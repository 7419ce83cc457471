// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.Constants;

/** Unexpected messages of objects whose bytes a count needed, in the order of arrival. Any thread may call. */
final class UnexpectedObjects {
  /**
   * A message.
   *
   * @param source rank of the sender
   * @param tag its tag
   * @param bytes the objects
   */
  record Message(int source, int tag, byte[] bytes) {
    boolean matches(int from, int ofTag) {
      return (from == Constants.ANY_SOURCE || from == source) && (ofTag == Constants.ANY_TAG || ofTag == tag);
    }
  }

  private final List<Message> messages = new ArrayList<>();

  /** Nearly always true, which spares the lock. */
  private volatile boolean isEmpty = true;

  synchronized void add(Message message) {
    messages.add(message);
    isEmpty = false;
  }

  /** Returns the first message that matches; null without one. */
  Message find(int source, int tag) {
    return isEmpty ? null : first(source, tag, false);
  }

  /** Returns the first message that matches and removes it; null without one. */
  Message remove(int source, int tag) {
    return isEmpty ? null : first(source, tag, true);
  }

  private synchronized Message first(int source, int tag, boolean removed) {
    for (int i = 0; i < messages.size(); i++) {
      Message message = messages.get(i);
      if (message.matches(source, tag)) {
        if (removed) {
          messages.remove(i);
          isEmpty = messages.isEmpty();
        }
        return message;
      }
    }
    return null;
  }
}
