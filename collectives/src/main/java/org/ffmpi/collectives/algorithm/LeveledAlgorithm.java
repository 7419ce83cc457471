// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.RanksByNode;
import org.ffmpi.spi.Collective;

/**
 * An algorithm in levels, for ranks on several nodes: within each node first, then between nodes by one leader each, or
 * by several, then within the nodes again. What goes from one node to another goes once.
 *
 * <p>Operands that must stay in the order of ranks do so where each node has consecutive ranks.
 */
abstract class LeveledAlgorithm extends Algorithm {
  static final String NAME = "leveled";

  /** From this length on a part of a vector is worth a leader of its own. */
  private static final long PART = 8 << 10;

  LeveledAlgorithm(Collective collective) {
    super(NAME, collective, "within nodes, and between them by leaders");
  }

  @Override
  public boolean accepts(CallShape shape) {
    return shape.nodes() != null && (!shape.ordered() || shape.nodes().isInOrder());
  }

  /** Returns how many ranks of each node exchange parts of a vector of a length with the other nodes. */
  static int leaders(CallShape shape, long bytes) {
    return Math.clamp(bytes / PART, 1, shape.nodes().fewest());
  }

  /** Returns how many ranks of each node exchange something with other nodes. */
  int leaders(CallShape shape) {
    return 1;
  }

  /** Returns the names of the algorithms within nodes, for people. */
  abstract String within(CallShape shape);

  /** Returns the name of the algorithm between nodes, for people. */
  abstract String between(CallShape shape);

  @Override
  public final String levels(CallShape shape) {
    RanksByNode nodes = shape.nodes();
    int leaders = leaders(shape);
    String sizes = nodes.fewest() == nodes.most() ? "" : nodes.fewest() + " to ";
    return nodes.nodes() + " nodes of " + sizes + nodes.most() + " ranks: " + within(shape) + " within, "
        + between(shape) + " between " + (leaders == 1 ? "one leader" : leaders + " leaders") + " of each";
  }
}
