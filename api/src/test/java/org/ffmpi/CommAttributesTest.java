// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.ffmpi.Worlds.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.base.MpiException;
import org.ffmpi.communicator.CommImpl;
import org.ffmpi.process.CommHints;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Attributes of communicators, set by programs and by the library, and errors of keys' functions. */
class CommAttributesTest {
  private final Worlds w = Worlds.returning(0, 1);
  private final List<String> log = new ArrayList<>();

  private Keyval<Comm, Integer> logging(String name) {
    return Keyval.of(
        (from, value) -> {
          log.add("copy " + name + "=" + value + " from " + from.name());
          return Optional.of(value + 1);
        },
        (from, value) -> log.add("delete " + name + "=" + value + " from " + from.name()));
  }

  @Test
  @DisplayName("S1-2.5.4-b: the largest tag is an attribute, and so are the other facts of the environment")
  void predefinedAttributes() {
    try (IntraComm made = w.world.dup()) {
      for (Comm comm : new Comm[] {w.world, w.mpi.self(), made}) {
        assertEquals(Optional.of(Constants.LARGEST_TAG), comm.attributes().get(Comm.TAG_UB));
        assertEquals(Optional.of(Constants.PROC_NULL), comm.attributes().get(Comm.HOST));
        assertEquals(Optional.of(Constants.ANY_SOURCE), comm.attributes().get(Comm.IO));
        assertEquals(Optional.of(true), comm.attributes().get(Comm.WTIME_IS_GLOBAL));
        assertEquals(Optional.empty(), comm.attributes().get(Comm.APPNUM), "nobody has told it");
        int processors = Runtime.getRuntime().availableProcessors();
        assertEquals(Optional.of(processors), comm.attributes().get(Comm.UNIVERSE_SIZE));
        assertEquals(Optional.of(ErrorClass.ERR_LASTCODE.code()), comm.attributes().get(Comm.LASTUSEDCODE));
      }
    }
    Worlds second = Worlds.with(Map.of("ffmpi.program", "1"));
    assertEquals(Optional.of(1), second.world.attributes().get(Comm.APPNUM));
    int most = Math.max(4, Runtime.getRuntime().availableProcessors());
    assertEquals(Optional.of(most), second.world.attributes().get(Comm.UNIVERSE_SIZE));
  }

  @Test
  void predefinedAttributesCanOnlyBeRead() {
    assertError(ErrorClass.ERR_KEYVAL, () -> w.world.attributes().set(Comm.TAG_UB, 1), "MPI_TAG_UB", "read");
    assertError(ErrorClass.ERR_KEYVAL, () -> w.world.attributes().delete(Comm.TAG_UB), "MPI_TAG_UB");
    assertError(ErrorClass.ERR_KEYVAL, Comm.LASTUSEDCODE::close, "MPI_LASTUSEDCODE");
    assertFalse(Comm.LASTUSEDCODE.isClosed());
    assertEquals(Optional.of(Constants.LARGEST_TAG), w.world.attributes().get(Comm.TAG_UB));
  }

  @Test
  void duplicatesGetWhatTheCopyFunctionsSay() {
    Keyval<Comm, Integer> key = logging("a");
    Keyval<Comm, Object> shared = Keyval.shared();
    Keyval<Comm, Object> left = Keyval.notCopied();
    w.world.attributes().set(key, 1);
    w.world.attributes().set(shared, this);
    w.world.attributes().set(left, this);
    IntraComm duplicate = w.world.dup();
    duplicate.setName("dup");
    assertEquals(Optional.of(2), duplicate.attributes().get(key));
    assertSame(this, duplicate.attributes().get(shared).orElseThrow());
    assertEquals(Optional.empty(), duplicate.attributes().get(left));
    IntraComm split = w.world.split(0, 0);
    assertEquals(Optional.empty(), split.attributes().get(key), "only duplicates inherit");
    split.close();
    duplicate.close();
    assertEquals(List.of("copy a=1 from MPI_COMM_WORLD", "delete a=2 from dup"), log);
    assertError(ErrorClass.ERR_COMM, () -> duplicate.attributes(), "closed");
  }

  @Test
  void attributesOfAClosedCommunicatorAreOutOfReach() {
    Keyval<Comm, Integer> key = logging("a");
    IntraComm duplicate = w.world.dup();
    var table = duplicate.attributes();
    duplicate.close();
    assertError(ErrorClass.ERR_COMM, () -> table.set(key, 1), "closed");
    assertError(ErrorClass.ERR_COMM, () -> table.get(key), "closed");
    assertError(ErrorClass.ERR_COMM, () -> table.delete(key), "closed");
  }

  @Test
  void theRequestOfADuplicateTakesOverWhatWasThereWhenItStarted() {
    Keyval<Comm, Integer> key = logging("a");
    w.world.attributes().set(key, 1);
    CommRequest<? extends IntraComm> request = w.world.idup();
    w.world.attributes().set(key, 10);
    request.await();
    try (IntraComm duplicate = request.comm()) {
      assertEquals(Optional.of(2), duplicate.attributes().get(key));
    }
  }

  @Test
  void aCopyFunctionThatThrowsLeavesNoDuplicate() {
    w.world.attributes().set(logging("a"), 1);
    MpiException mine = new MpiException(ErrorClass.ERR_NO_MEM, "no copy");
    Keyval<Comm, Integer> refusing = Keyval.of(
        (from, value) -> {
          throw mine;
        },
        (from, value) -> {});
    w.world.attributes().set(refusing, 1);
    List<MpiException> seen = new ArrayList<>();
    w.world.setErrhandler(Errhandler.of((Comm comm, MpiException error) -> seen.add(error)));
    assertSame(mine, assertThrows(MpiException.class, () -> w.world.dup()));
    assertSame(mine, assertThrows(MpiException.class, () -> w.world.idup()));
    assertEquals(List.of(mine, mine), seen);
    assertEquals("delete a=2 from ", log.get(1), "what the duplicate had been given is deleted");
    w.world.attributes().delete(refusing);
    w.world.dup().close();
  }

  @Test
  @DisplayName("S1-2.6.4-b: what a key's function throws becomes an error of the call, on the communicator's handler")
  void exceptionsOfKeysFunctions() {
    RuntimeException[] thrown = {new IllegalStateException("mine")};
    Keyval<Comm, Integer> key = Keyval.of(
        (from, value) -> {
          throw thrown[0];
        },
        (from, value) -> {
          if (thrown[0] != null) {
            throw thrown[0];
          }
        });
    List<MpiException> seen = new ArrayList<>();
    IntraComm comm = w.world.dup();
    comm.setErrhandler(Errhandler.of((Comm failed, MpiException error) -> seen.add(error)));
    comm.attributes().set(key, 1);
    assertSame(thrown[0], assertError(ErrorClass.ERR_OTHER, () -> comm.attributes().delete(key), "mine").getCause());
    assertSame(thrown[0], assertError(ErrorClass.ERR_OTHER, () -> comm.attributes().set(key, 2), "mine").getCause());
    assertSame(thrown[0], assertError(ErrorClass.ERR_OTHER, comm::dup, "mine").getCause());
    assertSame(thrown[0], assertError(ErrorClass.ERR_OTHER, comm::close, "mine").getCause());
    assertEquals(4, seen.size());
    assertFalse(CommImpl.of(comm).state().isClosed(), "a communicator whose attributes cannot go stays");
    assertEquals(Optional.of(1), comm.attributes().get(key));
    thrown[0] = null;
    comm.close();
    assertTrue(CommImpl.of(comm).state().isClosed());
    assertEquals(4, seen.size());
  }

  @Test
  void wrongKeysGoToTheHandler() {
    Keyval<Comm, Integer> freed = logging("a");
    freed.close();
    List<MpiException> seen = new ArrayList<>();
    w.world.setErrhandler(Errhandler.of((Comm comm, MpiException error) -> seen.add(error)));
    assertError(ErrorClass.ERR_KEYVAL, () -> w.world.attributes().set(freed, 1), "closed");
    assertError(ErrorClass.ERR_KEYVAL, () -> w.world.attributes().get(null), "key = null");
    assertEquals(2, seen.size());
    assertEquals(Optional.empty(), w.world.attributes().get(logging("c")));
  }

  @Test
  @DisplayName("S1-2.5.4-c: finalizing first deletes what is attached to the self communicator, last set first")
  void finalizingDeletesAttributes() {
    w.mpi.self().attributes().set(logging("first"), 1);
    w.world.attributes().set(logging("world"), 2);
    Keyval<Comm, Integer> usesMpi = Keyval.of(
        (from, value) -> Optional.empty(),
        (from, value) -> log.add("open " + from.attributes().get(Comm.TAG_UB).isPresent() + Mpi.isFinalized()));
    w.mpi.self().attributes().set(usesMpi, 3);
    w.mpi.self().attributes().set(logging("last"), 4);
    w.mpi.close();
    assertEquals(
        List.of(
            "delete last=4 from MPI_COMM_SELF", "open truefalse", "delete first=1 from MPI_COMM_SELF",
            "delete world=2 from MPI_COMM_WORLD"),
        log);
    w.mpi.close();
    assertEquals(4, log.size());
  }

  @Test
  void whatThrowsInFinalizeKeepsNothingElseFromGoing() {
    Keyval<Comm, Integer> refusing = Keyval.of(
        (from, value) -> Optional.empty(),
        (from, value) -> {
          throw new IllegalStateException("not yet");
        });
    w.world.attributes().set(logging("world"), 2);
    w.mpi.self().attributes().set(refusing, 3);
    assertError(ErrorClass.ERR_OTHER, w.mpi::close, "not yet");
    assertEquals(List.of("delete world=2 from MPI_COMM_WORLD"), log);
    assertError(ErrorClass.ERR_OTHER, () -> w.world.attributes());
  }

  // ---- hints

  @Test
  void hintsAreRememberedAndNotHandedOn() {
    assertEquals(
        "Info{mpi_assert_no_any_source=false, mpi_assert_no_any_tag=false, mpi_assert_exact_length=false,"
            + " mpi_assert_allow_overtaking=false, mpi_assert_strict_persistent_collective_ordering=false,"
            + " mpi_memory_alloc_kinds=mpi,system}",
        w.world.info().toString());
    assertNotSame(w.world.info(), w.world.info());
    w.world.setInfo(null);
    w.world.setInfo(new Info()
        .set("mpi_assert_no_any_tag", "true").set("mpi_assert_memory_alloc_kinds", "system").set("cb_nodes", "3")
        .set("mpi_memory_alloc_kinds", "mpi,gpu"));
    Info info = w.world.info();
    assertEquals(Optional.of("true"), info.get("mpi_assert_no_any_tag"));
    assertEquals(Optional.of("system"), info.get("mpi_assert_memory_alloc_kinds"));
    assertEquals(Optional.empty(), info.get("cb_nodes"), "what is not for communicators is ignored");
    assertEquals(Optional.of("mpi,system"), info.get("mpi_memory_alloc_kinds"), "which is a fact");
    w.world.setInfo(new Info().set("mpi_assert_exact_length", "true"));
    info = w.world.info();
    assertEquals(Optional.of("true"), info.get("mpi_assert_no_any_tag"), "what is not given stays");
    assertEquals(Optional.of("true"), info.get("mpi_assert_exact_length"));
    Info overtaking = new Info().set("mpi_assert_allow_overtaking", "true");
    try (IntraComm dup = w.world.dup(); IntraComm own = w.world.dup(overtaking); IntraComm none = w.world.dup(null);
        IntraComm split = w.world.split(0, 0);
        IntraComm fromGroup = IntraComm.createFromGroup(w.world.group(), "x", overtaking, null)) {
      assertEquals(Optional.of("false"), own.info().get("mpi_assert_no_any_tag"), "hints are not mixed");
      assertEquals(Optional.of("true"), own.info().get("mpi_assert_allow_overtaking"));
      assertEquals(Optional.of("true"), fromGroup.info().get("mpi_assert_allow_overtaking"));
      for (IntraComm plain : new IntraComm[] {dup, none, split}) {
        assertEquals(CommHints.NONE.toInfo("mpi,system").toString(), plain.info().toString());
      }
    }
    CommRequest<? extends IntraComm> plain = w.world.idup();
    CommRequest<? extends IntraComm> own = w.world.idup(overtaking);
    w.world.setInfo(new Info().set("mpi_assert_no_any_tag", "false"));
    plain.await();
    own.await();
    assertEquals(
        CommHints.NONE.toInfo("mpi,system").toString(), plain.comm().info().toString(), "hints are not handed on");
    assertEquals(Optional.of("true"), own.comm().info().get("mpi_assert_allow_overtaking"));
    assertEquals(Optional.of("false"), own.comm().info().get("mpi_assert_exact_length"));
  }

  @Test
  void wrongHintsAreErrors() {
    Info wrong = new Info().set("mpi_assert_no_any_tag", "yes");
    assertError(ErrorClass.ERR_INFO_VALUE, () -> w.world.setInfo(wrong), "mpi_assert_no_any_tag = yes", "true and");
    assertError(ErrorClass.ERR_INFO_VALUE, () -> w.world.dup(wrong));
    assertError(ErrorClass.ERR_INFO_VALUE, () -> w.world.idup(wrong));
    Info freed = new Info();
    freed.close();
    assertError(ErrorClass.ERR_INFO, () -> w.world.setInfo(freed), "freed");
    assertError(ErrorClass.ERR_INFO, () -> w.world.dup(freed));
    assertEquals(CommHints.NONE.toInfo("mpi,system").toString(), w.world.info().toString());
  }

  @Test
  void brokenPromisesAreErrorsWhereEverythingIsChecked() {
    Worlds checked = Worlds.with(Map.of("ffmpi.check", "full", "ffmpi.errors", "return"));
    Info promises = new Info().set("mpi_assert_no_any_source", "true").set("mpi_assert_no_any_tag", "true");
    for (Worlds each : new Worlds[] {checked, Worlds.returning(0, 2)}) {
      each.world.setInfo(promises);
      Comm comm = each.world;
      Runnable[] broken = {
          () -> comm.irecv(new int[1], Constants.ANY_SOURCE, 0).close(),
          () -> comm.irecv(Buf.of(new int[1]), 0, Constants.ANY_TAG).close(),
          () -> comm.recvInit(Buf.of(new int[1]), Constants.ANY_SOURCE, 0).close()};
      for (Runnable call : broken) {
        if (each == checked) {
          ErrorClass expected = call == broken[1] ? ErrorClass.ERR_TAG : ErrorClass.ERR_RANK;
          assertError(expected, call::run, "ANY_", "the hint mpi_assert_no_any_");
        } else {
          call.run();
        }
      }
    }
  }
}
