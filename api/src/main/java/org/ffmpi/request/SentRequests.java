// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import org.ffmpi.Request;
import org.ffmpi.base.hook.Lifetimes;
import org.ffmpi.process.World;

/**
 * The requests of the sends of a world that are complete when they start. Such a request should cost no object; yet a
 * list may hold several, each of which has to be found complete once. Each sending thread therefore has a ring of
 * requests, and reuses the oldest one if it has been completed.
 *
 * <p>A program may use a request after it has completed it, as it may use {@code MPI_REQUEST_NULL}. An object for which
 * that is known to happen serves no other send, see {@link RequestImpl}: one passed to a call after its completion, and
 * one of an unmodifiable list of which {@code waitAny} or its like has completed some. All others serve another send
 * after 64 sends of that thread at the earliest.
 *
 * <p>Called by any thread. Each has its own ring, so that reusing a request needs no lock.
 */
public final class SentRequests {
  /** How many sends of a thread lie between two of one request, at least. */
  private static final int FEWEST = 64;

  /** Most requests of a ring; further sends make an object each. */
  private static final int MOST = 1024;

  private static final int FEWEST_PLACES = 16;
  private static final int MOST_PLACES = 4096;

  private final World world;

  /**
   * By the low bits of the thread's number. A benign race: a thread that does not find its ring searches again under
   * the lock.
   */
  private Ring[] rings = new Ring[FEWEST_PLACES];

  /** The ring created last, mostly that of the only thread that sends. The same benign race. */
  private Ring recent = new Ring(null, null);

  /** The requests of one thread. */
  private static final class Ring {
    final Thread thread;
    RequestImpl[] requests;
    int next;

    Ring(Thread thread, RequestImpl[] requests) {
      this.thread = thread;
      this.requests = requests;
    }
  }

  private SentRequests(World world) {
    this.world = world;
  }

  /** Returns the requests of a world, each of which is made when it is needed. */
  public static SentRequests of(World world) {
    SentRequests known = world.companion(SentRequests.class);
    return known == null ? world.companion(SentRequests.class, new SentRequests(world)) : known;
  }

  /** Returns an active request of a complete send. */
  public Request next() {
    if (Lifetimes.kept) { // each is an object of its own, whose end is noted
      return new RequestImpl(world, null, RequestKind.SEND, world.engine().completed(), null);
    }
    Ring ring = recent;
    if (ring.thread != Thread.currentThread()) {
      ring = ring();
      if (ring == null) {
        return RequestImpl.sent(world);
      }
    }
    RequestImpl[] requests = ring.requests;
    int i = ring.next & requests.length - 1;
    ring.next = i + 1;
    RequestImpl request = requests[i];
    return request != null && request.beginsAnew() ? request : replace(ring, i);
  }

  /** Puts a new request into a ring, in place of one that is still needed or that the program has kept. */
  private RequestImpl replace(Ring ring, int place) {
    RequestImpl[] requests = ring.requests;
    RequestImpl made = RequestImpl.sent(world);
    if (requests[place] == null || !requests[place].isUncompleted() || requests.length == MOST) {
      requests[place] = made;
      return made;
    }
    int length = requests.length; // the oldest are after the free places
    RequestImpl[] larger = new RequestImpl[2 * length];
    System.arraycopy(requests, place, larger, length, length - place);
    System.arraycopy(requests, 0, larger, 2 * length - place, place);
    larger[0] = made;
    ring.requests = larger;
    ring.next = 1;
    return made;
  }

  private static int place(Thread thread, Ring[] rings) {
    return (int) thread.threadId() & rings.length - 1;
  }

  /** Returns the ring of the calling thread; null when there are too many threads. */
  private Ring ring() {
    Thread thread = Thread.currentThread();
    Ring[] known = rings;
    Ring ring = known[place(thread, known)];
    return ring != null && ring.thread == thread ? ring : find(thread);
  }

  /** Finds or makes the ring of the calling thread; null when there are too many threads. */
  private synchronized Ring find(Thread thread) {
    while (true) {
      int place = place(thread, rings);
      Ring present = rings[place];
      if (present != null && present.thread == thread) {
        return present;
      }
      if (present == null || !present.thread.isAlive()) {
        Ring own = new Ring(thread, present == null ? new RequestImpl[FEWEST] : present.requests);
        own.next = present == null ? 0 : present.next;
        rings[place] = own;
        recent = own;
        return own;
      }
      if (rings.length == MOST_PLACES) {
        return null;
      }
      Ring[] larger = new Ring[2 * rings.length];
      for (Ring ring : rings) {
        if (ring != null && ring.thread.isAlive()) {
          larger[place(ring.thread, larger)] = ring;
        }
      }
      rings = larger;
    }
  }
}
