// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.util.Arrays;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Win;
import org.ffmpi.base.Constants;

/**
 * Makes short calls, again and again, for a debugger that counts the methods one of them enters, or for a clock. It is
 * run by two ranks.
 */
public final class Calls {
  /** Calls that are followed by the debugger, of each kind. */
  public static final int FOLLOWED = 9;

  /** Calls of a kind before the first that is followed. */
  private static final int BEFORE = 30;

  /** Time in which the other rank comes as far as it can. */
  private static final long AHEAD_MILLIS = 2;

  private static final int REPETITIONS = 5;
  private static final int TIMED = 400;
  private static final int TAG = 1;
  private static final Runnable NOTHING = () -> {};

  private final IntraComm world;
  private final int rank;
  private final int[] pair = {3, 4};
  private final int[] got = new int[2];
  private final Buf<Integer> mine = Buf.of(pair);
  private final Buf<Integer> theirs = Buf.of(got);
  private final Buf<Integer> all = Buf.of(new int[4]);

  /** What the last call of {@code Buf.of} returned, so that it is made. */
  private Buf<Integer> made;

  private Calls(IntraComm world) {
    this.world = world;
    rank = world.rank();
    if (world.size() != 2) {
      throw new IllegalArgumentException("calls are between 2 ranks");
    }
  }

  /**
   * A rank's part in one call.
   *
   * @param before what precedes it
   * @param call the call
   * @param after what follows the last call
   */
  private record Part(Runnable before, Runnable call, Runnable after) {
    static Part of(Runnable call) {
      return new Part(NOTHING, call, NOTHING);
    }
  }

  /**
   * Runs one rank.
   *
   * @param args {@code follow} or {@code time}, and the titles of the calls
   */
  public static void main(String[] args) {
    List<ShortCall> kinds = Arrays.stream(args).skip(1).map(ShortCall::of).toList();
    Mpi.run(args, mpi -> {
      Calls calls = new Calls(mpi.world());
      for (ShortCall kind : kinds) {
        Part part = calls.part(kind);
        if (args[0].equals("follow")) {
          calls.follow(kind.title, part);
        } else {
          calls.time(kind.title, part);
        }
        part.after.run();
      }
    });
  }

  /**
   * Is where the debugger begins to follow the thread.
   *
   * @param title the call that comes next
   */
  static void begin(String title) {}

  /** Is where the debugger ceases to follow the thread. */
  static void end() {}

  private void follow(String title, Part part) throws InterruptedException {
    for (int i = 0; i < BEFORE; i++) {
      part.before.run();
      part.call.run();
    }
    for (int i = 0; i < FOLLOWED; i++) {
      part.before.run();
      if (rank == 0) {
        Thread.sleep(AHEAD_MILLIS);
        begin(title);
      }
      part.call.run();
      if (rank == 0) {
        end();
      }
    }
  }

  private void time(String title, Part part) {
    double[] micros = new double[REPETITIONS];
    for (int i = -1; i < REPETITIONS; i++) { // the first is not timed
      world.barrier();
      long start = System.nanoTime();
      for (int k = 0; k < TIMED; k++) {
        part.call.run();
      }
      if (i >= 0) {
        micros[i] = (System.nanoTime() - start) * 1e-3 / TIMED;
      }
    }
    Arrays.sort(micros);
    if (rank == 0) {
      System.out.println(title + "," + micros[REPETITIONS / 2]);
    }
  }

  private Part part(ShortCall kind) {
    return switch (kind) {
      case SEND -> Part.of(rank == 0 ? this::send : this::recv);
      case RECV -> received(this::recv);
      case RECV_BUF -> received(() -> world.recv(theirs, 1, TAG));
      case ROUND_TRIP -> Part.of(rank == 0 ? () -> {
        send();
        recv();
      } : () -> {
        recv();
        send();
      });
      case EXCHANGE -> Part.of(() -> {
        Request sending = world.isend(pair, 1 - rank, TAG);
        Request receiving = world.irecv(got, 1 - rank, TAG);
        sending.await();
        receiving.await();
      });
      case SENDRECV -> Part.of(() -> world.sendrecv(mine, 1 - rank, TAG, theirs, 1 - rank, TAG));
      case BARRIER -> Part.of(world::barrier);
      case BCAST -> Part.of(() -> world.bcast(mine, 0));
      case BCAST_LEAF -> Part.of(() -> world.bcast(theirs, 1));
      case REDUCE -> Part.of(() -> world.reduce(mine, theirs, Op.SUM, 0));
      case REDUCE_LEAF -> Part.of(() -> world.reduce(mine, theirs, Op.SUM, 1));
      case ALLREDUCE -> Part.of(() -> world.allreduce(mine, theirs, Op.SUM));
      case STARTED_ALLREDUCE -> {
        Persistent sum = world.allreduceInit(mine, theirs, Op.SUM, null);
        yield new Part(NOTHING, () -> {
          sum.start();
          sum.await();
        }, sum::close);
      }
      case GATHER -> Part.of(() -> world.gather(mine, all, 0));
      case GATHER_LEAF -> Part.of(() -> world.gather(mine, all, 1));
      case SCATTER -> Part.of(() -> world.scatter(all, theirs, 0));
      case SCATTER_LEAF -> Part.of(() -> world.scatter(all, theirs, 1));
      case ALLGATHER -> Part.of(() -> world.allgather(mine, all));
      case ALLTOALL -> {
        Buf<Integer> blocks = Buf.of(new int[4]);
        yield Part.of(() -> world.alltoall(blocks, all));
      }
      case PUT_FENCE -> {
        Win win = world.winAllocate(2 * Integer.BYTES, 1);
        win.fence();
        yield new Part(NOTHING, () -> {
          win.put(mine, 1 - rank, 0);
          win.fence();
        }, () -> {
          win.fence(Constants.MODE_NOSUCCEED);
          win.close();
        });
      }
      case BUF_OF -> Part.of(() -> made = Buf.of(got));
    };
  }

  private void send() {
    world.send(pair, 1 - rank, TAG);
  }

  private void recv() {
    world.recv(got, 1 - rank, TAG);
  }

  /** A receive at rank 0, whose message rank 1 sends on demand, so that there is never more than one. */
  private Part received(Runnable receive) {
    return rank == 0 ? new Part(this::send, receive, NOTHING) : new Part(this::recv, this::send, NOTHING);
  }
}
