// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitSubject;

/** The call that a rank stands in, which ends when a condition holds, or a choice has been made. */
final class Stand {
  final BooleanSupplier over;
  final ChoicePoint point;
  /** Whether the call returns when nothing moves, without a choice. */
  final boolean idles;

  private final WaitSubject subject;
  /** The line of the program, in a recorded run. */
  final StackTraceElement place;

  final String call;
  /** Set when nothing moves and the call idles. */
  boolean released;

  Stand(BooleanSupplier over, ChoicePoint point, boolean idles, WaitSubject subject, String call,
      StackTraceElement place) {
    this.over = over;
    this.point = point;
    this.idles = idles;
    this.subject = subject;
    this.call = call;
    this.place = place;
  }

  /** Returns whether the call looks whether something has come, and returns without. */
  boolean polls() {
    return idles || point != null && point.polls;
  }

  /** Returns whether the call waits for something that only the program completes. */
  boolean waitsForProgram() {
    return subject instanceof Operation operation && operation.isOfProgram()
        || point != null && point.operations != null
            && Arrays.stream(point.operations).anyMatch(any -> any != null && any.isOfProgram());
  }

  WaitSubject subject() {
    return subject;
  }

  boolean isOver() {
    return released || over.getAsBoolean();
  }
}
