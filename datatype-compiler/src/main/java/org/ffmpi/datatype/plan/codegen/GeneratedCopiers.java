// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.codegen;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongConsumer;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.pattern.Copier;
import org.ffmpi.datatype.plan.pattern.Copier.Direction;
import org.ffmpi.datatype.plan.pattern.Pattern;

/**
 * The generated loops for copies of a pattern at one distance. It counts the use of each operation on each kind of
 * memory, requests a class after much use, and returns it once it is ready and warm.
 *
 * <p>May be used by any thread. Counting is done with plain accesses: lost counts only delay a class. The methods for
 * plans do not allocate and never block, except where the setting requires it; all work that takes time, even the
 * analysis of the pattern, is left to the generating thread.
 */
final class GeneratedCopiers implements Runnable {
  /**
   * Bytes that have to be moved by an operation before a class is made for it. A class costs a millisecond to make and
   * some tens to warm up, on a thread of its own; it saves a tenth of a nanosecond and more for each byte.
   */
  static final long HOT = 2L << 20;

  /** Bytes that each call counts in addition: short calls gain from having no table to read. */
  private static final long CALL = 256;

  /** Count after a request without result before it is made again. */
  private static final long AGAIN = 64 * HOT;

  private static final int KINDS = Memory.DOUBLES + 1;
  private static final int SLOTS = Direction.values().length * KINDS;

  private final Generation generation;
  private final Pattern pattern;
  private final long stride;
  private final long hot;
  private final LongConsumer made;

  /** By operation and kind: the published class. */
  private final AtomicReferenceArray<ElementCopier> ready = new AtomicReferenceArray<>(SLOTS);

  private final long[] heat = new long[SLOTS];

  /** By kind: bits that have to be clear in an origin. Written before the first publication for that kind. */
  private final long[] misaligned = new long[KINDS];

  /** One bit for each slot for which a class was requested. */
  private final AtomicLong wanted = new AtomicLong();

  /** Determined at the first request. */
  private GeneratedClasses classes;

  GeneratedCopiers(Generation generation, Pattern pattern, long stride, LongConsumer made) {
    this.generation = generation;
    this.pattern = pattern;
    this.stride = stride;
    this.hot = generation.hot();
    this.made = made;
  }

  /**
   * Returns the counter of the uses of a loop.
   *
   * @param pattern the repeated pattern
   * @param stride bytes from copy to copy
   * @param made receives the cost in words of each class that is made for the loop
   * @return a new counter, or null when no classes are to be generated
   */
  static GeneratedCopiers of(Pattern pattern, long stride, LongConsumer made) {
    return Generation.ofProcess().copiers(pattern, stride, made);
  }

  // ---- for plans

  /** Moves whole copies through a generated class; returns false when there is none for them. */
  boolean move(
      Copier copier, Object array, long at, long apart, long count, long bytes, long other, long otherStride) {
    if (!copier.dense && otherStride != apart) {
      return false; // generated loops have one distance built in, for both sides
    }
    int kind = copier.kind;
    if (copier.direction == Direction.PACK) {
      ElementCopier loops = find(kind, kind, at, bytes);
      if (loops != null) {
        loops.pack(array, at, count, other);
      }
      return loops != null;
    }
    if (copier.direction == Direction.UNPACK) {
      ElementCopier loops = find(KINDS + kind, kind, at, bytes);
      if (loops != null) {
        loops.unpack(other, array, at, count);
      }
      return loops != null;
    }
    ElementCopier loops = find(2 * KINDS + kind, kind, at, bytes);
    if (loops != null) {
      loops.copy(other, array, at, count);
    }
    return loops != null;
  }

  /**
   * Returns generated loops for packing.
   *
   * @param kind of the user's memory
   * @param at origin of the first element
   * @param bytes of data that are about to be packed
   * @return loops, or null: use the shared ones
   */
  ElementCopier forPack(int kind, long at, long bytes) {
    return find(kind, kind, at, bytes);
  }

  /**
   * Returns generated loops for unpacking.
   *
   * @param kind of the user's memory
   * @param at origin of the first element
   * @param bytes of data that are about to be unpacked
   * @return loops, or null: use the shared ones
   */
  ElementCopier forUnpack(int kind, long at, long bytes) {
    return find(KINDS + kind, kind, at, bytes);
  }

  /**
   * Returns generated loops for copying between memory laid out alike.
   *
   * @param kind of the user's memory that is written
   * @param at origin of the first element there
   * @param bytes of data that are about to be copied
   * @return loops, or null: use the shared ones
   */
  ElementCopier forCopy(int kind, long at, long bytes) {
    return find(2 * KINDS + kind, kind, at, bytes);
  }

  private ElementCopier find(int slot, int kind, long at, long bytes) {
    ElementCopier copier = ready.getAcquire(slot);
    if (copier == null) {
      copier = warm(slot, bytes);
      if (copier == null) {
        return null;
      }
    }
    return (at & misaligned[kind]) == 0 ? copier : null;
  }

  // ---- asking for a class

  private ElementCopier warm(int slot, long bytes) {
    long now = heat[slot] + bytes + CALL;
    heat[slot] = now;
    return now < hot ? null : request(slot);
  }

  /** A method of its own, since the path of each call has to stay small. */
  private ElementCopier request(int slot) {
    // No new request until much more is moved: a full queue is empty by then, and failures are not repeated too often.
    heat[slot] = -AGAIN;
    long before;
    do {
      before = wanted.get();
    } while (!wanted.compareAndSet(before, before | 1L << slot));
    if (before == 0 && !generation.submit(this)) {
      wanted.set(0);
    }
    return ready.getAcquire(slot);
  }

  /** Makes the requested classes; called by the generating thread, or, in mode sync, by any that uses the type. */
  @Override
  public synchronized void run() {
    long slots = wanted.getAndSet(0);
    if (classes == null) {
      classes = generation.classes(pattern, stride);
    }
    for (int slot = 0; classes != null && slot < SLOTS; slot++) {
      if ((slots & 1L << slot) != 0 && ready.getAcquire(slot) == null) {
        int kind = slot % KINDS;
        ElementCopier copier = classes.copier(Direction.values()[slot / KINDS], kind);
        if (copier != null) {
          boolean known = isPublished(copier, kind);
          misaligned[kind] = classes.misaligned(kind);
          ready.setRelease(slot, copier);
          if (!known) {
            made.accept(classes.words(kind));
          }
        }
      }
    }
  }

  /** Returns whether another operation uses the same class. */
  private boolean isPublished(ElementCopier copier, int kind) {
    for (int slot = kind; slot < SLOTS; slot += KINDS) {
      if (ready.getAcquire(slot) == copier) {
        return true;
      }
    }
    return false;
  }
}
