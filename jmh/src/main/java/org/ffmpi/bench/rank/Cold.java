// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.io.Serializable;
import java.util.function.IntFunction;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Requests;
import org.ffmpi.Win;
import org.ffmpi.datatype.Datatype;

/** Calls that nothing has warmed up; arguments, cases and answers are those of {@code cold.c}. */
public final class Cold {
  private static final int LONG_BYTES = 65536;
  private static final int BLOCK = 1024;
  private static final int COLUMN = 1024;
  private static final int STRIDE = 8;

  private final IntraComm world;
  private final int rank;
  private final int partner;

  private Cold(IntraComm world) {
    this.world = world;
    rank = world.rank();
    partner = world.size() == 1 ? 0 : rank ^ 1;
  }

  /**
   * Runs one rank.
   *
   * @param args the case, and numbers of calls
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      Cold cold = new Cold(mpi.world());
      Runnable call = cold.call(args[0]);
      CompilerThreads.nanos(); // loads what it needs before the first call
      mpi.world().barrier();
      ColdTimes.measure(args, cold.rank, call, CompilerThreads::nanos);
    });
  }

  private Runnable call(String name) {
    return switch (name) {
      case "pingpong-8" -> roundTrip(Buf.of(new byte[8]), Buf.of(new byte[8]));
      case "pingpong-64k" -> roundTrip(Buf.of(new byte[LONG_BYTES]), Buf.of(new byte[LONG_BYTES]));
      case "nonblocking-8" -> nonblocking();
      case "halo" -> halo();
      case "allreduce-8" -> allreduce();
      case "alltoallv-1k" -> alltoallv();
      case "fence-8" -> fence();
      case "object-string" -> objects(k -> "task " + k);
      case "object-record" -> objects(k -> new Row("row " + k, k, 0.5 * k));
      case "object-class" -> objects(k -> new Line("row " + k, k, 0.5 * k));
      case "derived-8k" -> {
        Datatype<Double> column = Datatype.vector(COLUMN, 1, STRIDE, Datatype.DOUBLE).commit();
        yield roundTrip(
            Buf.of(new double[COLUMN * STRIDE], 1, column), Buf.of(new double[COLUMN * STRIDE], 1, column));
      }
      default -> throw new IllegalArgumentException(name + ": there is no such case");
    };
  }

  private Runnable roundTrip(Buf<?> out, Buf<?> in) {
    if (partner == rank) {
      return () -> world.sendrecv(out, rank, 1, in, rank, 1);
    }
    if (rank % 2 == 0) {
      return () -> {
        world.send(out, partner, 1);
        world.recv(in, partner, 1);
      };
    }
    return () -> {
      world.recv(in, partner, 1);
      world.send(out, partner, 1);
    };
  }

  private Runnable nonblocking() {
    Buf<?> out = Buf.of(new byte[8]);
    Buf<?> in = Buf.of(new byte[8]);
    return () -> {
      Request receiving = world.irecv(in, partner, 1);
      Request sending = world.isend(out, partner, 1);
      receiving.await();
      sending.await();
    };
  }

  private Runnable halo() {
    byte[] out = new byte[4 * BLOCK];
    byte[] in = new byte[4 * BLOCK];
    Buf<?>[] edges = new Buf<?>[4];
    Buf<?>[] halos = new Buf<?>[4];
    for (int i = 0; i < 4; i++) {
      edges[i] = Buf.of(out, i * BLOCK, BLOCK);
      halos[i] = Buf.of(in, i * BLOCK, BLOCK);
    }
    return () -> {
      try (Requests requests = world.requests()) {
        for (int i = 0; i < 4; i++) {
          requests.irecv(halos[i], partner, i);
        }
        for (int i = 0; i < 4; i++) {
          requests.isend(edges[i], partner, i);
        }
        requests.await();
      }
    };
  }

  private Runnable allreduce() {
    Buf<Double> mine = Buf.of(new double[1]);
    Buf<Double> sum = Buf.of(new double[1]);
    return () -> world.allreduce(mine, sum, Op.SUM);
  }

  private Runnable alltoallv() {
    Buf<?> out = Buf.of(new byte[BLOCK * world.size()]);
    Buf<?> in = Buf.of(new byte[BLOCK * world.size()]);
    long[] counts = new long[world.size()];
    long[] places = new long[world.size()];
    for (int r = 0; r < counts.length; r++) {
      counts[r] = BLOCK;
      places[r] = (long) r * BLOCK;
    }
    return () -> world.alltoallv(out, counts, places, in, counts, places);
  }

  private Runnable fence() {
    Buf<?> out = Buf.of(new byte[8]);
    Win win = world.winAllocate(8, 1);
    win.fence();
    return () -> {
      win.put(out, partner, 0);
      win.fence();
    };
  }

  /** Sends a new object with each call; the name of the last one is not the next one's. */
  private Runnable objects(IntFunction<Object> maker) {
    int[] made = {0};
    if (partner == rank) {
      return () -> {
        Request sending = world.isendObject(maker.apply(made[0]++), rank, 1);
        world.recvObject(rank, 1);
        sending.await();
      };
    }
    if (rank % 2 == 0) {
      return () -> {
        world.sendObject(maker.apply(made[0]++), partner, 1);
        world.recvObject(partner, 1);
      };
    }
    return () -> {
      world.recvObject(partner, 1);
      world.sendObject(maker.apply(made[0]++), partner, 1);
    };
  }

  /**
   * An object with a short form.
   *
   * @param name some text
   * @param id a number
   * @param value another one
   */
  record Row(String name, int id, double value) implements Serializable {}

  /** The same content as an object that Java's serialization writes. */
  private static final class Line implements Serializable {
    private static final long serialVersionUID = 1;
    private final String name;
    private final int id;
    private final double value;

    Line(String name, int id, double value) {
      this.name = name;
      this.id = id;
      this.value = value;
    }

    @Override
    public String toString() {
      return name + " " + id + " " + value;
    }
  }
}
