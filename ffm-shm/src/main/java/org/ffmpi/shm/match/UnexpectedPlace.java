// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.match;

/** The place of an unexpected message in one of the queues of an {@link UnexpectedIndex}. */
abstract class UnexpectedPlace {
  /** The next older one in the queue; of the oldest, the youngest. */
  UnexpectedPlace previous;

  /** The next younger one in the queue; of the youngest, null. */
  UnexpectedPlace next;

  abstract Unexpected message();

  /** A place in the queue of a pattern with wildcards. */
  static final class OfWildcard extends UnexpectedPlace {
    private final Unexpected message;

    OfWildcard(Unexpected message) {
      this.message = message;
    }

    @Override
    Unexpected message() {
      return message;
    }
  }
}
