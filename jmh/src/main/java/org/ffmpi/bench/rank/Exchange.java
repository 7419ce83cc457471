// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.util.Arrays;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Request;

/** The loops of the point-to-point benches between ranks 0 and 1 over buffers of one kind; {@code p2p.c} in Java. */
abstract class Exchange {
  static final int WINDOW = 64;
  static final int DATA_TAG = 1;
  private static final int ANSWER_TAG = 2;

  /** A window's buffers together are not larger than this. */
  static final long BLOCK = 64L << 20;

  final IntraComm world;
  final int rank;
  final boolean dirty;
  final int buffers;
  final Request[] requests = new Request[2 * WINDOW];
  private final List<Request> sends = Arrays.asList(requests).subList(0, WINDOW);
  private final List<Request> receives = Arrays.asList(requests).subList(WINDOW, 2 * WINDOW);
  private final List<Request> both = Arrays.asList(requests);
  private final byte[] answer = new byte[4];
  private final Buf<?> answerBuf = Buf.of(answer);

  Exchange(IntraComm world, Work work) {
    this.world = world;
    this.rank = world.rank();
    this.dirty = work.dirty();
    this.buffers = dirty ? (int) Math.min(WINDOW, BLOCK / stride(work.bytes())) : 1;
  }

  /** Returns how far the buffers of a window lie apart. */
  static long stride(long bytes) {
    return bytes < 64 ? 64 : bytes + 63 & -64;
  }

  /** Writes every byte of one of the send buffers. */
  abstract void refresh(int buffer);

  /** Overwrites the receive buffer, so that {@link #arrived} cannot see its former content. */
  abstract void wipe();

  /** Returns whether the receive buffer holds one word throughout, and not the byte of {@link #wipe}. */
  abstract boolean arrived();

  /**
   * Plays ping-pong. This method and the next ones are not shared between subclasses, so that each calls the library
   * directly, as a user's program would, and only the library sees all kinds of buffers.
   */
  abstract void latency(long iterations);

  /** Plays ping-pong with nonblocking sends that are awaited at once. */
  abstract void nonblocking(long iterations);

  /** Plays ping-pong with persistent sends. */
  abstract void persistent(long iterations);

  /** Starts a window of sends: {@code requests[0..WINDOW)}. */
  abstract void startSends(int peer);

  /** Starts a window of receives: {@code requests[WINDOW..2 * WINDOW)}. */
  abstract void startReceives(int peer);

  /** Returns which buffer the message {@code j} of a window is sent from. */
  final int next(int j) {
    return buffers == 1 ? 0 : j % buffers;
  }

  final void oneWay(long iterations) {
    for (long i = 0; i < iterations; i++) {
      if (rank == 0) {
        startSends(1);
        Request.waitAll(sends);
        world.recv(answerBuf, 1, ANSWER_TAG);
      } else {
        startReceives(0);
        Request.waitAll(receives);
        world.send(answerBuf, 0, ANSWER_TAG);
      }
    }
  }

  final void bothWays(long iterations) {
    int peer = 1 - rank;
    for (long i = 0; i < iterations; i++) {
      startReceives(peer);
      startSends(peer);
      Request.waitAll(both);
    }
  }

  final void fill(long iterations) {
    for (long i = 0; i < iterations; i++) {
      refresh(0);
    }
  }
}
