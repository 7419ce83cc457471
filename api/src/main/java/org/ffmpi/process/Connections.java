// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Meetings;

/**
 * The meetings that a world takes part in, each with an engine of its own. A meeting is left when its last communicator
 * is disconnected, or at the end of the world: processes stay connected by a communicator that was only freed
 * (MPI-4.1 §11.10.4). Any thread.
 */
public final class Connections {
  private static final class Use {
    int open;
    boolean isFreed;
  }

  private final Meetings meetings;
  private final Map<Engine, Use> uses = new HashMap<>();

  private Connections(World world) {
    this.meetings = world.engine().meetings();
  }

  /** Returns the meetings of a world, none at first. */
  public static Connections of(World world) {
    Connections known = world.companion(Connections.class);
    return known != null ? known : world.companion(Connections.class, new Connections(world));
  }

  /** Counts a communicator that has been made. */
  public synchronized void opened(Engine engine) {
    uses.computeIfAbsent(engine, key -> new Use()).open++;
  }

  /** Returns whether the end of one more communicator disconnects the processes of a meeting. */
  public synchronized boolean isLast(Engine engine) {
    Use use = uses.get(engine);
    return use != null && use.open == 1 && !use.isFreed;
  }

  /** Counts a communicator that has been freed: its processes stay connected. */
  public synchronized void freed(Engine engine) {
    Use use = uses.get(engine);
    if (use != null) {
      use.open--;
      use.isFreed = true;
    }
  }

  /** Counts a communicator that has been disconnected, and leaves the meeting after its last one. */
  public void disconnected(Engine engine) {
    synchronized (this) {
      Use use = uses.get(engine);
      if (use == null || --use.open > 0 || use.isFreed) {
        return;
      }
      uses.remove(engine);
    }
    meetings.leave(engine, false);
  }

  /** Returns whether a job has ended that the world is connected with, so that its own ends. */
  static boolean haveEnded(World world) {
    Connections known = world.companion(Connections.class);
    return known != null && known.meetings.haveEnded();
  }

  /** Leaves all meetings of a world that ends. */
  static void leaveAll(World world) {
    Connections known = world.companion(Connections.class);
    if (known != null) {
      known.leaveAll(world.hasFailed() || world.hasEnded());
    }
  }

  private void leaveAll(boolean failed) {
    List<Engine> left;
    synchronized (this) {
      left = new ArrayList<>(uses.keySet());
      uses.clear();
    }
    for (Engine engine : left) {
      try {
        boolean sent = failed || LastWait.await(engine, engine::flush);
        meetings.leave(engine, !sent || failed);
      } catch (MpiException e) {
        meetings.leave(engine, true);
      }
    }
  }
}
