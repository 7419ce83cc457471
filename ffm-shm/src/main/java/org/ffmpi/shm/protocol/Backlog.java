// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/** The queue of sends to one peer that wait for room in its ring. Guarded by the peer's {@link Outbound}. */
final class Backlog {
  /** Number of the rank's non-empty backlogs. */
  private final AtomicInteger nonEmpty;

  /** Number of sends that wait. */
  private int length;

  private SendOp head;
  private SendOp tail;

  Backlog(AtomicInteger nonEmpty) {
    this.nonEmpty = nonEmpty;
  }

  boolean isEmpty() {
    return head == null;
  }

  /** Returns the oldest send, or null. */
  SendOp head() {
    return head;
  }

  /** Returns whether a send of some contexts waits. */
  boolean any(LongPredicate contexts) {
    for (SendOp s = head; s != null; s = s.next) {
      if (contexts.test(s.context)) {
        return true;
      }
    }
    return false;
  }

  /** Passes every waiting send to a consumer. */
  void forEach(Consumer<SendOp> to) {
    for (SendOp s = head; s != null; s = s.next) {
      to.accept(s);
    }
  }

  /** Returns the number of sends that wait. Racy. */
  int length() {
    return length;
  }

  void add(SendOp op) {
    length++;
    op.next = null;
    if (head == null) {
      head = op;
      nonEmpty.getAndIncrement();
    } else {
      tail.next = op;
    }
    tail = op;
  }

  void removeHead() {
    length--;
    head = head.next;
    if (head == null) {
      tail = null;
      nonEmpty.getAndDecrement();
    }
  }

  /** Removes a send of which no part has been sent; returns whether it was removed. */
  boolean withdraw(SendOp op) {
    SendOp previous = null;
    for (SendOp s = head; s != null; previous = s, s = s.next) {
      if (s == op) {
        if (op.sent > 0) {
          return false;
        }
        if (previous == null) {
          removeHead();
        } else {
          length--;
          previous.next = op.next;
          if (tail == op) {
            tail = previous;
          }
        }
        return true;
      }
    }
    return false;
  }

  /** Empties the backlog and returns its sends as a chain. */
  SendOp removeAll() {
    SendOp chain = head;
    if (chain != null) {
      head = null;
      tail = null;
      length = 0;
      nonEmpty.getAndDecrement();
    }
    return chain;
  }
}
