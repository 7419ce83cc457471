// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.connect;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.Providers;
import org.ffmpi.process.World;
import org.ffmpi.spi.Meetings;
import org.ffmpi.spi.SpawnHelper;

/**
 * Finds the starter of a spawn's processes. That is this JVM where ranks are threads, the launcher of this process, or
 * one that is started for them.
 */
public final class Starters {
  private static final long ANSWER_SECONDS = 30;

  private Starters() {}

  /** Returns the one for a rank. */
  public static Starter of(World world) {
    Meetings meetings = world.engine().meetings();
    if (meetings.inThreads()) {
      return new ThreadStarter(world);
    }
    try (Port port = Port.open(world.settings())) {
      Process helper = null;
      if (!meetings.callLauncher(Port.numberOf(port.name()))) {
        Map<String, String> settings = world.settings().toPassOn();
        helper = Providers.family(SpawnHelper.class, "org.ffmpi").start(port.name(), settings);
      }
      return new LinkStarter(answer(world, port, helper), world.engine()::progress);
    }
  }

  private static Link answer(World world, Port port, Process helper) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS);
    for (int naps = 0; !Link.isOver(deadline); naps++) {
      Link link = port.accept();
      if (link != null) {
        return link;
      }
      if (helper != null && !helper.isAlive()) {
        throw new MpiException(
            ErrorClass.ERR_SPAWN, "the launcher of the new processes has ended with exit code " + helper.exitValue());
      }
      world.engine().progress();
      Link.rest(naps);
    }
    throw new MpiException(
        ErrorClass.ERR_SPAWN, "the launcher has not answered within " + ANSWER_SECONDS + " s");
  }
}
