// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.util.Arrays;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;

/** {@link CompatProgram} in ffmpi's own API, with buffers that are made before the first call. */
final class OwnLoops implements CompatProgram.Loops {
  private static final int TAG = CompatProgram.TAG;

  private final IntraComm world;
  private final int rank;
  private final Buf<Double> send;
  private final Buf<Double> receive;
  private final Buf<Double> all;
  private final long[] counts;
  private final long[] places;

  OwnLoops(IntraComm world, CompatNumbers n) {
    this.world = world;
    rank = world.rank();
    send = n.inArrays() ? Buf.of(n.sentArray()) : Buf.of(n.sent());
    receive = n.inArrays() ? Buf.of(n.receivedArray(), 0, n.length()) : Buf.of(n.received().slice(0, n.length()));
    all = n.inArrays() ? Buf.of(n.receivedArray()) : Buf.of(n.received());
    counts = longs(n.counts());
    places = longs(n.places());
  }

  static long[] longs(int[] numbers) {
    return Arrays.stream(numbers).asLongStream().toArray();
  }

  @Override
  public void pingpong(long iterations) {
    if (rank == 0) {
      for (long i = 0; i < iterations; i++) {
        world.send(send, 1, TAG);
        world.recv(receive, 1, TAG);
      }
    } else {
      for (long i = 0; i < iterations; i++) {
        world.recv(receive, 0, TAG);
        world.send(send, 0, TAG);
      }
    }
  }

  @Override
  public void allreduce(long iterations) {
    for (long i = 0; i < iterations; i++) {
      world.allreduce(send, receive, Op.SUM);
    }
  }

  @Override
  public void allgatherv(long iterations) {
    for (long i = 0; i < iterations; i++) {
      world.allgatherv(send, all, counts, places);
    }
  }
}
