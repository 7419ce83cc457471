// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.fake;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.ffmpi.base.Settings;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.EngineProvider;

/** Makes fake engines and records those of the latest world of threads. */
public final class FakeProvider implements EngineProvider {
  /** How often the service loader has made a provider. */
  public static final AtomicInteger CREATED = new AtomicInteger();

  /** Engines of the latest world of threads. */
  public static final List<FakeEngine> LATEST = new CopyOnWriteArrayList<>();

  /** Creates the provider, for the service loader. */
  public FakeProvider() {
    CREATED.incrementAndGet();
  }

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public Engine join(Settings settings) {
    return new FakeEngine(0, 1, settings, new AtomicReference<>());
  }

  @Override
  public List<Engine> threads(int ranks, Settings settings) {
    AtomicReference<String> ended = new AtomicReference<>();
    List<FakeEngine> engines =
        IntStream.range(0, ranks).mapToObj(rank -> new FakeEngine(rank, ranks, settings, ended)).toList();
    LATEST.clear();
    LATEST.addAll(engines);
    return List.copyOf(engines);
  }
}
