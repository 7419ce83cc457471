// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.models;

/**
 * Join and early end of a job: two processes that both want to be rank 0, of which the first may end the job and may
 * die at any moment; rank 1, which sleeps on a message that never comes; and the launcher, which may end the job and
 * has to when a rank has died. The steps are those of {@code JobSegment}'s {@code claimRank}, {@code requestAbort} and
 * {@code abortReason}, and of {@code JobAbort}.
 */
final class EndModel extends Sleeping {
  private static final int SLEEPER = 2;
  private static final int LAUNCHER = 3;
  private static final int PROCESSES = 4;

  // Words; the wait words come first.
  private static final int OWNER = PROCESSES;
  private static final int STATE = OWNER + 1;
  private static final int ENDED = STATE + 1;
  private static final int REASON = ENDED + 1;
  private static final int CODE = REASON + 1;
  private static final int WORDS = CODE + 1;

  private static final int ENDS = 1;
  private static final int SAID = 2;

  // Places of those who would be rank 0.
  private static final int JOIN = 0;
  private static final int JOIN_LATE = 1;
  private static final int JOINED = 2;
  private static final int REFUSED = 126;
  private static final int DEAD = 125;

  // Places of whoever ends the job.
  private static final int END_JOB = 10;
  private static final int END_LATE = 11;
  private static final int SAY_REASON = 12;
  private static final int SAY_CODE = 13;
  private static final int SAY_ALL = 14;
  private static final int SAID_ALL = 15;
  private static final int TELL = 16;

  // Places of rank 1 and of the launcher.
  private static final int RECEIVE = 20;
  private static final int AWAIT_REASON = 21;
  private static final int READ_REASON = 22;
  private static final int WATCH = 30;

  private static final int HAS_JOINED = OWN;

  EndModel(boolean weak, Mutation... mutations) {
    super(new Machine(WORDS, PROCESSES, OWN + 1, 3, weak), mutations);
    machine.go(SLEEPER, RECEIVE);
    machine.go(LAUNCHER, WATCH);
  }

  @Override
  int waitWord(int process) {
    return process;
  }

  @Override
  Look look(int p) {
    return machine.load(p, ENDED) != 0 ? Look.FOUND : Look.NOTHING;
  }

  /** Ranks that have joined may die, the launcher may end the job without a reason to. */
  @Override
  int choices(int p) {
    return p == SLEEPER ? 1 : 2;
  }

  /** A rank that has claimed the duty to wake rank 1 and dies before it does leaves it to the end of its sleep. */
  @Override
  boolean mayTimeOut() {
    return hasDied() && !has(Mutation.LATER_SLEEPS_UNLIMITED);
  }

  private boolean hasDied() {
    return machine.pc(0) == DEAD || machine.pc(1) == DEAD;
  }

  @Override
  boolean step(int p, int choice) {
    int at = machine.pc(p);
    if (at == DEAD || at == REFUSED) {
      return false;
    }
    if (p < SLEEPER && choice == 1) {
      return machine.local(p, HAS_JOINED) == 1 && to(p, DEAD); // what is in its buffer still gets to memory
    }
    return switch (p) {
      case SLEEPER -> at >= 90 ? shared(p) : receive(p, at);
      case LAUNCHER -> at == WATCH ? watch(p, choice) : choice == 0 && (at >= 90 ? shared(p) : endJob(p, at));
      default -> at >= 90 ? shared(p) : at >= END_JOB ? endJob(p, at) : join(p, at);
    };
  }

  private boolean join(int p, int at) {
    Machine m = machine;
    switch (at) {
      case JOIN -> {
        if (has(Mutation.JOIN_WITHOUT_CAS)) {
          return to(p, m.load(p, OWNER) == 0 ? JOIN_LATE : REFUSED);
        }
        return m.isDrained(p) && (m.cas(OWNER, 0, p + 1) ? joined(p) : to(p, REFUSED));
      }
      case JOIN_LATE -> {
        return m.store(p, OWNER, p + 1) && joined(p);
      }
      default -> {
        return m.store(p, STATE, 1) && to(p, END_JOB);
      }
    }
  }

  private boolean joined(int p) {
    check(machine.local(1 - p, HAS_JOINED) == 0, "two processes are rank 0");
    machine.local(p, HAS_JOINED, 1);
    return to(p, JOINED);
  }

  private boolean endJob(int p, int at) {
    Machine m = machine;
    switch (at) {
      case END_JOB -> {
        if (has(Mutation.END_WITHOUT_CAS)) {
          return to(p, m.load(p, ENDED) == 0 ? END_LATE : TELL);
        }
        return m.isDrained(p) && to(p, m.cas(ENDED, 0, ENDS) ? SAY_REASON : TELL);
      }
      case END_LATE -> {
        return m.store(p, ENDED, ENDS) && to(p, SAY_REASON);
      }
      case SAY_REASON -> {
        return m.store(p, REASON, p + 1) && to(p, SAY_CODE);
      }
      case SAY_CODE -> {
        return m.store(p, CODE, p + 1) && to(p, SAY_ALL);
      }
      case SAY_ALL -> {
        return m.release(p, ENDED, SAID) && to(p, SAID_ALL);
      }
      case SAID_ALL -> {
        return m.isDrained(p) && to(p, TELL);
      }
      default -> {
        return wake(p, SLEEPER, END);
      }
    }
  }

  private boolean receive(int p, int at) {
    Machine m = machine;
    switch (at) {
      case RECEIVE -> {
        return look(p) == Look.FOUND ? to(p, AWAIT_REASON) : sleep(p, RECEIVE);
      }
      case AWAIT_REASON -> {
        boolean isSaid = m.load(p, ENDED) == SAID || has(Mutation.REASON_NOT_AWAITED);
        if (!isSaid && hasDied()) {
          return to(p, END); // after 10 ms: the one that ended the job died before it had said why
        }
        return isSaid && to(p, READ_REASON);
      }
      default -> {
        int reason = m.load(p, REASON);
        check(reason != 0, "the reason was read before it was there");
        check(reason == m.load(p, CODE), "the reason of one and the code of another");
        return to(p, END);
      }
    }
  }

  private boolean watch(int p, int choice) {
    boolean over = true;
    for (int q = 0; q < SLEEPER; q++) {
      over &= machine.pc(q) == END || machine.pc(q) == REFUSED;
    }
    return choice == 1 || hasDied() ? to(p, END_JOB) : over && to(p, END);
  }

  @Override
  void checkEnd() {
    int joined = 0;
    for (int p = 0; p < PROCESSES; p++) {
      int at = machine.pc(p);
      check(at == END || at == DEAD || at == REFUSED,
          "process " + p + (machine.isAsleep(p) ? " sleeps" : " waits") + " for ever");
      joined += p < SLEEPER ? machine.local(p, HAS_JOINED) : 0;
    }
    check(joined == 1, joined + " processes are rank 0");
  }
}
