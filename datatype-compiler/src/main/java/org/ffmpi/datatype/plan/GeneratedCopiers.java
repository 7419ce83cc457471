// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.GeneratedClass.Operation;

/**
 * The generated loops of one program, as they come: counts how much each operation is used on each kind of memory, asks
 * for a class when it is much, and hands it out when it is ready and warm. Shared by all plans with equal programs;
 * when the last of them is gone, so are the classes.
 *
 * <p>May be used by any thread. Counting is done with plain accesses: threads that lose each other's counts only make a
 * class come later. The methods for plans do not allocate and never block, except where the setting asks for it.
 */
final class GeneratedCopiers implements Runnable {
  /**
   * Bytes that have to be moved by an operation before a class is made for it. A class costs a millisecond to make and
   * some tens to warm up, on a thread of its own; it saves a tenth of a nanosecond and more for each byte.
   */
  static final long HOT = 2L << 20;

  /** What a call counts in addition: short calls gain from having no table to read. */
  private static final long CALL = 256;

  /** What has to be counted after a request before it is made again, should it have led to nothing. */
  private static final long AGAIN = 64 * HOT;

  /** The JVM compiles a new class anew, and seldom badly twice. */
  private static final int ATTEMPTS = 2;

  private static final int KINDS = Memory.DOUBLES + 1;
  private static final int SLOTS = Operation.values().length * KINDS;
  private static final VarHandle READY = MethodHandles.arrayElementVarHandle(ElementCopier[].class);

  private final Generation generation;
  private final ElementProgram program;
  private final long hot;

  /** By operation and kind: what is published. */
  private final ElementCopier[] ready = new ElementCopier[SLOTS];

  private final long[] heat = new long[SLOTS];

  /** By kind: bits that have to be clear in an origin. Written before the first publication for that kind. */
  private final long[] misaligned = new long[KINDS];

  /** By kind: what is made, whether or not an operation is published already. */
  private final ElementCopier[] made = new ElementCopier[KINDS];

  /** One bit for each slot that somebody waits for. */
  private final AtomicLong wanted = new AtomicLong();

  GeneratedCopiers(Generation generation, ElementProgram program) {
    this.generation = generation;
    this.program = program;
    this.hot = generation.hot();
  }

  /**
   * Returns what plans with a program share.
   *
   * @param program what is to be copied
   * @return the one holder for that program, or null when no classes are to be generated
   */
  static GeneratedCopiers of(ElementProgram program) {
    return Generation.ofProcess().copiers(program);
  }

  // ---- for plans

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
    ElementCopier copier = (ElementCopier) READY.getAcquire(ready, slot);
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

  /** Apart from the way of each call, which has to stay small. */
  private ElementCopier request(int slot) {
    // Not again until much more is moved: a full queue is empty by then, and what failed is not tried too often.
    heat[slot] = -AGAIN;
    long before;
    do {
      before = wanted.get();
    } while (!wanted.compareAndSet(before, before | 1L << slot));
    if (before == 0 && !generation.submit(this)) {
      wanted.set(0);
    }
    return (ElementCopier) READY.getAcquire(ready, slot);
  }

  /** Makes what is wanted; called by the generating thread, or by the user's in mode sync. */
  @Override
  public void run() {
    long slots = wanted.getAndSet(0);
    for (int slot = 0; slot < SLOTS; slot++) {
      if ((slots & 1L << slot) != 0 && READY.getAcquire(ready, slot) == null) {
        make(slot);
      }
    }
  }

  /** In mode sync several threads may come here at once. */
  private synchronized void make(int slot) {
    int kind = slot % KINDS;
    Operation operation = Operation.values()[slot / KINDS];
    for (int attempt = 0; attempt < ATTEMPTS && GeneratedClass.serves(program, kind); attempt++) {
      if (made[kind] == null) {
        made[kind] = generation.define(program, kind);
      }
      if (made[kind] == null) {
        return;
      }
      misaligned[kind] = GeneratedClass.isTyped(program, kind) ? Memory.elementSize(kind) - 1 : 0;
      if (generation.warmUp(made[kind], program, kind, operation)) {
        READY.setRelease(ready, slot, made[kind]);
        return;
      }
      made[kind] = null;
    }
  }
}
