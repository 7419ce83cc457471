// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.ffmpi.Worlds.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Error classes, codes and texts that programs add. */
class ErrorCodesTest {
  private static final int LAST = ErrorClass.ERR_LASTCODE.code();

  private final Worlds w = Worlds.returning(0, 2);
  private final Mpi mpi = w.mpi;

  private int lastUsed() {
    return w.world.attributes().get(Comm.LASTUSEDCODE).orElseThrow();
  }

  @Test
  @DisplayName("S1-2.8-i: programs add classes, codes and texts, and the last used code follows")
  void whatIsAddedIsKnown() {
    assertEquals(LAST, lastUsed());
    int errorClass = mpi.addErrorClass();
    int code = mpi.addErrorCode(errorClass);
    int ofPredefined = mpi.addErrorCode(ErrorClass.ERR_OTHER.code());
    assertTrue(errorClass > LAST && code > errorClass && ofPredefined > code);
    assertEquals(ofPredefined, lastUsed());
    assertEquals(errorClass, mpi.errorClass(errorClass), "a class is a code of its own");
    assertEquals(errorClass, mpi.errorClass(code));
    assertEquals(ErrorClass.ERR_OTHER.code(), mpi.errorClass(ofPredefined));
    assertEquals("", mpi.errorString(code));
    mpi.addErrorString(errorClass, "trouble with queues");
    mpi.addErrorString(code, "the queue is full");
    assertEquals("the queue is full", mpi.errorString(code));
    assertEquals("trouble with queues", mpi.errorString(errorClass));
    mpi.addErrorString(code, "full");
    assertEquals("full", mpi.errorString(code), "a text can be set anew");
    mpi.removeErrorString(code);
    assertEquals("", mpi.errorString(code));
    mpi.removeErrorCode(ofPredefined);
    assertEquals(code, lastUsed());
    assertError(ErrorClass.ERR_ARG, () -> mpi.removeErrorClass(errorClass), "still has the code " + code);
    mpi.removeErrorCode(code);
    mpi.removeErrorClass(errorClass);
    assertEquals(LAST, lastUsed());
    assertError(ErrorClass.ERR_ARG, () -> mpi.errorString(errorClass), "errorcode = " + errorClass);
    assertTrue(mpi.addErrorClass() > ofPredefined, "numbers do not come back");
  }

  @Test
  @DisplayName("S1-2.8-i: predefined errors have a class and a text, and cannot be changed")
  void predefinedErrors() {
    for (ErrorClass known : ErrorClass.values()) {
      assertEquals(known.code(), mpi.errorClass(known.code()));
      assertEquals(known.text(), mpi.errorString(known.code()));
      assertTrue(known.text().length() < Constants.MAX_ERROR_STRING);
      assertError(ErrorClass.ERR_ARG, () -> mpi.addErrorString(known.code(), "mine"), "errorcode");
      assertError(ErrorClass.ERR_ARG, () -> mpi.removeErrorClass(known.code()), "errorclass");
      assertError(ErrorClass.ERR_ARG, () -> mpi.removeErrorCode(known.code()), "errorcode");
      assertError(ErrorClass.ERR_ARG, () -> mpi.removeErrorString(known.code()), "errorcode");
    }
  }

  @Test
  void wrongNumbersAreErrors() {
    int errorClass = mpi.addErrorClass();
    int code = mpi.addErrorCode(errorClass);
    for (int wrong : new int[] {-1, 0, LAST, code, code + 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertError(ErrorClass.ERR_ARG, () -> mpi.addErrorCode(wrong), "errorclass = " + wrong);
    }
    assertError(ErrorClass.ERR_ARG, () -> mpi.errorClass(-1), "errorcode = -1");
    assertError(ErrorClass.ERR_ARG, () -> mpi.errorString(500), "errorcode = 500");
    assertError(ErrorClass.ERR_ARG, () -> mpi.removeErrorCode(errorClass), "codes");
    assertError(ErrorClass.ERR_ARG, () -> mpi.removeErrorClass(code), "classes");
    assertError(ErrorClass.ERR_ARG, () -> mpi.addErrorString(code, null), "string = null");
    assertError(ErrorClass.ERR_ARG, () -> mpi.addErrorString(code, "x".repeat(Constants.MAX_ERROR_STRING)), "512");
    mpi.addErrorString(code, "x".repeat(Constants.MAX_ERROR_STRING - 1));
    assertError(ErrorClass.ERR_ARG, () -> mpi.removeErrorString(errorClass), "given a text");
  }

  @Test
  @DisplayName("S1-2.8-e: call_errhandler runs the communicator's handler with the error of any code")
  void callingTheHandler() {
    List<MpiException> seen = new ArrayList<>();
    w.world.setErrhandler(Errhandler.of((Comm comm, MpiException error) -> seen.add(error)));
    int errorClass = mpi.addErrorClass();
    int code = mpi.addErrorCode(errorClass);
    mpi.addErrorString(code, "the queue is full");
    MpiException error = w.world.callErrhandler(code);
    assertEquals(List.of(error), seen);
    assertEquals("the queue is full", error.getMessage());
    assertEquals(code, error.errorCode());
    assertEquals(errorClass, error.errorClassCode());
    assertSame(ErrorClass.ERR_OTHER, error.errorClass());
    error = w.world.callErrhandler(errorClass);
    assertEquals("error code " + errorClass + " of error class " + errorClass, error.getMessage());
    int ofRank = mpi.addErrorCode(ErrorClass.ERR_RANK.code());
    error = w.world.callErrhandler(ofRank);
    assertSame(ErrorClass.ERR_RANK, error.errorClass());
    assertEquals(ofRank, error.errorCode());
    error = w.world.callErrhandler(ErrorClass.ERR_TAG.code());
    assertSame(ErrorClass.ERR_TAG, error.errorClass());
    assertEquals(ErrorClass.ERR_TAG.code(), error.errorCode());
    assertEquals(ErrorClass.ERR_TAG.code(), error.errorClassCode());
    assertEquals(4, seen.size());
    assertError(ErrorClass.ERR_ARG, () -> w.world.callErrhandler(0), "errorcode = 0");
    assertError(ErrorClass.ERR_ARG, () -> w.world.callErrhandler(code + 100), "errorcode");
    assertTrue(w.told.isEmpty());
  }

  @Test
  @DisplayName("S1-2.8-d: call_errhandler ends the job where errors are fatal")
  void callingAFatalHandler() {
    for (String handler : List.of("fatal", "abort")) {
      Worlds fatal = Worlds.with(Map.of("ffmpi.errors", handler));
      int code = fatal.mpi.addErrorCode(ErrorClass.ERR_RANK.code());
      MpiException error = assertError(ErrorClass.ERR_RANK, () -> fatal.world.callErrhandler(code));
      assertEquals(List.of(error), fatal.told);
      assertEquals(code, fatal.engine.abortCode);
    }
  }

  @Test
  void processesHaveTheirOwn() {
    int code = w.mpi.addErrorCode(ErrorClass.ERR_RANK.code());
    Worlds other = Worlds.returning(0, 2);
    assertEquals(code, other.mpi.addErrorCode(ErrorClass.ERR_TAG.code()), "numbers are a process's own");
    assertEquals(ErrorClass.ERR_RANK.code(), w.mpi.errorClass(code));
    assertEquals(ErrorClass.ERR_TAG.code(), other.mpi.errorClass(code));
  }

  @Test
  void randomCallsDoWhatAModelDoes() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Map<Integer, Integer> model = new HashMap<>();
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      int any = numbers.isEmpty() ? LAST + 1 : numbers.get(random.nextInt(numbers.size()));
      Integer of = model.get(any);
      boolean isClass = of != null && of == any;
      switch (random.nextInt(4)) {
        case 0 -> {
          int added = mpi.addErrorClass();
          model.put(added, added);
          numbers.add(added);
        }
        case 1 -> {
          if (isClass) {
            int added = mpi.addErrorCode(any);
            model.put(added, any);
            numbers.add(added);
          } else {
            assertError(ErrorClass.ERR_ARG, () -> mpi.addErrorCode(any));
          }
        }
        case 2 -> {
          if (isClass && model.values().stream().filter(c -> c == any).count() == 1) {
            mpi.removeErrorClass(any);
            model.remove(any);
          } else {
            assertError(ErrorClass.ERR_ARG, () -> mpi.removeErrorClass(any));
          }
        }
        default -> {
          if (of != null && !isClass) {
            mpi.removeErrorCode(any);
            model.remove(any);
          } else {
            assertError(ErrorClass.ERR_ARG, () -> mpi.removeErrorCode(any));
          }
        }
      }
      assertEquals(model.keySet().stream().mapToInt(c -> c).max().orElse(LAST), lastUsed(), "seed " + seed);
    }
    model.forEach((code, errorClass) -> assertEquals(errorClass, mpi.errorClass(code), "seed " + seed));
  }
}
