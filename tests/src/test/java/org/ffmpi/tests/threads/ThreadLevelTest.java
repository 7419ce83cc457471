// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.ThreadLevel;
import org.ffmpi.base.Constants;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.Threads;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The threads that may call, and the level that a program finds (MPI-4.1 §11.6). */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ThreadLevelTest {
  @Test
  @DisplayName("S1-12.4: SINGLE < FUNNELED < SERIALIZED < MULTIPLE")
  void theLevelsAreOrdered() {
    ThreadLevel[] levels = ThreadLevel.values();
    int[] codes = {
      Constants.THREAD_SINGLE, Constants.THREAD_FUNNELED, Constants.THREAD_SERIALIZED, Constants.THREAD_MULTIPLE
    };
    assertEquals(codes.length, levels.length);
    for (int i = 0; i < codes.length; i++) {
      assertEquals(codes[i], levels[i].code());
      assertTrue(i == 0 || levels[i].compareTo(levels[i - 1]) > 0 && codes[i] > codes[i - 1]);
    }
  }

  @ParameterizedTest
  @EnumSource(ThreadLevel.class)
  @DisplayName("S1-12.4: what is asked for is provided, and programs that keep to it run")
  void everyLevel(ThreadLevel level) {
    AtomicInteger ranks = new AtomicInteger();
    Map<String, String> settings = Map.of("ffmpi.thread.level", level.name().toLowerCase(Locale.ROOT));
    Mpi.runThreads(2, settings, mpi -> {
      assertEquals(level, mpi.threadLevel());
      assertTrue(mpi.isThreadMain());
      boolean others = level.compareTo(ThreadLevel.SERIALIZED) >= 0;
      int threads = level == ThreadLevel.MULTIPLE ? 8 : 1;
      Runnable calls = () -> exchange(mpi.world(), 0);
      calls.run();
      if (others) {
        try {
          // one after the other, or all at once
          Threads.run(Thread.ofPlatform().daemon(), threads, thread -> exchange(mpi.world(), thread));
          Threads.run(Thread.ofVirtual(), threads, thread -> exchange(mpi.world(), thread));
        } catch (Throwable e) {
          throw new AssertionError(e);
        }
      }
      calls.run();
      ranks.incrementAndGet();
    });
    assertEquals(2, ranks.get());
  }

  private static void exchange(Comm world, int tag) {
    int other = 1 - world.rank();
    for (int length : new int[] {1, 100, 5_000, 50_000}) {
      byte[] data = new byte[length];
      world.sendrecv(Buf.of(Data.bytes(length + tag, length)), other, tag, Buf.of(data), other, tag);
      Data.check(data, 0, length + tag, length);
    }
  }

  @MpiTest(ranks = 2, settings = "ffmpi.thread.level=funneled")
  @DisplayName("S1-12.4: a program that breaks its promise is served all the same: no level switches anything off")
  void otherThreadsThanPromised(Mpi mpi) throws Throwable {
    assertEquals(ThreadLevel.FUNNELED, mpi.threadLevel());
    Threads.run(Thread.ofPlatform().daemon(), 4, thread -> exchange(mpi.world(), thread));
    mpi.world().barrier();
  }

  @MpiTest(ranks = 2)
  @DisplayName("S1-12.4: only the thread that initialized is the main one")
  void theMainThread(Mpi mpi) throws Throwable {
    assertTrue(mpi.isThreadMain());
    Threads.run(Thread.ofPlatform().daemon(), 2, thread -> assertFalse(mpi.isThreadMain()));
    Threads.run(Thread.ofVirtual(), 2, thread -> assertFalse(mpi.isThreadMain()));
  }
}
