// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

/**
 * The kinds of calls whose outcome is a choice. Their order is part of the format of recordings.
 */
enum ChoiceKind {
  RECEIVE("receive", Outcome.MESSAGE),
  POSTED_RECEIVE("nonblocking receive", Outcome.MESSAGE),
  PROBE("probe", Outcome.MESSAGE),
  LOOK_FOR_MESSAGE("iprobe", Outcome.MESSAGE),
  MATCHED_PROBE("mprobe", Outcome.MESSAGE),
  LOOK_FOR_MATCHED("improbe", Outcome.MESSAGE),
  TEST("test", Outcome.YES),
  TEST_ALL("testAll", Outcome.YES),
  LOOK("test of a part of a message", Outcome.YES),
  WAIT_ANY("waitAny", Outcome.INDEX),
  TEST_ANY("testAny", Outcome.INDEX),
  WAIT_SOME("waitSome", Outcome.INDICES),
  TEST_SOME("testSome", Outcome.INDICES);

  /** The outcome of calls of some kind. */
  enum Outcome {
    /** The sender of a message, and its tag. */
    MESSAGE,
    /** True. */
    YES,
    /** One of a list. */
    INDEX,
    /** Some of a list. */
    INDICES
  }

  private static final ChoiceKind[] ALL = values();

  private final String text;
  private final Outcome outcome;

  ChoiceKind(String text, Outcome outcome) {
    this.text = text;
    this.outcome = outcome;
  }

  /** Returns the kind with a number; null when no kind has it. */
  static ChoiceKind of(int number) {
    return number < 0 || number >= ALL.length ? null : ALL[number];
  }

  String text() {
    return text;
  }

  Outcome outcome() {
    return outcome;
  }

  /** Returns whether a call may report that there is nothing yet, so that programs repeat it. */
  boolean isPoll() {
    return switch (this) {
      case LOOK_FOR_MESSAGE, LOOK_FOR_MATCHED, TEST, TEST_ALL, LOOK, TEST_ANY, TEST_SOME -> true;
      default -> false;
    };
  }
}
