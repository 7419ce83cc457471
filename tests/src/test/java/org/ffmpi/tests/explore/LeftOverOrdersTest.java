// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.explore;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.function.BiFunction;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.explore.Exploration;
import org.ffmpi.explore.Exploration.Kind;
import org.junit.jupiter.api.Test;

/** What is left over at the end of one order: requests, communicators, types and windows. */
class LeftOverOrdersTest {
  private static int receive(Comm world, int source, int tag) {
    int[] message = new int[1];
    world.recv(message, source, tag);
    return message[0];
  }

  private static void send(Comm world, int value, int to, int tag) {
    world.send(new int[] {value}, to, tag);
  }

  /** Objects that are left over if rank 2 was first, each with how the twin frees it. */
  @Test
  void whatOneOrderLeavesAtTheEnd() {
    Map<String, BiFunction<Mpi, Comm, AutoCloseable>> objects = Map.of(
        "the communicator made by MPI_Comm_dup", (mpi, world) -> mpi.self().dup(),
        "the datatype made by MPI_Type_commit",
        (mpi, world) -> Datatype.vector(2, 1, 2, Datatype.INT).commit(),
        "the window made by MPI_Win_allocate", (mpi, world) -> mpi.self().winAllocate(8, 8),
        "the persistent request made by MPI_Send_init", (mpi, world) -> world.sendInit(Buf.of(new int[1]), 1, 0),
        "MPI_Isend", (mpi, world) -> world.isend(new int[1], 0, 1)::await);
    objects.forEach((name, make) -> {
      Exploration.Finding found = Twins.expectOf(Kind.LEFTOVER, 3, (mpi, wrong, results) -> {
        Comm world = mpi.world();
        if (world.rank() != 0) {
          send(world, world.rank(), 0, 0);
          return;
        }
        int first = receive(world, ANY_SOURCE, 0);
        AutoCloseable made = first == 2 ? make.apply(mpi, world) : null;
        if (made != null && name.equals("MPI_Isend")) {
          receive(world, 0, 1);
        }
        receive(world, ANY_SOURCE, 0);
        if (made != null && !wrong) {
          made.close();
        }
      });
      assertTrue(found.text().contains("rank 0 has ended, and " + name + " at LeftOverOrdersTest.java:"), found::text);
      assertEquals("r0<-2 r0<-1", found.choices());
    });
  }

  /** A type that is made once and kept for all runs. */
  private static final class Kept {
    static final Datatype<?> EVERY_OTHER = Datatype.vector(2, 1, 2, Datatype.INT).commit();

    private Kept() {}
  }

  @Test
  void whatIsInAStaticFieldIsNotLeft() {
    Exploration result = Twins.explorer(3, false, (mpi, wrong, results) -> {
      Comm world = mpi.world();
      if (world.rank() != 0) {
        send(world, world.rank(), 0, 0);
      } else if (receive(world, ANY_SOURCE, 0) + receive(world, ANY_SOURCE, 0) == 3) {
        assertEquals(8, Kept.EVERY_OTHER.size());
      }
    }).all();
    assertNull(result.finding(), () -> result.finding().text());
    assertTrue(result.complete());
  }

  @Test
  void aMistakeWithoutAChoiceCanBeRunAgain() {
    Exploration.Finding found = Twins.expectOf(Kind.LEFTOVER, 2, (mpi, wrong, results) -> {
      try (IntraComm copy = wrong ? null : mpi.world().dup()) {
        IntraComm kept = wrong ? mpi.world().dup() : copy;
        kept.barrier();
      }
    });
    assertEquals("buffered", found.choices());
  }
}
