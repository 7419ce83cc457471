// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.codegen;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.ffmpi.base.Settings;
import org.ffmpi.datatype.plan.kernel.BackgroundWork;
import org.ffmpi.datatype.plan.kernel.PlanSettings;
import org.ffmpi.datatype.plan.kernel.PlanSettings.Generate;
import org.ffmpi.datatype.plan.pattern.Copier.Direction;
import org.ffmpi.datatype.plan.pattern.Pattern;

/**
 * Makes classes for datatypes on one background thread, which starts with the first request and ends when it is idle;
 * in the requesting thread; or never. After any failure the shared loops stay in use, which can do everything that
 * generated ones can.
 *
 * <p>Thread-safe.
 */
final class Generation {
  private final Generate mode;
  private final BackgroundWork worker;
  private final ConcurrentHashMap<ElementProgram, Entry> classes = new ConcurrentHashMap<>();
  private final ReferenceQueue<GeneratedClasses> gone = new ReferenceQueue<>();
  private final AtomicLong defined = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong compiledBadly = new AtomicLong();

  /** A class of its own, so that settings are read only when a type is worth a class. */
  private static final class OfProcess {
    static final Generation INSTANCE =
        new Generation(PlanSettings.generate(Settings.ofProcess()), BackgroundWork.ofProcess());
  }

  /** The classes of a program while loops use them. */
  private static final class Entry extends WeakReference<GeneratedClasses> {
    private final ElementProgram program;

    Entry(ElementProgram program, GeneratedClasses classes, ReferenceQueue<GeneratedClasses> queue) {
      super(classes, queue);
      this.program = program;
    }
  }

  /**
   * Creates a generator.
   *
   * @param mode when it generates
   * @param worker the thread that generates in the background
   */
  Generation(Generate mode, BackgroundWork worker) {
    this.mode = mode;
    this.worker = worker;
  }

  /** Returns the generator that the setting selects. */
  static Generation ofProcess() {
    return OfProcess.INSTANCE;
  }

  /** Returns the counter of the uses of a loop over copies of a pattern, or null when no class is to be generated. */
  GeneratedCopiers copiers(Pattern pattern, long stride, LongConsumer made) {
    return mode == Generate.OFF ? null : new GeneratedCopiers(this, pattern, stride, made);
  }

  // ---- one set of classes for each program

  /** Returns the classes for copies of a pattern, or null when the shared loops are better. */
  GeneratedClasses classes(Pattern pattern, long stride) {
    ElementProgram program = ElementProgram.of(pattern, stride);
    if (program == null) {
      return null;
    }
    forget();
    while (true) {
      Entry entry = classes.get(program);
      GeneratedClasses found = entry == null ? null : entry.get();
      if (found != null) {
        return found;
      }
      GeneratedClasses fresh = new GeneratedClasses(this, program);
      Entry mine = new Entry(program, fresh, gone);
      if (entry == null ? classes.putIfAbsent(program, mine) == null : classes.replace(program, entry, mine)) {
        return fresh;
      }
    }
  }

  private void forget() {
    for (Object entry = gone.poll(); entry != null; entry = gone.poll()) {
      classes.remove(((Entry) entry).program, entry);
    }
  }

  // ---- for the holders

  /** Returns the count at which a class is requested. */
  long hot() {
    return mode == Generate.SYNC ? 0 : GeneratedCopiers.HOT;
  }

  /** Runs a request or queues it; returns false when the queue is full. */
  boolean submit(Runnable request) {
    if (mode == Generate.SYNC) {
      request.run();
      return true;
    }
    return worker.submit(request);
  }

  /** Makes an object of a new class; null when that fails. */
  ElementCopier define(ElementProgram program, int kind) {
    try {
      byte[] bytes = GeneratedClass.write(program, kind);
      MethodHandles.Lookup type = MethodHandles.lookup().defineHiddenClass(bytes, true);
      ElementCopier copier = (ElementCopier) type
          .findConstructor(type.lookupClass(), MethodType.methodType(void.class))
          .invoke();
      defined.incrementAndGet();
      return copier;
    } catch (Throwable e) {
      fail(program, e);
      return null;
    }
  }

  /** Warms up a new class before its first use; returns false when that failed. */
  boolean warmUp(ElementCopier copier, ElementProgram program, int kind, Direction operation) {
    if (mode != Generate.BACKGROUND) {
      return true;
    }
    try {
      boolean good = GeneratedWarmUp.run(copier, program, kind, operation);
      if (!good) {
        compiledBadly.incrementAndGet();
      }
      return good;
    } catch (Throwable e) {
      fail(program, e);
      return false;
    }
  }

  private void fail(ElementProgram program, Throwable e) {
    failed.incrementAndGet();
    System.getLogger("org.ffmpi.datatype").log(System.Logger.Level.DEBUG, "no class for " + program, e);
  }

  // ---- for tests

  /** Returns how many classes were made. */
  long defined() {
    return defined.get();
  }

  /** Returns how many times a class was rejected for an operation, since the JVM compiled it badly. */
  long compiledBadly() {
    return compiledBadly.get();
  }

  /** Returns how many classes could not be made. */
  long failed() {
    return failed.get();
  }

  /** Returns how many programs are in use. */
  int remembered() {
    forget();
    return classes.size();
  }

  /** Returns whether the background thread runs. */
  boolean running() {
    return worker.running();
  }
}
