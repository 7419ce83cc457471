// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.ffmpi.Worlds.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Error handlers that programs write, with their calls, their arguments, and their own failures. */
class ErrhandlerTest {
  private record Seen(Object object, MpiException error) {}

  private final List<Seen> seen = new ArrayList<>();
  private final Errhandler<Comm> handler =
      Errhandler.of((Comm comm, MpiException error) -> seen.add(new Seen(comm, error)));

  @Test
  @DisplayName("S1-2.8-e: a handler of the program's own is called with what failed and why, then the error is thrown")
  void runsBeforeTheErrorIsThrown() {
    Worlds w = Worlds.with(Map.of());
    w.world.setErrhandler(handler);
    assertSame(handler, w.world.errhandler());
    MpiException error = assertError(ErrorClass.ERR_RANK, () -> w.world.send(new int[1], 4, 0), "dest = 4");
    assertEquals(List.of(new Seen(w.world, error)), seen);
    assertTrue(w.told.isEmpty(), "nothing has ended");
    Request r = w.world.irecv(new int[1], 0, 0);
    w.engine.started.getFirst().failWith(new MpiException(ErrorClass.ERR_TRUNCATE, "too long"));
    error = assertError(ErrorClass.ERR_TRUNCATE, r::await);
    assertEquals(new Seen(w.world, error), seen.getLast());
  }

  @Test
  @DisplayName("S1-2.8-e: one handler serves several communicators, and one that takes any object serves all")
  void severalObjects() {
    Worlds w = Worlds.with(Map.of());
    Errhandler<Object> any = Errhandler.of((Object object, MpiException error) -> seen.add(new Seen(object, error)));
    w.world.setErrhandler(any);
    w.mpi.self().setErrhandler(any);
    MpiException first = assertError(ErrorClass.ERR_TAG, () -> w.world.send(new int[1], 0, -1));
    MpiException second = assertError(ErrorClass.ERR_TAG, () -> w.mpi.self().send(new int[1], 0, -1));
    assertEquals(List.of(new Seen(w.world, first), new Seen(w.mpi.self(), second)), seen);
  }

  @Test
  @DisplayName("S1-2.8-e: errors of calls without a communicator go to the handler of the self communicator")
  void errorsWithoutACommunicator() {
    Worlds w = Worlds.with(Map.of());
    w.world.setErrhandler(Errhandler.RETURN);
    w.mpi.self().setErrhandler(handler);
    MpiException error = assertError(ErrorClass.ERR_TYPE, () -> w.mpi.typeName(null), "type = null");
    assertEquals(List.of(new Seen(w.mpi.self(), error)), seen);
    w.mpi.self().setErrhandler(Errhandler.FATAL);
    error = assertError(ErrorClass.ERR_BUFFER, () -> w.mpi.bufferAttach(null));
    assertEquals(List.of(error), w.told);
  }

  @Test
  @DisplayName("S1-2.6.4-b: what a handler throws is suppressed in the error")
  void handlersThatThrow() {
    Worlds w = Worlds.with(Map.of());
    for (Throwable thrown : new Throwable[] {new IllegalStateException("mine"), new AssertionError("mine")}) {
      w.world.setErrhandler(Errhandler.of((Comm comm, MpiException error) -> sneak(thrown)));
      MpiException error = assertError(ErrorClass.ERR_RANK, () -> w.world.send(new int[1], 4, 0));
      assertArrayEquals(new Throwable[] {thrown}, error.getSuppressed());
    }
    w.world.setErrhandler(Errhandler.of((Comm comm, MpiException error) -> sneak(error)));
    MpiException error = assertError(ErrorClass.ERR_RANK, () -> w.world.send(new int[1], 4, 0));
    assertEquals(0, error.getSuppressed().length, "an exception cannot be suppressed in itself");
    assertTrue(w.told.isEmpty());
  }

  @SuppressWarnings("unchecked") // the cast is to what the compiler takes for an unchecked exception
  private static <E extends Throwable> void sneak(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Test
  @DisplayName("S1-2.6.4-b: a handler whose own calls fail is not called for them")
  void handlersWhoseCallsFail() {
    Worlds w = Worlds.with(Map.of());
    List<MpiException> calls = new ArrayList<>();
    w.world.setErrhandler(Errhandler.of((Comm comm, MpiException error) -> {
      calls.add(error);
      comm.send(new int[1], 0, -1);
    }));
    for (int i = 1; i <= 2; i++) {
      MpiException error = assertError(ErrorClass.ERR_RANK, () -> w.world.send(new int[1], 4, 0));
      assertEquals(i, calls.size());
      MpiException own = (MpiException) error.getSuppressed()[0];
      assertEquals(ErrorClass.ERR_TAG, own.errorClass());
    }
  }

  @Test
  void freedHandlersStayWhereTheyAreSet() {
    Worlds w = Worlds.with(Map.of());
    w.world.setErrhandler(handler);
    handler.close();
    handler.close();
    assertError(ErrorClass.ERR_RANK, () -> w.world.send(new int[1], 4, 0));
    assertEquals(1, seen.size());
    assertError(ErrorClass.ERR_ERRHANDLER, () -> w.world.setErrhandler(handler), "errhandler", "freed");
    assertEquals(2, seen.size(), "which is an error of the communicator as well");
    w.mpi.self().setErrhandler(Errhandler.RETURN);
    assertError(ErrorClass.ERR_ERRHANDLER, () -> w.mpi.self().setErrhandler(handler), "errhandler", "freed");
    Errhandler.RETURN.close();
    w.mpi.self().setErrhandler(Errhandler.RETURN);
  }

  @Test
  @DisplayName("S1-A-3: the predefined handlers are ERRORS_ARE_FATAL, ERRORS_ABORT and ERRORS_RETURN")
  void predefined() {
    Map<String, Errhandler<Object>> handlers =
        Map.of("fatal", Errhandler.FATAL, "abort", Errhandler.ABORT, "return", Errhandler.RETURN);
    handlers.forEach((word, predefined) -> {
      assertEquals(predefined, Worlds.with(Map.of("ffmpi.errors", word)).world.errhandler());
      assertEquals(word.toUpperCase(java.util.Locale.ROOT), predefined.toString());
    });
    assertError(ErrorClass.ERR_ARG, () -> Errhandler.of(null), "function = null");
    assertError(ErrorClass.ERR_ERRHANDLER, () -> Worlds.returning(0, 1).world.setErrhandler(null), "errhandler = null");
  }
}
