// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.ffmpi.base.Settings;
import org.ffmpi.collectives.algorithm.Algorithm;
import org.ffmpi.collectives.algorithm.Algorithms;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.Operation;

/**
 * Some simulated ranks with a communicator over all of them, and a driver that runs what they start in random order.
 */
public final class SimWorld {
  public final SimNetwork network;
  public final Channel[] channels;
  public final BoundCalls collectives = new BoundCalls();
  private final Random random;

  SimWorld(int size, Random random) {
    this(size, random, randomSettings(random));
  }

  SimWorld(int size, Random random, Map<String, String> settings) {
    this.random = random;
    this.network = new SimNetwork(size, Settings.of(settings), new double[] {0, 0.5, 1}[random.nextInt(3)], random);
    this.channels = new Channel[size];
    for (int rank = 0; rank < size; rank++) {
      channels[rank] = new Channel(network.engine(rank), 0);
    }
  }

  /** Picks any algorithm for every operation, and short pieces. */
  static Map<String, String> randomSettings(Random random) {
    Map<String, String> settings = new HashMap<>();
    for (Collective collective : Collective.values()) {
      List<Algorithm> all = Algorithms.of(collective);
      settings.put("ffmpi.coll." + collective.label(), all.get(random.nextInt(all.size())).name());
    }
    settings.put("ffmpi.coll.segment", Integer.toString(1 << random.nextInt(14)));
    return settings;
  }

  /** Runs operations that have been registered until all are complete; nothing may be left over then. */
  public void finish(List<Operation> operations) {
    List<Operation> open = new ArrayList<>(operations);
    open.removeIf(Operation::isDone);
    while (!open.isEmpty()) {
      boolean moved;
      if (random.nextInt(4) > 0) {
        moved = network.step();
      } else {
        moved = network.engine(random.nextInt(channels.length)).advanceRegistered();
      }
      if (!moved && !anythingMoves()) {
        throw new AssertionError("nothing can happen, " + open.size() + " operations are open");
      }
      open.removeIf(Operation::isDone);
    }
    for (Operation operation : operations) {
      if (operation.error() != null) {
        throw operation.error();
      }
    }
    if (network.leftOver() != 0) {
      throw new AssertionError(network.leftOver() + " messages or receives are left over");
    }
  }

  private boolean anythingMoves() {
    boolean moved = network.step();
    for (int rank = 0; rank < channels.length && !moved; rank++) {
      moved = network.engine(rank).advanceRegistered();
    }
    return moved;
  }
}
