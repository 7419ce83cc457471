// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The frames of a stack that belong to a program. */
class CallPlaceTest {
  @Test
  void theJdkAndTheLibraryAreNoPrograms() {
    assertFalse(CallPlace.isOfProgram(String.class));
    assertFalse(CallPlace.isOfProgram(Operation.class));
    assertTrue(CallPlace.isOfProgram(CallPlaceTest.class));
  }

  @Test
  void theLineIsThatOfTheFirstFrameOfAProgram() {
    Supplier<CallPlace> look = CallPlace::ofThisThread;
    CallPlace place = List.of(look).stream().map(Supplier::get).toList().getFirst();
    assertTrue(place.line().matches("CallPlaceTest.java:\\d+"), place::line);
  }

  @Test
  void aThreadWithoutAProgramHasNoPlace() throws Exception {
    FutureTask<CallPlace> task = new FutureTask<>(CallPlace::ofThisThread);
    Thread.ofPlatform().start(task).join();
    assertSame(CallPlace.NOWHERE, task.get());
  }
}
