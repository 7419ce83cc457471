// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.nio.DoubleBuffer;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;

/** {@link CompatProgram} in ffmpi's own API, with buffers that are made for each call. */
public final class Compat extends CompatProgram {
  private final IntraComm world;
  private final double[] shared = new double[1];

  private Compat(IntraComm world) {
    super(world);
    this.world = world;
  }

  public static void main(String[] args) {
    Mpi.run(args, mpi -> new Compat(mpi.world()).start(args));
  }

  @Override
  void barrier() {
    world.barrier();
  }

  @Override
  double agree(double value) {
    shared[0] = value;
    world.bcast(Buf.of(shared), 0);
    return shared[0];
  }

  @Override
  Loops loops(CompatNumbers numbers) {
    return numbers.inArrays() ? new OfArrays(numbers) : new OfBuffers(numbers);
  }

  /** With a buffer made of an array for each call. */
  private final class OfArrays implements Loops {
    private final int length;
    private final double[] send;
    private final double[] receive;
    private final long[] counts;
    private final long[] places;

    OfArrays(CompatNumbers n) {
      length = n.length();
      send = n.sentArray();
      receive = n.receivedArray();
      counts = OwnLoops.longs(n.counts());
      places = OwnLoops.longs(n.places());
    }

    @Override
    public void pingpong(long iterations) {
      if (rank == 0) {
        for (long i = 0; i < iterations; i++) {
          world.send(Buf.of(send), 1, TAG);
          world.recv(Buf.of(receive, 0, length), 1, TAG);
        }
      } else {
        for (long i = 0; i < iterations; i++) {
          world.recv(Buf.of(receive, 0, length), 0, TAG);
          world.send(Buf.of(send), 0, TAG);
        }
      }
    }

    @Override
    public void allreduce(long iterations) {
      for (long i = 0; i < iterations; i++) {
        world.allreduce(Buf.of(send), Buf.of(receive, 0, length), Op.SUM);
      }
    }

    @Override
    public void allgatherv(long iterations) {
      for (long i = 0; i < iterations; i++) {
        world.allgatherv(Buf.of(send), Buf.of(receive), counts, places);
      }
    }
  }

  /** With a buffer made of an NIO buffer for each call. */
  private final class OfBuffers implements Loops {
    private final DoubleBuffer send;
    private final DoubleBuffer receive;
    private final DoubleBuffer all;
    private final long[] counts;
    private final long[] places;

    OfBuffers(CompatNumbers n) {
      send = n.sent();
      receive = n.received().slice(0, n.length());
      all = n.received();
      counts = OwnLoops.longs(n.counts());
      places = OwnLoops.longs(n.places());
    }

    @Override
    public void pingpong(long iterations) {
      if (rank == 0) {
        for (long i = 0; i < iterations; i++) {
          world.send(Buf.of(send), 1, TAG);
          world.recv(Buf.of(receive), 1, TAG);
        }
      } else {
        for (long i = 0; i < iterations; i++) {
          world.recv(Buf.of(receive), 0, TAG);
          world.send(Buf.of(send), 0, TAG);
        }
      }
    }

    @Override
    public void allreduce(long iterations) {
      for (long i = 0; i < iterations; i++) {
        world.allreduce(Buf.of(send), Buf.of(receive), Op.SUM);
      }
    }

    @Override
    public void allgatherv(long iterations) {
      for (long i = 0; i < iterations; i++) {
        world.allgatherv(Buf.of(send), Buf.of(all), counts, places);
      }
    }
  }
}
