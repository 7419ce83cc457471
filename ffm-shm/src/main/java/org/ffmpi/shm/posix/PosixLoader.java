// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.posix;

import java.util.ArrayList;
import java.util.List;

/**
 * Links {@link Posix} once per JVM in a background thread, because the first downcall of a JVM costs tens of
 * milliseconds. Until then callers do without it.
 */
public final class PosixLoader {
  private static volatile boolean ready;
  private static boolean started;
  private static final List<Runnable> PENDING = new ArrayList<>();

  private PosixLoader() {}

  /**
   * Returns whether {@link Posix} may be used without delay.
   *
   * @return true when linked
   */
  public static boolean isReady() {
    return ready;
  }

  /**
   * Runs an action once {@link Posix} is linked: at once if it is, else in the loader's thread. The first call starts
   * linking.
   *
   * @param then the action
   */
  public static void whenReady(Runnable then) {
    synchronized (PENDING) {
      if (!ready) {
        PENDING.add(then);
        if (!started) {
          started = true;
          Thread.ofPlatform().daemon().name("ffmpi-link").start(PosixLoader::load);
        }
        return;
      }
    }
    then.run();
  }

  private static void load() {
    Posix.linkAll();
    List<Runnable> waiting;
    synchronized (PENDING) {
      ready = true;
      waiting = List.copyOf(PENDING);
      PENDING.clear();
    }
    waiting.forEach(Runnable::run);
  }
}
