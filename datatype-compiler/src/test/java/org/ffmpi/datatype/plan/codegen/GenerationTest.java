// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.kernel.BackgroundWork;
import org.ffmpi.datatype.plan.kernel.PlanSettings.Generate;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.ffmpi.datatype.plan.pattern.Lowering;
import org.ffmpi.datatype.plan.pattern.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The generation of classes: time, thread and life. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class GenerationTest {
  private static final long MUCH = 2 * GeneratedCopiers.HOT;

  private static Pattern pattern(long... lengths) {
    List<ByteShape> runs = new ArrayList<>();
    for (int i = 0; i < lengths.length; i++) {
      runs.add(new ByteShape.Run(16L * i, lengths[i]));
    }
    return Lowering.lower(new ByteShape.Sequence(runs)).pattern();
  }

  private static GeneratedCopiers copiers(Generation generation, long stride, long... lengths) {
    return generation.copiers(pattern(lengths), stride, _ -> { });
  }

  /**
   * Waits. A condition that requests a class counts many bytes: a class that the JVM compiled badly at each attempt,
   * which depends on earlier code and on the load, is made again only then.
   */
  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      Thread.sleep(1);
    }
  }

  @Test
  void offMakesNothing() {
    assertNull(copiers(new Generation(Generate.OFF, new BackgroundWork(1)), 64, 4, 8));
  }

  @Test
  void syncMakesAClassAtTheFirstUse() {
    Generation generation = new Generation(Generate.SYNC, new BackgroundWork(1));
    GeneratedCopiers copiers = copiers(generation, 64, 4, 8);
    assertEquals(0, generation.defined());
    ElementCopier packer = copiers.forPack(Memory.NATIVE, 0, 12);
    assertNotNull(packer);
    assertSame(packer, copiers.forPack(Memory.NATIVE, 0, 12));
    assertSame(packer, copiers.forUnpack(Memory.NATIVE, 0, 12));
    assertSame(packer, copiers.forCopy(Memory.NATIVE, 0, 12));
    assertEquals(1, generation.defined());
    assertNotSame(packer.getClass(), copiers.forPack(Memory.BYTES, 0, 12).getClass());
    assertEquals(2, generation.defined());
    assertFalse(generation.running());
  }

  @Test
  void equalProgramsShareTheirClasses() {
    Generation generation = new Generation(Generate.SYNC, new BackgroundWork(1));
    ElementCopier packer = copiers(generation, 64, 4, 8).forPack(Memory.NATIVE, 0, 12);
    assertSame(packer, copiers(generation, 64, 4, 8).forPack(Memory.NATIVE, 0, 12));
    assertNotSame(packer, copiers(generation, 72, 4, 8).forPack(Memory.NATIVE, 0, 12));
    assertNotSame(packer, copiers(generation, 64, 4, 7).forPack(Memory.NATIVE, 0, 11));
    assertEquals(3, generation.defined());
  }

  @Test
  void whatTheSharedLoopsAreMadeForStaysWithThem() {
    Generation generation = new Generation(Generate.SYNC, new BackgroundWork(1));
    assertNull(copiers(generation, 64, 24).forPack(Memory.NATIVE, 0, 24));
    assertEquals(0, generation.defined() + generation.failed() + generation.remembered());
  }

  @Test
  void arraysOfComponentsNeedAlignedOrigins() {
    GeneratedCopiers copiers = copiers(new Generation(Generate.SYNC, new BackgroundWork(1)), 64, 8, 8);
    assertNotNull(copiers.forPack(Memory.DOUBLES, 24, 16));
    assertNull(copiers.forPack(Memory.DOUBLES, 20, 16));
    assertNotNull(copiers.forPack(Memory.BYTES, 3, 16));
    GeneratedCopiers uneven = copiers(new Generation(Generate.SYNC, new BackgroundWork(1)), 64, 8, 7);
    assertNotNull(uneven.forPack(Memory.DOUBLES, 20, 15));
  }

  @Test
  void memoryWithoutTypedLoopsIsNotServed() {
    GeneratedCopiers copiers = copiers(new Generation(Generate.SYNC, new BackgroundWork(1)), 64, 4, 8);
    for (int kind : new int[] {Memory.CONFINED, Memory.SESSION, Memory.BOOLEANS}) {
      assertNull(copiers.forPack(kind, 0, 12));
      assertNull(copiers.forUnpack(kind, 0, 12));
      assertNull(copiers.forCopy(kind, 0, 12));
    }
  }

  @Test
  void backgroundMakesAClassOnceMuchWasMoved() throws InterruptedException {
    Generation generation = new Generation(Generate.BACKGROUND, new BackgroundWork(20));
    GeneratedCopiers copiers = copiers(generation, 64, 4, 8);
    assertNull(copiers.forPack(Memory.NATIVE, 0, 12));
    assertFalse(generation.running(), "a request for a type that is hardly used");
    copiers.forPack(Memory.NATIVE, 0, MUCH); // asks for the class
    await(() -> copiers.forPack(Memory.NATIVE, 0, MUCH) != null);
    assertNull(copiers.forUnpack(Memory.NATIVE, 0, 12), "an operation that is hardly used");
    copiers.forUnpack(Memory.NATIVE, 0, MUCH); // asks for the class
    await(() -> copiers.forUnpack(Memory.NATIVE, 0, MUCH) != null);
    // One class packs and unpacks. Another is made only where the JVM has compiled the last one badly.
    assertEquals(1 + generation.compiledBadly(), generation.defined());
    assertTrue(generation.compiledBadly() > 0
        || copiers.forPack(Memory.NATIVE, 0, 0) == copiers.forUnpack(Memory.NATIVE, 0, 0));
    await(() -> !generation.running());
    copiers.forCopy(Memory.DOUBLES, 0, MUCH); // asks for the class
    await(() -> copiers.forCopy(Memory.DOUBLES, 0, MUCH) != null);
    assertEquals(0, generation.failed());
  }

  @Test
  void itsThreadIsADaemonWithoutTiesToWhoStartedIt() throws InterruptedException {
    Generation generation = new Generation(Generate.BACKGROUND, new BackgroundWork(20));
    Thread[] worker = new Thread[1];
    CountDownLatch ran = new CountDownLatch(1);
    assertTrue(generation.submit(() -> {
      worker[0] = Thread.currentThread();
      ran.countDown();
    }));
    ran.await();
    assertTrue(worker[0].isDaemon());
    assertEquals("ffmpi-generate", worker[0].getName());
    worker[0].join();
  }

  @Test
  void aFullQueueRefusesAndIsAskedAgainLater() throws InterruptedException {
    Generation generation = new Generation(Generate.BACKGROUND, new BackgroundWork(20));
    CountDownLatch release = new CountDownLatch(1);
    GeneratedCopiers copiers = copiers(generation, 64, 4, 8);
    while (generation.submit(() -> awaitQuietly(release))) {
      // One more request in the queue.
    }
    assertNull(copiers.forPack(Memory.NATIVE, 0, MUCH));
    release.countDown();
    await(() -> !generation.running());
    assertEquals(0, generation.defined());
    await(() -> copiers.forPack(Memory.NATIVE, 0, MUCH) != null);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void failureIsKeptQuiet() {
    Generation generation = new Generation(Generate.SYNC, new BackgroundWork(1));
    assertNull(generation.define(ElementProgram.of(pattern(4, 8), 64), Memory.BOOLEANS));
    assertEquals(1, generation.failed());
    assertEquals(0, generation.defined());
  }

  /** Elements that are too far apart for scratch memory are not warmed up; they are made all the same. */
  @Test
  void hugeElementsAreServedToo() throws InterruptedException {
    Generation generation = new Generation(Generate.BACKGROUND, new BackgroundWork(20));
    ByteShape shape = new ByteShape.Sequence(List.of(new ByteShape.Run(0, 4), new ByteShape.Run(1L << 40, 8)));
    GeneratedCopiers copiers = generation.copiers(Lowering.lower(shape).pattern(), 1L << 41, _ -> { });
    copiers.forPack(Memory.NATIVE, 0, MUCH); // asks for the class
    await(() -> copiers.forPack(Memory.NATIVE, 0, MUCH) != null);
    assertNull(copiers.forPack(Memory.BYTES, 0, MUCH));
    await(() -> !generation.running());
    assertNull(copiers.forPack(Memory.BYTES, 0, MUCH), "no array is so long");
    assertEquals(0, generation.failed());
  }

  private static WeakReference<Class<?>> used(Generation generation) throws InterruptedException {
    GeneratedCopiers copiers = copiers(generation, 64, 4, 8);
    copiers.forPack(Memory.BYTES, 0, MUCH); // asks for the class
    await(() -> copiers.forPack(Memory.BYTES, 0, MUCH) != null);
    assertEquals(1, generation.remembered());
    return new WeakReference<>(copiers.forPack(Memory.BYTES, 0, 0).getClass());
  }

  @Test
  void classesGoWithTheLastPlan() throws InterruptedException {
    Generation generation = new Generation(Generate.BACKGROUND, new BackgroundWork(20));
    WeakReference<Class<?>> type = used(generation);
    await(() -> {
      System.gc();
      return type.refersTo(null);
    });
    await(() -> {
      System.gc();
      return generation.remembered() == 0;
    });
  }
}
