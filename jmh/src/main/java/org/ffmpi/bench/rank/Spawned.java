// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.Comm;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Spawn;

/**
 * Starting processes, connecting two ranks, and messages between ranks that have met; {@code spawn.c} in Java. It is
 * run by two ranks. Those that it starts run it too, send one message each, and end.
 */
public final class Spawned extends RankProgram {
  private static final String CHILDREN = "children-";
  private static final int TAG = 1;

  private final String port;
  private final Map<String, Comm> met = new HashMap<>();
  private final byte[] ping = new byte[8];
  private final byte[] pong = new byte[8];

  private Spawned(Mpi mpi) {
    super(mpi);
    requireTwoRanks("spawn");
    byte[] name = new byte[14];
    if (rank == 0) {
      name = mpi.openPort().getBytes(StandardCharsets.UTF_8);
      world.send(name, 1, TAG);
    } else {
      world.recv(name, 0, TAG);
    }
    port = new String(name, StandardCharsets.UTF_8);
  }

  public static void main(String[] args) {
    if (args.length == 0) {
      Mpi.run(args, mpi -> {
        mpi.parent().send(new int[] {mpi.world().rank()}, 0, TAG);
        mpi.parent().disconnect();
      });
    } else {
      start(args, Spawned::new);
    }
  }

  @Override
  List<Work> warmUpWork() {
    return List.of();
  }

  @Override
  int warmUpParts() {
    return 1;
  }

  @Override
  void turn(Work work, Loop loop) {
    loop.run(work.bench().equals("latency") ? 10_000 : 1);
  }

  @Override
  Prepared prepare(Work work) {
    return switch (work.bench()) {
      case "start" -> {
        int children = Integer.parseInt(work.name().substring(CHILDREN.length()));
        yield Prepared.micros(n -> repeat(n, () -> spawn(children)), 1, () -> spawn(children));
      }
      case "connect" -> Prepared.micros(n -> repeat(n, () -> connected().disconnect()), 1, () -> { });
      case "latency" -> {
        Comm comm = met(work.name());
        int peer = comm.isInter() ? 0 : 1 - comm.rank();
        yield Prepared.micros(n -> repeat(n, () -> roundTrip(comm, peer)), 2, () -> { });
      }
      default -> throw new IllegalArgumentException("unknown bench: " + work);
    };
  }

  private static void repeat(long iterations, Runnable call) {
    for (long i = 0; i < iterations; i++) {
      call.run();
    }
  }

  /** Returns after the first message of each child. */
  private void spawn(int children) {
    InterComm started = world.spawn(Spawn.of(Spawned.class.getName()).processes(children));
    if (rank == 0) {
      int[] from = new int[1];
      for (int r = 0; r < children; r++) {
        started.recv(from, r, TAG);
      }
    }
    started.disconnect();
  }

  private InterComm connected() {
    return rank == 0 ? mpi.self().accept(port) : mpi.self().connect(port);
  }

  private Comm met(String name) {
    return met.computeIfAbsent(name, key -> switch (key) {
      case "world" -> world;
      case "inter" -> connected();
      case "merged" -> merged();
      default -> throw new IllegalArgumentException("unknown case: " + key);
    });
  }

  private IntraComm merged() {
    return connected().merge(rank == 1);
  }

  private void roundTrip(Comm comm, int peer) {
    if (rank == 0) {
      comm.send(ping, peer, TAG);
      comm.recv(pong, peer, TAG);
    } else {
      comm.recv(pong, peer, TAG);
      comm.send(ping, peer, TAG);
    }
  }
}
