// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.environment;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.ErrorCalls;
import org.ffmpi.Info;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.ThreadLevel;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.base.MpiException;
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
  void howFarAProgramIsMustMakeSense(Mpi mpi) {
    mpi.progress("sweep", 0, 10);
    mpi.progress("sweep", 10, 10);
    mpi.progress("search", 5, 0);
    assertError(ErrorClass.ERR_ARG, () -> mpi.progress(null, 1, 2), "what = null");
    assertError(ErrorClass.ERR_ARG, () -> mpi.progress(" ", 1, 2), "what");
    assertError(ErrorClass.ERR_ARG, () -> mpi.progress("sweep", 11, 10), "done = 11: allowed are 0..10");
    assertError(ErrorClass.ERR_ARG, () -> mpi.progress("sweep", -1, 0), "done = -1");
    assertError(ErrorClass.ERR_ARG, () -> mpi.progress("sweep", 0, -1), "total = -1");
    mpi.close();
    assertError(ErrorClass.ERR_OTHER, () -> mpi.progress("sweep", 1, 10));
  }

  @MpiTest(ranks = 2)
  void timeAndNames(Mpi mpi) {
    double start = Mpi.wtime();
    assertTrue(Mpi.wtick() > 0 && Mpi.wtick() < 1e-3);
    double now = Mpi.wtime();
    assertTrue(now >= start);
    assertEquals("4.1", Mpi.version().toString());
    assertEquals(new Mpi.Version(Constants.VERSION, Constants.SUBVERSION), Mpi.version());
    assertTrue(Mpi.libraryVersion().startsWith("ffmpi "), Mpi.libraryVersion());
    assertTrue(Mpi.libraryVersion().contains("2 ranks in threads"), Mpi.libraryVersion());
    assertFalse(Mpi.processorName().isEmpty());
    assertTrue(Mpi.processorName().length() < Constants.MAX_PROCESSOR_NAME);
    mpi.world().setName("everybody");
    assertEquals("everybody", mpi.world().name());
  }

  @MpiTest(ranks = 2)
  @DisplayName("names longer than MAX_OBJECT_NAME are cut (MPI-4.1 §7.8)")
  void longNamesAreCut(Mpi mpi) {
    mpi.world().setErrhandler(Errhandler.FATAL); // a name ends no job
    String longName = "x".repeat(Constants.MAX_OBJECT_NAME - 2) + "\uD83D\uDE00" + "y".repeat(100);
    String kept = "x".repeat(Constants.MAX_OBJECT_NAME - 2); // half a character would be no text
    Datatype<?> pair = Datatype.contiguous(2, Datatype.INT);
    mpi.world().setName(longName);
    mpi.setTypeName(pair, longName);
    mpi.setTypeName(Datatype.INT, "z".repeat(200));
    assertEquals(kept, mpi.world().name());
    assertEquals(kept, pair.name());
    assertEquals(kept, mpi.typeName(pair));
    assertEquals("z".repeat(Constants.MAX_OBJECT_NAME - 1), mpi.typeName(Datatype.INT));
    mpi.world().setErrhandler(Errhandler.RETURN);
    assertError(ErrorClass.ERR_ARG, () -> mpi.world().setName(null), "name = null");
    mpi.world().setName("");
    assertEquals("", mpi.world().name());
    mpi.world().barrier();
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("default names: those of MPI for what is predefined, none for the rest (MPI-4.1 §7.8)")
  void defaultNames(Mpi mpi) {
    assertEquals("MPI_COMM_WORLD", mpi.world().name());
    assertEquals("MPI_COMM_SELF", mpi.self().name());
    try (IntraComm dup = mpi.world().dup()) {
      assertEquals("", dup.name());
    }
    assertEquals("MPI_INT", mpi.typeName(Datatype.INT));
    assertEquals("MPI_DOUBLE_INT", mpi.typeName(Datatype.DOUBLE_INT));
    assertEquals("", mpi.typeName(Datatype.contiguous(2, Datatype.INT)));
  }

  @MpiTest(ranks = {1, 3})
  @DisplayName("names and attributes of predefined types belong to one rank, also where ranks are threads")
  void predefinedTypesOfEachRank(Mpi mpi) {
    Keyval<Datatype<?>, Integer> key = KEY;
    int rank = mpi.world().rank();
    mpi.typeAttributes(Datatype.DOUBLE).set(key, rank);
    mpi.setTypeName(Datatype.DOUBLE, "of rank " + rank);
    mpi.world().barrier();
    assertEquals(Optional.of(rank), mpi.typeAttributes(Datatype.DOUBLE).get(key));
    assertEquals("of rank " + rank, mpi.typeName(Datatype.DOUBLE));
    if (rank == 0) {
      assertTrue(mpi.typeAttributes(Datatype.DOUBLE).delete(key));
    }
    mpi.world().barrier();
    assertEquals(rank != 0, mpi.typeAttributes(Datatype.DOUBLE).isSet(key));
  }

  private static final Keyval<Datatype<?>, Integer> KEY = Keyval.notCopied();

  @MpiTest(ranks = {1, 2})
  @DisplayName("MPI_Comm_get_parent, MPI_Pcontrol")
  void parentAndControl(Mpi mpi) {
    assertNull(mpi.parent(), "not spawned");
    Mpi.pcontrol(0);
    Mpi.pcontrol(2, "anything", mpi);
    mpi.close();
    Mpi.pcontrol(1);
    assertError(ErrorClass.ERR_OTHER, mpi::parent, "finalized");
  }

  @Test
  @DisplayName("errors can be asked for and added before init and after finalize (MPI-4.1 §9.4, §9.5)")
  void errorsAtAnyTime() {
    ErrorCalls errors = Mpi.errors(); // this JVM has not initialized MPI
    assertEquals(ErrorClass.ERR_RANK.text(), errors.errorString(ErrorClass.ERR_RANK.code()));
    int pumps = errors.addErrorClass();
    int stopped = errors.addErrorCode(pumps);
    errors.addErrorString(stopped, "the pump has stopped");
    assertEquals("the pump has stopped", errors.errorString(stopped));
    assertEquals(pumps, errors.errorClass(stopped));
    assertError(ErrorClass.ERR_ARG, () -> errors.errorString(-7), "errorcode = -7");
    Mpi.runThreads(2, Map.of("ffmpi.errors", "fatal"), mpi -> {
      int added = mpi.addErrorClass();
      assertEquals(mpi.addErrorCode(added), added + 1);
      assertEquals(added, Mpi.errors().errorClass(added + 1), "the rank's own");
      mpi.close();
      mpi.addErrorString(added, "after finalize");
      assertEquals("after finalize", mpi.errorString(added));
      assertEquals(added, mpi.errorClass(added + 1));
      assertEquals(added + 2, mpi.addErrorClass());
      assertError(ErrorClass.ERR_ARG, () -> mpi.errorClass(-7), "errorcode = -7");
    });
    errors.removeErrorString(stopped);
    errors.removeErrorCode(stopped);
    errors.removeErrorClass(pumps);
  }

  @MpiTest(ranks = 2)
  @DisplayName("MPI_Alloc_mem with an info")
  void allocatedMemoryWithHints(Mpi mpi) {
    assertEquals(0, mpi.shared().allocate(100, null).address() % 16);
    for (long alignment : new long[] {1, 64, 4096}) {
      Info info = new Info().set("mpi_minimum_memory_alignment", Long.toString(alignment)).set("other", "x");
      MemorySegment memory = mpi.shared().allocate(100, info);
      assertEquals(0, memory.address() % alignment);
      assertEquals(100, memory.byteSize());
    }
    for (String wrong : new String[] {"0", "3", "many"}) {
      Info info = new Info().set("mpi_minimum_memory_alignment", wrong);
      assertError(ErrorClass.ERR_INFO_VALUE, () -> mpi.shared().allocate(8, info), "alignment = " + wrong);
    }
    Info freed = new Info();
    freed.close();
    assertError(ErrorClass.ERR_INFO, () -> mpi.shared().allocate(8, freed), "freed");
    mpi.world().barrier();
  }

  @MpiTest(ranks = 2)
  @DisplayName("messages cut what is long")
  void messagesAreReadable(Mpi mpi) {
    MpiException error = assertError(
        ErrorClass.ERR_INFO_VALUE, () -> new Info().set("key", "v".repeat(100_000)), "100000 characters");
    assertTrue(error.getMessage().length() < 400, error.getMessage());
    mpi.world().barrier();
  }

  @Test
  @DisplayName("an abort names the communicator, also one without a name")
  void abortNamesTheCommunicator() {
    MpiException error = assertThrows(MpiException.class, () -> Mpi.runThreads(2, Map.of(), mpi -> {
      IntraComm dup = mpi.world().dup();
      if (dup.rank() == 1) {
        dup.abort(7);
      }
      dup.barrier();
    }));
    assertTrue(error.getMessage().contains("rank 1 called abort(7) on IntraComm[rank 1 of 2]"), error.getMessage());
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
