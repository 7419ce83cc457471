// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.ffmpi.process.World;

/**
 * The memory of windows that this rank has closed and not all others, since one has died. Those that live may not know
 * it yet, and access the memory: it is not used again. A companion of the world; any thread.
 */
final class KeptMemory {
  private final Collection<WindowMemory> kept = new ConcurrentLinkedQueue<>();

  private KeptMemory() {}

  static void keep(World world, WindowMemory memory) {
    world.companion(KeptMemory.class, new KeptMemory()).kept.add(memory);
  }
}
