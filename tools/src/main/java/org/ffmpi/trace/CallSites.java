// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.ffmpi.spi.CallPlace;

/**
 * Knows from which line of the program a call comes, mostly without a look at the stack, which would cost a microsecond
 * or two.
 *
 * <p>Calls of one kind with the same arguments, made after a call from the same line, come from the same line too.
 * After {@value #TRUST} looks that agree, that line is taken. One in {@value #CHECK} such calls is looked at all the
 * same, and a look that disagrees begins anew. A program whose arguments always change would be looked at always; after
 * {@value #FREE} looks only one call in {@value #SPARING} is, and for the others the line of the last call of the same
 * kind is taken, again after a call from the same line.
 *
 * <p>Any thread. Tables and counters are racy: an entry is one word, and a lost update costs one more look.
 */
final class CallSites {
  private static final int TRUST = 4;
  private static final int CHECK = 512;
  private static final int FREE = 4096;
  private static final int SPARING = 64;

  /** An entry: the high bits of the key, the line's number, and how many looks have agreed. */
  private static final int ENTRIES = 1 << 12;
  private static final int PLACE_BITS = 15;
  private static final int TRUST_BITS = 3;
  private static final int LOW_BITS = PLACE_BITS + TRUST_BITS;
  private static final long LOW = (1L << LOW_BITS) - 1;
  private static final long TRUSTED = (1L << TRUST_BITS) - 1;

  /** Result of {@link #guess} when the stack has to be looked at. */
  static final int UNKNOWN = -1;

  private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private static final ClassValue<Boolean> OF_PROGRAM = new ClassValue<>() {
    @Override
    protected Boolean computeValue(Class<?> type) {
      return CallPlace.isOfProgram(type);
    }
  };

  private final long[] fine = new long[ENTRIES];
  private final long[] coarse = new long[ENTRIES];

  /** The place of the last call, of whichever thread. */
  private int last;

  private long calls;
  private final AtomicInteger looks = new AtomicInteger();

  /** Returns a key of the arguments of a call. */
  static long key(int kind, long comm, int peer, int tag, long bytes) {
    long key = (comm * 31 + peer) * 31 + tag;
    return (key * 31 + bytes) * 31 + kind;
  }

  private static long mixed(long key, int after) {
    long h = (key + after * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
    return (h ^ h >>> 29) * 0x94D049BB133111EBL;
  }

  /**
   * Returns the place of a call.
   *
   * @param key of its arguments
   * @param kind of the call
   * @return its number, or {@link #UNKNOWN}
   */
  int guess(long key, int kind) {
    long n = ++calls;
    long h = mixed(key, last);
    long entry = fine[(int) (h >>> 32) & ENTRIES - 1];
    if (((entry ^ h) & ~LOW) == 0 && (entry & TRUSTED) >= TRUST && (n & CHECK - 1) != 0) {
      return last = (int) (entry & LOW) >>> TRUST_BITS;
    }
    return looks.getPlain() > FREE && (n & SPARING - 1) != 0 ? guessRoughly(kind) : UNKNOWN;
  }

  private int guessRoughly(int kind) {
    long h = mixed(kind, last);
    long entry = coarse[(int) (h >>> 32) & ENTRIES - 1];
    return ((entry ^ h) & ~LOW) == 0 ? last = (int) (entry & LOW) >>> TRUST_BITS : UNKNOWN;
  }

  /**
   * Remembers the place of a call, which a look has found.
   *
   * @param place its number, below 2 to the power of {@value #PLACE_BITS}
   */
  void learn(long key, int kind, int place) {
    looks.getAndIncrement();
    long h = mixed(key, last);
    int at = (int) (h >>> 32) & ENTRIES - 1;
    long entry = fine[at];
    boolean agrees = ((entry ^ h) & ~LOW) == 0 && (int) (entry & LOW) >>> TRUST_BITS == place;
    long trust = agrees ? Math.min((entry & TRUSTED) + 1, TRUSTED) : 1;
    fine[at] = h & ~LOW | (long) place << TRUST_BITS | trust;
    h = mixed(kind, last);
    coarse[(int) (h >>> 32) & ENTRIES - 1] = h & ~LOW | (long) place << TRUST_BITS;
    last = place;
  }

  /** Returns the line of the program that the calling thread is in, as {@code Jacobi.java:71}; empty for none. */
  static String look() {
    return WALKER.walk(CallSites::firstOfProgram).map(CallSites::text).orElse("");
  }

  private static Optional<StackWalker.StackFrame> firstOfProgram(Stream<StackWalker.StackFrame> frames) {
    return frames.filter(frame -> OF_PROGRAM.get(frame.getDeclaringClass())).findFirst();
  }

  private static String text(StackWalker.StackFrame frame) {
    String file = frame.getFileName();
    String name = file != null ? file : frame.getDeclaringClass().getSimpleName();
    return frame.getLineNumber() > 0 ? name + ":" + frame.getLineNumber() : name;
  }
}
