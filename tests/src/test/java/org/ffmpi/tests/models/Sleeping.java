// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.models;

import java.util.EnumSet;
import java.util.Set;

/**
 * Parts that the models share: how a rank goes to sleep on its wait word, and how another one wakes it. The steps are
 * those of {@code Sleeper.sleep} and {@code Wakeups.wake}.
 */
abstract class Sleeping extends Model {
  /** Steps that a mutated model leaves out or does wrong. */
  enum Mutation {
    NO_WAKE, FIRST_SLEEP_UNLIMITED, NO_LOOK_AFTER_FIRST_SLEEP, LATER_SLEEPS_UNLIMITED, FLAG_BEFORE_DATA, PLAIN_FLAG,
    NO_CREDIT_CHECK, CREDIT_BEFORE_READ, END_WITHOUT_CAS, REASON_NOT_AWAITED, JOIN_WITHOUT_CAS, SLOT_NOT_AWAITED,
    SLOT_END_WITHOUT_WAKE, END_BEFORE_READ
  }

  // Places of a process on its way to sleep; models use lower ones.
  private static final int ANNOUNCE = 90;
  private static final int FENCE = 91;
  private static final int LOOK = 92;
  private static final int FIRST_SLEEP = 93;
  private static final int FIRST_SLEEP_OVER = 94;
  private static final int STILL_ANNOUNCED = 95;
  private static final int LOOK_AGAIN = 96;
  private static final int SLEEP = 97;
  private static final int SLEEP_OVER = 98;
  private static final int WITHDRAW = 99;
  private static final int WITHDRAWN = 100;

  // Places of a process that wakes another.
  private static final int IS_ASLEEP = 110;
  private static final int CLAIM = 111;
  private static final int WAKE = 112;

  // Locals.
  private static final int BACK = 0;
  private static final int TARGET = 1;
  static final int OWN = 2;

  private final Set<Mutation> mutations;

  Sleeping(Machine machine, Mutation... mutations) {
    super(machine);
    this.mutations = EnumSet.noneOf(Mutation.class);
    this.mutations.addAll(Set.of(mutations));
  }

  final boolean has(Mutation mutation) {
    return mutations.contains(mutation);
  }

  /** Returns a process's wait word. */
  abstract int waitWord(int process);

  /** What a step of a look has led to; before it can be made, {@link #CANNOT}. */
  enum Look {
    FOUND, NOTHING, GOES_ON, CANNOT
  }

  /** Takes a step of looking whether what a process waits for is there: one access to memory. */
  abstract Look look(int process);

  /**
   * Whether sleeps after the first end by themselves, which they do after 20 ms. No model may need that unless a rank
   * has died.
   */
  boolean mayTimeOut() {
    return false;
  }

  /** Has a process go to sleep until it finds something, and go on at a place. */
  final boolean sleep(int process, int then) {
    machine.local(process, BACK, then);
    machine.go(process, ANNOUNCE);
    return true;
  }

  /** Has a process wake another one if it sleeps, and go on at a place. */
  final boolean wake(int process, int target, int then) {
    machine.local(process, BACK, then);
    machine.local(process, TARGET, target);
    machine.go(process, has(Mutation.NO_WAKE) ? then : IS_ASLEEP);
    return true;
  }

  /** Takes a step of sleeping or waking; a process elsewhere takes none. */
  final boolean shared(int p) {
    Machine m = machine;
    int word = waitWord(p);
    switch (m.pc(p)) {
      case ANNOUNCE -> {
        return m.store(p, word, 1) && to(p, FENCE);
      }
      case FENCE -> {
        return m.isDrained(p) && to(p, LOOK);
      }
      case LOOK -> {
        return looks(p, FIRST_SLEEP);
      }
      case FIRST_SLEEP -> {
        int how = has(Mutation.FIRST_SLEEP_UNLIMITED) ? Machine.UNLIMITED : Machine.LIMITED;
        return m.isDrained(p) && to(p, m.sleepIf(p, word, 1, how) ? FIRST_SLEEP_OVER : WITHDRAW);
      }
      case FIRST_SLEEP_OVER -> {
        if (!m.isAsleep(p)) {
          return to(p, WITHDRAW);
        }
        return m.timeOut(p) && to(p, STILL_ANNOUNCED);
      }
      case STILL_ANNOUNCED -> {
        return to(p, m.load(p, word) == 0 ? WITHDRAW : has(Mutation.NO_LOOK_AFTER_FIRST_SLEEP) ? SLEEP : LOOK_AGAIN);
      }
      case LOOK_AGAIN -> {
        return looks(p, SLEEP);
      }
      case SLEEP -> { // for 20 ms in truth: see mayTimeOut
        return m.isDrained(p) && to(p, m.sleepIf(p, word, 1, Machine.UNLIMITED) ? SLEEP_OVER : WITHDRAW);
      }
      case SLEEP_OVER -> {
        if (m.isAsleep(p) && mayTimeOut()) {
          m.wake(p);
        }
        return !m.isAsleep(p) && to(p, WITHDRAW);
      }
      case WITHDRAW -> {
        return m.store(p, word, 0) && to(p, WITHDRAWN);
      }
      case WITHDRAWN -> {
        return m.isDrained(p) && to(p, m.local(p, BACK));
      }
      case IS_ASLEEP -> {
        return to(p, m.load(p, waitWord(m.local(p, TARGET))) != 0 ? CLAIM : m.local(p, BACK));
      }
      case CLAIM -> {
        return m.isDrained(p) && to(p, m.cas(waitWord(m.local(p, TARGET)), 1, 0) ? WAKE : m.local(p, BACK));
      }
      case WAKE -> {
        m.wake(m.local(p, TARGET));
        return to(p, m.local(p, BACK));
      }
      default -> throw new AssertionError("no place " + m.pc(p));
    }
  }

  private boolean looks(int p, int place) {
    return switch (look(p)) {
      case FOUND -> to(p, WITHDRAW);
      case NOTHING -> to(p, place);
      case GOES_ON -> true;
      case CANNOT -> false;
    };
  }

  /** Sends a process to a place. */
  final boolean to(int process, int pc) {
    machine.go(process, pc);
    return true;
  }
}
