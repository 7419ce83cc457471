// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.select;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.spi.Collective;

/**
 * The report of which algorithms a communicator's calls get, and why ({@code ffmpi.collectives=explain}). It prints a
 * sentence for each schedule that is made, and the same one only once. Any thread.
 */
final class Explanation {
  /** A program that calls with ever new lengths gets no more sentences than these. */
  private static final int MOST = 1000;

  private final Selector selector;
  private final Set<String> printed = ConcurrentHashMap.newKeySet();

  Explanation(Selector selector) {
    this.selector = selector;
  }

  /** Prints the sentence about a call to standard error, unless it has been printed before. */
  void print(CallShape shape) {
    String sentence = of(selector, shape);
    if (printed.size() < MOST && printed.add(sentence)) {
      System.err.println("ffmpi: " + sentence);
    }
  }

  /** Returns the sentence about a call. */
  static String of(Selector selector, CallShape shape) {
    StringBuilder text = new StringBuilder();
    text.append(shape.collective());
    if (shape.collective().isOfBlocks()) {
      text.append(" of blocks");
    } else if (shape.collective() != Collective.BARRIER) {
      text.append(" of ").append(shape.bytes()).append(" bytes");
    }
    if (shape.ordered()) {
      text.append(" by an operation that does not commute");
    }
    if (shape.isBetweenGroups()) {
      return text.append(" between ").append(ranks(shape.size())).append(" and ").append(shape.remote())
          .append(": the algorithm for two groups").toString();
    }
    Rule rule = selector.rule(shape);
    text.append(" on ").append(ranks(shape.size())).append(": ").append(rule.algorithm().name());
    if (!rule.algorithm().merit().isEmpty()) {
      text.append(", ").append(rule.algorithm().merit());
    }
    String levels = rule.algorithm().levels(shape);
    text.append(levels.isEmpty() ? "" : "; " + levels).append("; says ").append(source(rule));
    for (Rule other : selector.rules(shape.collective())) {
      if (other == rule) {
        break;
      }
      if (other.setting() != null && other.covers(shape.size(), shape.bytes())) {
        text.append("; ").append(other.algorithm().name()).append(" from ").append(source(other))
            .append(" cannot serve this call");
      }
    }
    return text.append(shape.shared() || shape.size() == 1 ? "" : "; without a region").toString();
  }

  private static String source(Rule rule) {
    return rule.setting() == null
        ? "the table's line for " + rule.ranks() + " ranks and " + rule.bytes() + " bytes"
        : rule.setting() + " for " + rule.bytes() + " bytes";
  }

  private static String ranks(int number) {
    return number == 1 ? "1 rank" : number + " ranks";
  }
}
