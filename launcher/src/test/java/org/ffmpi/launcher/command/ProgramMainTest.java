// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Main methods as a recorded rank runs them. */
class ProgramMainTest {
  private static String[] given;
  private static Object receiver;

  private static final class WithArguments {
    static void main() {
      throw new AssertionError("the java command prefers the method with arguments");
    }

    public static void main(String[] arguments) {
      given = arguments;
    }
  }

  private static class OfInstance {
    void main() {
      given = new String[0];
      receiver = this;
    }
  }

  private static final class Inheriting extends OfInstance {}

  private static final class Failing {
    static final IllegalStateException FAILURE = new IllegalStateException("outside");

    static void main() {
      FAILURE.addSuppressed(new IllegalArgumentException("beside"));
      FAILURE.initCause(new RuntimeException("inside"));
      FAILURE.fillInStackTrace();
      throw FAILURE;
    }
  }

  private static final class WithBadStart {
    static final int VALUE = Integer.parseInt("none");

    static void main() {}
  }

  private static final class Without {
    private static void main() {}
  }

  private static void run(Class<?> type, String... arguments) throws Throwable {
    given = null;
    receiver = null;
    ProgramMain.run(type.getName(), arguments);
  }

  @Test
  void argumentsReachAMainMethodThatTakesThem() throws Throwable {
    run(WithArguments.class, "a", "b c");
    assertArrayEquals(new String[] {"a", "b c"}, given);
  }

  @Test
  void aMainMethodMayBeOfAnInstanceAndInherited() throws Throwable {
    run(OfInstance.class, "a");
    assertSame(OfInstance.class, receiver.getClass());
    run(Inheriting.class);
    assertSame(Inheriting.class, receiver.getClass());
  }

  @Test
  void aFailureIsThatOfTheProgramAlone() {
    assertSame(Failing.FAILURE, assertThrows(IllegalStateException.class, () -> run(Failing.class)));
    for (Throwable t : List.of(Failing.FAILURE, Failing.FAILURE.getCause(), Failing.FAILURE.getSuppressed()[0])) {
      assertEquals(
          List.of(Failing.class.getName() + ".main"),
          Arrays.stream(t.getStackTrace()).map(f -> f.getClassName() + "." + f.getMethodName()).toList());
    }
  }

  @Test
  void aClassThatCannotStartFailsAsItDoesByItself() {
    Throwable thrown = assertThrows(ExceptionInInitializerError.class, () -> run(WithBadStart.class));
    assertEquals(0, thrown.getStackTrace().length);
    StackTraceElement[] cause = thrown.getCause().getStackTrace();
    assertEquals("<clinit>", cause[cause.length - 1].getMethodName());
  }

  @Test
  void aProgramWithoutMainMethodIsRefused() {
    Throwable thrown = assertThrows(NoSuchMethodException.class, () -> run(Without.class));
    assertEquals("no main method in class " + Without.class.getName(), thrown.getMessage());
    assertNull(given);
    assertFalse(thrown.getStackTrace().length == 0);
  }
}
