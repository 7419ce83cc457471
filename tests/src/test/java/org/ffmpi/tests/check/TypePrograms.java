// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.check;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.Request;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.Datatype;

/** Datatypes: how they are made, committed, used and freed. */
final class TypePrograms {
  private static final String FAMILY = "datatype";

  private TypePrograms() {}

  /** Something that one rank does with types. */
  interface Use {
    void run(org.ffmpi.IntraComm world);
  }

  private static void add(List<Judged> all, String mistake, String expected, Use wrong, Use right) {
    all.addAll(Judged.pair(FAMILY, mistake, 1, expected, (mpi, world) -> wrong.run(world),
        (mpi, world) -> right.run(world)));
  }

  static List<Judged> programs() {
    List<Judged> all = new ArrayList<>();
    making(all);
    using(all);
    return all;
  }

  private static void making(List<Judged> all) {
    add(all, "negative count", "ERR_(COUNT|ARG)", world -> Datatype.contiguous(-1, Datatype.INT),
        world -> Datatype.contiguous(1, Datatype.INT));
    add(all, "negative length of blocks", "ERR_(COUNT|ARG)", world -> Datatype.vector(2, -1, 2, Datatype.INT),
        world -> Datatype.vector(2, 1, 2, Datatype.INT));
    add(all, "no base type", "ERR_TYPE", world -> Datatype.contiguous(1, (Datatype<Integer>) null),
        world -> Datatype.contiguous(1, Datatype.INT));
    add(all, "lengths and displacements of different number", "ERR_(ARG|COUNT)",
        world -> Datatype.indexed(new long[2], new long[1], Datatype.INT),
        world -> Datatype.indexed(new long[2], new long[2], Datatype.INT));
    add(all, "struct with too few types", "ERR_(ARG|COUNT|TYPE)",
        world -> Datatype.struct(new long[2], new long[2], Datatype.INT),
        world -> Datatype.struct(new long[2], new long[2], Datatype.INT, Datatype.FLOAT));
    add(all, "part outside of its array", "ERR_ARG",
        world -> Datatype.subarray(new long[] {4}, new long[] {3}, new long[] {2}, Datatype.Order.C, Datatype.INT),
        world -> Datatype.subarray(new long[] {4}, new long[] {3}, new long[] {1}, Datatype.Order.C, Datatype.INT));
    add(all, "freed base type", "ERR_TYPE.*freed", world -> {
      Datatype<Integer> base = Datatype.contiguous(2, Datatype.INT);
      base.close();
      Datatype.contiguous(2, base);
    }, world -> {
      Datatype<Integer> base = Datatype.contiguous(2, Datatype.INT);
      Datatype.contiguous(2, base);
      base.close();
    });
    add(all, "free of a predefined type", "ERR_TYPE.*predefined", world -> Datatype.INT.close(),
        world -> Datatype.INT.dup().close());
  }

  private static void using(List<Judged> all) {
    int none = Constants.PROC_NULL;
    add(all, "type that is not committed", "ERR_TYPE.*commit",
        world -> world.send(Buf.of(new int[2], 1, Datatype.contiguous(2, Datatype.INT)), none, 0), world -> {
          try (Datatype<Integer> two = Datatype.contiguous(2, Datatype.INT).commit()) {
            world.send(Buf.of(new int[2], 1, two), none, 0);
          }
        });
    add(all, "type that is freed", "ERR_TYPE.*freed", world -> {
      Datatype<Integer> two = Datatype.contiguous(2, Datatype.INT).commit();
      two.close();
      world.send(Buf.of(new int[2], 1, two), none, 0);
    }, world -> {
      Datatype<Integer> two = Datatype.contiguous(2, Datatype.INT).commit();
      world.send(Buf.of(new int[2], 1, two), none, 0);
      two.close();
    });
    add(all, "elements behind the end of the array", "ERR_(BUFFER|COUNT|ARG)", world -> {
      try (Datatype<Integer> column = Datatype.vector(3, 1, 2, Datatype.INT).commit()) {
        world.send(Buf.of(new int[4], 1, column), none, 0);
      }
    }, world -> {
      try (Datatype<Integer> column = Datatype.vector(3, 1, 2, Datatype.INT).commit()) {
        world.send(Buf.of(new int[5], 1, column), none, 0);
      }
    });
    add(all, "receive into a type that overlaps itself", "ERR_TYPE|overlap", world -> {
      try (Datatype<Integer> twice = Datatype.indexed(new long[] {2, 2}, new long[] {0, 1}, Datatype.INT).commit()) {
        world.irecv(Buf.of(new int[3], 1, twice), 0, 0).await();
      }
    }, world -> {
      try (Datatype<Integer> apart = Datatype.indexed(new long[] {2, 1}, new long[] {0, 2}, Datatype.INT).commit()) {
        Request sent = world.isend(new int[3], 0, 0);
        world.irecv(Buf.of(new int[3], 1, apart), 0, 0).await();
        sent.await();
      }
    });
  }
}
