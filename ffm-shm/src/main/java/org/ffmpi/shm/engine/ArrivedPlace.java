// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

/** Where an unexpected message stands in one of the queues of an {@link ArrivedIndex}. */
abstract class ArrivedPlace {
  /** The next older one in the queue; of the oldest, the youngest. */
  ArrivedPlace previous;

  /** The next younger one in the queue; of the youngest, null. */
  ArrivedPlace next;

  abstract Arrived message();

  /** A place in the queue of a pattern with wildcards. */
  static final class OfWildcard extends ArrivedPlace {
    private final Arrived message;

    OfWildcard(Arrived message) {
      this.message = message;
    }

    @Override
    Arrived message() {
      return message;
    }
  }
}
