// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.ffmpi.spi.CallPlace;

/**
 * The places of a rank's last sends, by receiver, context and tag. Messages of these three are received in order, so
 * that those that are left at the end are the last ones. Any thread.
 */
final class SentMessages {
  /** How many sends of a receiver, a context and a tag are known. */
  private static final int KNOWN = 8;

  private record Key(int peer, long context, int tag) {}

  private final Map<Key, Deque<CallPlace>> places = new ConcurrentHashMap<>();

  /** Adds a send. */
  void add(int peer, long context, int tag, CallPlace place) {
    Deque<CallPlace> last = places.computeIfAbsent(new Key(peer, context, tag), key -> new ArrayDeque<>(KNOWN));
    synchronized (last) {
      if (last.size() == KNOWN) {
        last.removeFirst();
      }
      last.addLast(place);
    }
  }

  /** Forgets the sends of all contexts but some. */
  void retain(Set<Long> contexts) {
    places.keySet().removeIf(key -> !contexts.contains(key.context));
  }

  /** Returns the places of the last sends, at most as many as wanted, the first one first. */
  List<CallPlace> last(int peer, long context, int tag, long wanted) {
    Deque<CallPlace> last = places.get(new Key(peer, context, tag));
    if (last == null) {
      return List.of();
    }
    synchronized (last) {
      List<CallPlace> all = new ArrayList<>(last);
      return all.subList((int) Math.max(0, all.size() - wanted), all.size());
    }
  }
}
