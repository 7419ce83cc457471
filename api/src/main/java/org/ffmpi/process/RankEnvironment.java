// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import java.util.function.Function;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;

/**
 * The world model of the calling thread, which is that of its rank if it is a rank thread, otherwise that of this
 * process. Any thread may call at any time.
 */
public final class RankEnvironment {
  /** The world model of this process, as opposed to those of rank threads; null before init. */
  private static volatile World ofProcess;

  private static boolean starting;

  private static final ThreadLocal<World> OF_RANK_THREAD = new ThreadLocal<>();

  /** The world that a thread will begin by its first call of init. */
  private static final ThreadLocal<World> PREPARED = new ThreadLocal<>();

  private RankEnvironment() {}

  /** Makes the next init of the calling thread begin a world that is there already; null ends that. */
  public static void prepare(World world) {
    if (world == null) {
      PREPARED.remove();
    } else {
      PREPARED.set(world);
    }
  }

  /**
   * Begins the world model of this process.
   *
   * @param model completes it
   * @throws MpiException ERR_OTHER when it has begun before
   */
  public static <M> M join(Settings settings, Function<World, M> model) {
    World prepared = PREPARED.get();
    if (prepared != null) {
      PREPARED.remove();
      OF_RANK_THREAD.set(prepared);
      return model.apply(prepared);
    }
    synchronized (RankEnvironment.class) {
      if (starting || ofProcess != null) {
        throw new MpiException(ErrorClass.ERR_OTHER, "MPI has been initialized before: once in a process is allowed");
      }
      starting = true;
    }
    try {
      World world = new World(Membership.ofProcess(settings), settings, false);
      M complete = model.apply(world);
      ofProcess = world;
      return complete;
    } finally {
      synchronized (RankEnvironment.class) {
        starting = false;
      }
    }
  }

  /** Makes the calling thread a rank of a world; null ends that. */
  public static void setOfThread(World world) {
    if (world == null) {
      OF_RANK_THREAD.remove();
    } else {
      OF_RANK_THREAD.set(world);
    }
  }

  /** Returns the world model of this rank thread, or of this process; null before init. */
  public static World current() {
    World ofThread = OF_RANK_THREAD.get();
    return ofThread != null ? ofThread : ofProcess;
  }

  /** Returns the membership of the rank that is the calling thread, or that it will be; null in all other threads. */
  public static Membership ofRankThread() {
    World ofThread = OF_RANK_THREAD.get();
    World world = ofThread != null ? ofThread : PREPARED.get();
    return world == null ? null : world.membership();
  }

  /** Returns the membership of the rank that is the calling thread, otherwise that of this process, which may join. */
  public static Membership membership() {
    World ofThread = OF_RANK_THREAD.get();
    return ofThread != null ? ofThread.membership() : Membership.ofProcess(Settings.ofProcess());
  }

  /** Returns the settings of the calling thread's environment, or of this process when there is none yet. */
  public static Settings settings() {
    World world = current();
    return world == null ? Settings.ofProcess() : world.settings();
  }
}
