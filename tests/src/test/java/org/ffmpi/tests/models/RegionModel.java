// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.models;

/**
 * A shared region with two slots for each rank, in which every rank shows its part to all others, call after call:
 * slots used again, ends of calls, and both waits with their sleep. The steps are those of {@code Region}.
 */
final class RegionModel extends Sleeping {
  private static final int SLOTS = 2;
  private static final int NOBODY = 0;
  private static final int SEVERAL = -1;

  // Words of a rank; behind those of all ranks the word in which a rank says that it sleeps until a slot is free.
  private static final int FINISHED = 0;
  private static final int FLAG = 1;
  private static final int PAYLOAD = FLAG + SLOTS;
  private static final int WAIT = PAYLOAD + SLOTS;
  private static final int EACH = WAIT + 1;

  private static final int BEGIN = 0;
  private static final int SLOT = 1;
  private static final int WRITE = 2;
  private static final int SHOW = 3;
  private static final int TELL = 4;
  private static final int PEEK = 5;
  private static final int READ = 6;
  private static final int FINISH = 7;
  private static final int WHO_WAITS = 8;
  private static final int TAKE_NAME = 9;
  private static final int TELL_SEVERAL = 10;
  private static final int READ_LATE = 11;
  private static final int WRITE_LATE = 12;

  // Locals.
  private static final int CALL = OWN;
  private static final int OTHER = OWN + 1;
  private static final int LOOKS_FOR_SLOT = OWN + 2;
  private static final int PHASE = OWN + 3;
  private static final int NAME = OWN + 4;
  private static final int KNOWN = OWN + 5;

  // Phases of a look for a free slot on the way to sleep.
  private static final int READ_NAME = 0;
  private static final int WRITE_NAME = 1;
  private static final int ASK_ALL = 2;

  private final int ranks;
  private final int calls;

  /** Only rank 0 shows something, and is ahead of the others; else all show something to all. */
  private final boolean fromRoot;

  RegionModel(int ranks, int calls, boolean fromRoot, boolean weak, Mutation... mutations) {
    super(new Machine(ranks * EACH + 1, ranks, KNOWN + ranks, 3, weak), mutations);
    this.ranks = ranks;
    this.calls = calls;
    this.fromRoot = fromRoot;
    for (int p = 0; p < ranks; p++) {
      machine.local(p, CALL, 1);
    }
  }

  private static int word(int rank, int what) {
    return rank * EACH + what;
  }

  private int waiting() {
    return ranks * EACH;
  }

  @Override
  int waitWord(int process) {
    return word(process, WAIT);
  }

  private int value(int rank, int call) {
    return call * ranks + rank;
  }

  @Override
  Look look(int p) {
    Machine m = machine;
    int call = m.local(p, CALL);
    if (m.local(p, LOOKS_FOR_SLOT) == 0) {
      return m.load(p, word(m.local(p, OTHER), FLAG + call % SLOTS)) == call ? Look.FOUND : Look.NOTHING;
    }
    switch (m.local(p, PHASE)) {
      case READ_NAME -> {
        int name = m.load(p, waiting());
        m.local(p, NAME, name);
        m.local(p, OTHER, 0);
        m.local(p, PHASE, name == p + 1 || name == SEVERAL ? ASK_ALL : WRITE_NAME);
        return Look.GOES_ON;
      }
      case WRITE_NAME -> {
        if (!m.isDrained(p)) {
          return Look.CANNOT;
        }
        int name = m.local(p, NAME);
        m.cas(waiting(), name, name == NOBODY ? p + 1 : SEVERAL);
        m.local(p, NAME, 0);
        m.local(p, PHASE, READ_NAME);
        return Look.GOES_ON;
      }
      default -> {
        Look asked = ask(p);
        if (asked != Look.GOES_ON) {
          m.local(p, PHASE, READ_NAME);
          m.local(p, NAME, 0);
          m.local(p, OTHER, 0);
        }
        return asked;
      }
    }
  }

  /** Asks one rank up to which call it is through, unless that is known. */
  private Look ask(int p) {
    Machine m = machine;
    int other = m.local(p, OTHER);
    int needed = m.local(p, CALL) - SLOTS;
    if (m.local(p, KNOWN + other) < needed) {
      m.local(p, KNOWN + other, m.load(p, word(other, FINISHED)));
      if (m.local(p, KNOWN + other) < needed) {
        m.local(p, OTHER, 0);
        return Look.NOTHING;
      }
    }
    m.local(p, OTHER, other + 1);
    return other + 1 == ranks ? Look.FOUND : Look.GOES_ON;
  }

  @Override
  boolean step(int p, int choice) {
    int at = machine.pc(p);
    if (at >= 90) {
      return shared(p);
    }
    return at < PEEK || at == WRITE_LATE ? contribute(p, at)
        : at < WHO_WAITS || at == READ_LATE ? collect(p, at) : end(p, at);
  }

  private boolean contribute(int p, int at) {
    Machine m = machine;
    int call = m.local(p, CALL);
    switch (at) {
      case BEGIN -> {
        m.local(p, OTHER, 0);
        if (call > calls || fromRoot && p > 0) {
          return to(p, call > calls ? END : PEEK);
        }
        return to(p, call > SLOTS && !has(Mutation.SLOT_NOT_AWAITED) ? SLOT
            : has(Mutation.FLAG_BEFORE_DATA) ? SHOW : WRITE);
      }
      case SLOT -> {
        return switch (ask(p)) {
          case FOUND -> to(p, has(Mutation.FLAG_BEFORE_DATA) ? SHOW : WRITE);
          case GOES_ON -> true;
          default -> sleepUntil(p, true, BEGIN);
        };
      }
      case WRITE, WRITE_LATE -> {
        return m.store(p, word(p, PAYLOAD + call % SLOTS), value(p, call)) && to(p, at == WRITE ? SHOW : TELL);
      }
      case SHOW -> {
        int flag = word(p, FLAG + call % SLOTS);
        m.local(p, OTHER, 0);
        return (has(Mutation.PLAIN_FLAG) ? m.store(p, flag, call) : m.release(p, flag, call))
            && to(p, has(Mutation.FLAG_BEFORE_DATA) ? WRITE_LATE : TELL);
      }
      default -> {
        return tellNext(p, TELL, fromRoot ? FINISH : PEEK);
      }
    }
  }

  private boolean sleepUntil(int p, boolean slot, int then) {
    machine.local(p, LOOKS_FOR_SLOT, slot ? 1 : 0);
    machine.local(p, PHASE, READ_NAME);
    return sleep(p, then);
  }

  /** Wakes one of the other ranks, then the next. */
  private boolean tellNext(int p, int at, int then) {
    int other = machine.local(p, OTHER);
    if (other == p) {
      other++;
    }
    if (other >= ranks) {
      machine.local(p, OTHER, p == 0 ? 1 : 0);
      return to(p, then);
    }
    machine.local(p, OTHER, other + 1);
    return wake(p, other, at);
  }

  private boolean collect(int p, int at) {
    Machine m = machine;
    int call = m.local(p, CALL);
    int other = m.local(p, OTHER);
    switch (at) {
      case PEEK -> {
        if (other == ranks) {
          return to(p, FINISH);
        }
        return look(p) == Look.FOUND
            ? to(p, has(Mutation.END_BEFORE_READ) ? FINISH : READ)
            : sleepUntil(p, false, PEEK);
      }
      case READ, READ_LATE -> {
        int read = m.load(p, word(other, PAYLOAD + call % SLOTS));
        check(read == value(other, call),
            "rank " + p + " reads " + read + " instead of " + value(other, call) + " of rank " + other);
        if (at == READ_LATE) {
          return to(p, WHO_WAITS);
        }
        m.local(p, KNOWN + other, call - 1); // the flag says that its rank has finished all earlier calls
        m.local(p, OTHER, fromRoot ? ranks : other + 1 == p ? other + 2 : other + 1);
        return to(p, PEEK);
      }
      default -> {
        return m.release(p, word(p, FINISHED), call) && to(p, has(Mutation.END_BEFORE_READ) ? READ_LATE : WHO_WAITS);
      }
    }
  }

  private boolean end(int p, int at) {
    Machine m = machine;
    switch (at) {
      case WHO_WAITS -> {
        m.local(p, OTHER, 0);
        boolean any = m.load(p, waiting()) != NOBODY && !has(Mutation.SLOT_END_WITHOUT_WAKE);
        return any ? to(p, TAKE_NAME) : next(p);
      }
      case TAKE_NAME -> {
        if (!m.isDrained(p)) {
          return false;
        }
        int name = m.s[waiting()];
        m.cas(waiting(), name, NOBODY);
        if (name == SEVERAL) {
          return to(p, TELL_SEVERAL);
        }
        next(p);
        return name <= 0 || wake(p, name - 1, BEGIN);
      }
      default -> {
        tellNext(p, TELL_SEVERAL, BEGIN);
        return m.pc(p) != BEGIN || next(p);
      }
    }
  }

  private boolean next(int p) {
    machine.local(p, CALL, machine.local(p, CALL) + 1);
    machine.local(p, OTHER, 0);
    return to(p, BEGIN);
  }
}
