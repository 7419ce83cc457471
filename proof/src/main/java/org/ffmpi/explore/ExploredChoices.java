// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.ffmpi.spi.Choices;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitNote;

/** The choices in calls on lists of requests. Called by the rank's own thread. */
final class ExploredChoices implements Choices {
  private final ExploreEngine engine;
  private final ExploredRank rank;

  ExploredChoices(ExploreEngine engine, ExploredRank rank) {
    this.engine = engine;
    this.rank = rank;
  }

  @Override
  public int any(Operation[] operations, int length, boolean wait) {
    List<Integer> chosen = choose(ChoicePoint.Kind.ANY, operations, length, wait);
    return chosen.isEmpty() ? -1 : chosen.getFirst();
  }

  @Override
  public void some(Operation[] operations, int length, boolean wait) {
    List<Integer> chosen = choose(ChoicePoint.Kind.SOME, operations, length, wait);
    for (int i = 0; i < length; i++) {
      operations[i] = chosen.contains(i) ? operations[i] : null;
    }
  }

  private List<Integer> choose(ChoicePoint.Kind kind, Operation[] operations, int length, boolean wait) {
    String call = wait ? "wait" : "test";
    Operation[] all = Arrays.copyOf(operations, length);
    rank.record(call, length, -1, 0, -1);
    ChoicePoint point = engine.point(kind, !wait, all);
    List<Integer> chosen = point.namedIn(engine.choose(point, note -> note.kind(WaitNote.Kind.ANY), call));
    chosen.forEach(i -> rank.complete(all[i]));
    return chosen;
  }

  @Override
  public boolean all(Operation[] operations, int length) {
    return engine.test(Arrays.copyOf(operations, length), "test");
  }

  @Override
  public boolean look(BooleanSupplier isThere) {
    return engine.test(new Operation[] {new LookedFor(isThere)}, "look");
  }
}
