// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.util.Arrays;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Persistent;

/** Exchange of whole {@code double[]}, through the methods that take them as they are. */
final class ArrayExchange extends Exchange {
  private static final double WIPED = -1;

  private final double[][] send;
  private final double[] receive;

  /** Makes its own arrays; the size is a multiple of eight. */
  ArrayExchange(IntraComm world, Work work) {
    super(world, work);
    int length = Math.toIntExact(work.bytes() / Double.BYTES);
    send = new double[buffers][length];
    receive = new double[length];
    refresh(0);
  }

  @Override
  void refresh(int buffer) {
    Refresh.doubles(send[buffer]);
  }

  @Override
  void latency(long iterations) {
    if (rank == 0) {
      for (long i = 0; i < iterations; i++) {
        if (dirty) {
          refresh(0);
        }
        world.send(send[0], 1, DATA_TAG);
        world.recv(receive, 1, DATA_TAG);
      }
    } else {
      for (long i = 0; i < iterations; i++) {
        world.recv(receive, 0, DATA_TAG);
        if (dirty) {
          refresh(0);
        }
        world.send(send[0], 0, DATA_TAG);
      }
    }
  }

  @Override
  void nonblocking(long iterations) {
    if (rank == 0) {
      for (long i = 0; i < iterations; i++) {
        world.isend(send[0], 1, DATA_TAG).await();
        world.recv(receive, 1, DATA_TAG);
      }
    } else {
      for (long i = 0; i < iterations; i++) {
        world.recv(receive, 0, DATA_TAG);
        world.isend(send[0], 0, DATA_TAG).await();
      }
    }
  }

  @Override
  void persistent(long iterations) {
    try (Persistent sending = world.sendInit(Buf.of(send[0]), 1 - rank, DATA_TAG)) {
      if (rank == 0) {
        for (long i = 0; i < iterations; i++) {
          sending.start();
          sending.await();
          world.recv(receive, 1, DATA_TAG);
        }
      } else {
        for (long i = 0; i < iterations; i++) {
          world.recv(receive, 0, DATA_TAG);
          sending.start();
          sending.await();
        }
      }
    }
  }

  @Override
  void startSends(int peer) {
    for (int j = 0; j < WINDOW; j++) {
      int buffer = next(j);
      if (dirty) {
        if (j >= buffers) {
          requests[j - buffers].await();
        }
        refresh(buffer);
      }
      requests[j] = world.isend(send[buffer], peer, DATA_TAG);
    }
  }

  @Override
  void startReceives(int peer) {
    for (int j = WINDOW; j < 2 * WINDOW; j++) {
      requests[j] = world.irecv(receive, peer, DATA_TAG);
    }
  }

  @Override
  void wipe() {
    Arrays.fill(receive, WIPED);
  }

  @Override
  boolean arrived() {
    return Arrays.stream(receive).allMatch(d -> d == receive[0] && d != WIPED);
  }
}
