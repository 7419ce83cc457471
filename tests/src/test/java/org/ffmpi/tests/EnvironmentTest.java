// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.ThreadLevel;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The environment of a rank, and the tables of predefined types as a program sees them. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EnvironmentTest {
  private final ConcurrentLinkedQueue<Integer> ranks = new ConcurrentLinkedQueue<>();

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void everyRankIsThereOnce(Mpi mpi) {
    Comm world = mpi.world();
    ranks.add(world.rank());
    world.barrier();
    int[] sorted = ranks.stream().mapToInt(Integer::intValue).sorted().toArray();
    assertEquals(world.size(), sorted.length);
    for (int i = 0; i < sorted.length; i++) {
      assertEquals(i, sorted[i]);
    }
    assertTrue(Mpi.isInitialized());
    assertFalse(Mpi.isFinalized());
    assertEquals(ThreadLevel.MULTIPLE, mpi.threadLevel());
    assertSame(world, mpi.world());
    assertNotSame(world, mpi.self());
  }

  @MpiTest(ranks = 2)
  void timeAndNames(Mpi mpi) {
    double start = Mpi.wtime();
    assertTrue(Mpi.wtick() > 0 && Mpi.wtick() < 1e-3);
    double now = Mpi.wtime();
    assertTrue(now >= start);
    assertEquals("4.1", Mpi.version().toString());
    assertTrue(Mpi.libraryVersion().startsWith("ffmpi "), Mpi.libraryVersion());
    assertTrue(Mpi.libraryVersion().contains("2 ranks in threads"), Mpi.libraryVersion());
    assertFalse(Mpi.processorName().isEmpty());
    assertTrue(Mpi.processorName().length() < Constants.MAX_PROCESSOR_NAME);
    mpi.world().setName("everybody");
    assertEquals("everybody", mpi.world().name());
  }

  /** Worlds of threads do not know of each other. */
  @Test
  void worldsInWorlds() {
    ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
    Mpi.runThreads(2, outer -> Mpi.runThreads(2, inner -> {
      int[] data = {outer.world().rank() * 10 + inner.world().rank()};
      if (inner.world().rank() == 0) {
        inner.world().send(data, 1, 0);
      } else {
        inner.world().recv(data, 0, 0);
        seen.add(outer.world().rank() + ": " + data[0]);
      }
    }));
    assertEquals(List.of("0: 0", "1: 10"), seen.stream().sorted().toList());
  }

  @Test
  @DisplayName("S1-3.2.2-c: the types of Fortran")
  void fortranTypes() {
    assertTypes(
        List.of(Datatype.INTEGER, Datatype.REAL, Datatype.DOUBLE_PRECISION, Datatype.COMPLEX, Datatype.LOGICAL,
            Datatype.CHARACTER, Datatype.BYTE, Datatype.PACKED),
        4, 4, 8, 8, 4, 1, 1, 1);
  }

  @Test
  @DisplayName("S1-3.2.2-d: the types of C")
  void typesOfC() {
    assertTypes(
        List.of(Datatype.CHAR, Datatype.SHORT, Datatype.INT, Datatype.LONG, Datatype.LONG_LONG_INT, Datatype.LONG_LONG,
            Datatype.SIGNED_CHAR, Datatype.UNSIGNED_CHAR, Datatype.UNSIGNED_SHORT, Datatype.UNSIGNED,
            Datatype.UNSIGNED_LONG, Datatype.UNSIGNED_LONG_LONG, Datatype.FLOAT, Datatype.DOUBLE, Datatype.LONG_DOUBLE,
            Datatype.WCHAR, Datatype.C_BOOL, Datatype.INT8_T, Datatype.INT16_T, Datatype.INT32_T, Datatype.INT64_T,
            Datatype.UINT8_T, Datatype.UINT16_T, Datatype.UINT32_T, Datatype.UINT64_T, Datatype.C_COMPLEX,
            Datatype.C_FLOAT_COMPLEX, Datatype.C_DOUBLE_COMPLEX, Datatype.C_LONG_DOUBLE_COMPLEX, Datatype.BYTE,
            Datatype.PACKED),
        1, 2, 4, 8, 8, 8, 1, 1, 2, 4, 8, 8, 4, 8, 16, 4, 1, 1, 2, 4, 8, 1, 2, 4, 8, 8, 8, 16, 32, 1, 1);
  }

  private static void assertTypes(List<Datatype<?>> types, long... sizes) {
    assertEquals(
        Arrays.stream(sizes).boxed().toList(), types.stream().map(Datatype::size).toList(),
        () -> types.stream().map(Datatype::name).toList().toString());
    assertTrue(types.stream().allMatch(t -> t.isPredefined() && t.isCommitted()));
  }

  @Test
  @DisplayName("S1-3.2.2-e: synonyms are the same handle")
  void synonymsAreTheSame() {
    assertSame(Datatype.LONG_LONG_INT, Datatype.LONG_LONG);
    assertSame(Datatype.C_COMPLEX, Datatype.C_FLOAT_COMPLEX);
    assertEquals("MPI_LONG_LONG_INT", Datatype.LONG_LONG.name());
    assertEquals("MPI_C_COMPLEX", Datatype.C_FLOAT_COMPLEX.name());
  }

  @Test
  @DisplayName("S1-3.2.2-f: BYTE is not CHAR")
  void byteIsNotChar() {
    assertNotEquals(Datatype.BYTE, (Object) Datatype.CHAR);
    assertEquals(1, Datatype.BYTE.extent());
  }

  @Test
  @DisplayName("S1-3.2.2-g: optional types")
  void optionalTypes() {
    assertTypes(
        List.of(Datatype.DOUBLE_COMPLEX, Datatype.REAL2, Datatype.REAL4, Datatype.REAL8, Datatype.INTEGER1,
            Datatype.INTEGER2, Datatype.INTEGER4),
        16, 2, 4, 8, 1, 2, 4);
  }

  @Test
  @DisplayName("S1-3.2.2-h: AINT, OFFSET and COUNT have 8 bytes")
  void addressSizedTypes() {
    assertTypes(List.of(Datatype.AINT, Datatype.OFFSET, Datatype.COUNT), 8, 8, 8);
  }
}
