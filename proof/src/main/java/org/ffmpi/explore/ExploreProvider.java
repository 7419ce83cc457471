// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.base.hook.Lifetimes;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.EngineProvider;
import org.ffmpi.spi.RunSettings;

/**
 * Makes worlds whose orders are explored, for the setting {@code ffmpi.engine=explore}. The ranks of such a world are
 * threads. Any thread may call.
 */
public final class ExploreProvider implements EngineProvider {
  /** The name of the engine. */
  public static final String NAME = "explore";

  private static final int LAST = -100;

  /** Creates the provider; {@link java.util.ServiceLoader} does. */
  public ExploreProvider() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int priority() {
    return LAST;
  }

  @Override
  public Engine join(Settings settings) {
    throw new MpiException(
        ErrorClass.ERR_UNSUPPORTED_OPERATION, "the engine explore runs ranks that are threads, not processes");
  }

  @Override
  public List<Engine> threads(int ranks, Settings settings) {
    if (!RunSettings.ENGINE.get(settings).equals(NAME)) {
      throw new MpiException(ErrorClass.ERR_UNSUPPORTED_OPERATION,
          "the engine explore is for tests: it is used where " + RunSettings.ENGINE.name() + "=" + NAME);
    }
    boolean explored = Run.CURRENT.isBound();
    Run run = explored ? Run.CURRENT.get() : new Run(RunPlan.plain(), new MessageMemory());
    Scheduler scheduler = run.begin(ranks);
    ExploreEngine[] engines = new ExploreEngine[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      Lifetimes lifetimes = explored ? run.lifetimes(rank) : null;
      engines[rank] = new ExploreEngine(scheduler, rank, engines, settings, lifetimes);
    }
    return List.of(engines);
  }
}
