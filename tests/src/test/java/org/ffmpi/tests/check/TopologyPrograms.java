// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.check;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.CartComm;
import org.ffmpi.IntraComm;

/** Groups, communicators and topologies: their arguments, and ranks that do not agree about them. */
final class TopologyPrograms {
  private static final String FAMILY = "topology";

  private TopologyPrograms() {}

  private static void add(List<Judged> all, String mistake, String expected, Judged.Body wrong, Judged.Body right) {
    all.addAll(Judged.pair(FAMILY, mistake, 2, expected, wrong, right));
  }

  /** What ranks do with a ring. */
  interface Use {
    void run(CartComm ring);
  }

  private static void on(IntraComm world, Use use) {
    try (CartComm ring = world.cartCreate(new int[] {2}, new boolean[] {false}, false)) {
      use.run(ring);
    }
  }

  static List<Judged> programs() {
    List<Judged> all = new ArrayList<>();
    groups(all);
    topologies(all);
    return all;
  }

  private static void groups(List<Judged> all) {
    add(all, "rank that the group does not have", "ERR_RANK", (mpi, world) -> world.group().incl(2),
        (mpi, world) -> world.group().incl(1));
    add(all, "rank twice in a group", "ERR_RANK", (mpi, world) -> world.group().incl(1, 1),
        (mpi, world) -> world.group().incl(1, 0));
    add(all, "freed group", "ERR_GROUP", (mpi, world) -> {
      var group = world.group();
      group.close();
      group.incl(0);
    }, (mpi, world) -> {
      var group = world.group();
      group.incl(0);
      group.close();
    });
    add(all, "no group", "ERR_GROUP", (mpi, world) -> world.create(null), (mpi, world) -> {
      try (IntraComm all2 = world.create(world.group())) {
        all2.barrier();
      }
    });
    add(all, "groups of create differ", "rank [01]|ERR_GROUP", (mpi, world) -> {
      IntraComm made = world.create(world.group().incl(world.rank() == 0 ? new int[] {0} : new int[] {0, 1}));
      if (made != null) {
        made.close();
      }
    }, (mpi, world) -> world.create(world.group().incl(0, 1)).close());
    add(all, "negative color", "ERR_ARG", (mpi, world) -> world.split(-5, 0), (mpi, world) ->
        world.split(0, 0).close());
    add(all, "leader that is no rank", "ERR_RANK", (mpi, world) -> {
      try (IntraComm own = world.split(world.rank(), 0)) {
        own.intercomm(3, world, 1 - world.rank(), 0).close();
      }
    }, (mpi, world) -> {
      try (IntraComm own = world.split(world.rank(), 0)) {
        own.intercomm(0, world, 1 - world.rank(), 0).close();
      }
    });
  }

  private static void topologies(List<Judged> all) {
    add(all, "grid larger than the communicator", "ERR_(DIMS|ARG)",
        (mpi, world) -> world.cartCreate(new int[] {3}, new boolean[1], false),
        (mpi, world) -> world.cartCreate(new int[] {2}, new boolean[1], false).close());
    add(all, "negative dimension", "ERR_(DIMS|ARG)",
        (mpi, world) -> world.cartCreate(new int[] {-2}, new boolean[1], false),
        (mpi, world) -> world.cartCreate(new int[] {2}, new boolean[1], false).close());
    add(all, "dimensions and periods of different number", "ERR_(DIMS|ARG)",
        (mpi, world) -> world.cartCreate(new int[] {2}, new boolean[2], false),
        (mpi, world) -> world.cartCreate(new int[] {2, 1}, new boolean[2], false).close());
    add(all, "grids that differ between ranks", "cart|grid|ERR_(DIMS|ARG|TOPOLOGY).*rank",
        (mpi, world) -> world.cartCreate(
            world.rank() == 0 ? new int[] {2, 1} : new int[] {1, 2}, new boolean[2], false).close(),
        (mpi, world) -> world.cartCreate(new int[] {2, 1}, new boolean[2], false).close());
    add(all, "coordinates outside of the grid", "ERR_(ARG|RANK|DIMS)", (mpi, world) -> on(world, ring -> ring.rank(2)),
        (mpi, world) -> on(world, ring -> ring.rank(1)));
    add(all, "coordinates of a rank that is none", "ERR_RANK", (mpi, world) -> on(world, ring -> ring.coords(2)),
        (mpi, world) -> on(world, ring -> ring.coords(1)));
    add(all, "direction that the grid does not have", "ERR_(ARG|DIMS)",
        (mpi, world) -> on(world, ring -> ring.shift(1, 1)), (mpi, world) -> on(world, ring -> ring.shift(0, 1)));
    add(all, "edges to ranks that are none", "ERR_(ARG|RANK)",
        (mpi, world) -> world.graphCreate(new int[] {1, 2}, new int[] {1, 2}, false),
        (mpi, world) -> world.graphCreate(new int[] {1, 2}, new int[] {1, 0}, false).close());
    add(all, "source that is no rank", "ERR_(ARG|RANK)",
        (mpi, world) -> world.distGraphCreateAdjacent(new int[] {5}, new int[] {0}, false),
        (mpi, world) -> world.distGraphCreateAdjacent(
            new int[] {1 - world.rank()}, new int[] {1 - world.rank()}, false).close());
    add(all, "buffer too small for the neighbours", "ERR_(COUNT|BUFFER|ARG|TRUNCATE)",
        (mpi, world) -> on(world, ring -> ring.neighborAllgather(Buf.of(new int[1]), Buf.of(new int[1]))),
        (mpi, world) -> on(world, ring -> ring.neighborAllgather(Buf.of(new int[1]), Buf.of(new int[2]))));
    add(all, "edges that only one end names", "rank [01]|ERR_", (mpi, world) ->
        world.distGraphCreateAdjacent(
            world.rank() == 0 ? new int[] {1} : new int[0], new int[0], false).close(),
        (mpi, world) -> world.distGraphCreateAdjacent(
            world.rank() == 0 ? new int[] {1} : new int[0], world.rank() == 1 ? new int[] {0} : new int[0], false)
            .close());
  }
}
