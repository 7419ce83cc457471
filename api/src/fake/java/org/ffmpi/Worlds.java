// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.fake.FakeEngine;
import org.ffmpi.process.Membership;
import org.ffmpi.process.World;
import org.junit.jupiter.api.function.Executable;

/** One rank's environment over a fake engine, and assertions about errors. */
public final class Worlds {
  final FakeEngine engine;
  final Mpi mpi;
  final IntraComm world;
  final List<Throwable> told = new ArrayList<>();

  private Worlds(int rank, int size, Map<String, String> explicit) {
    Settings settings = Settings.of(explicit);
    engine = new FakeEngine(rank, size, settings, new AtomicReference<>());
    mpi = new Mpi(
        new World(Membership.ofThread(engine, Worlds.class.getClassLoader(), told::add), settings, false));
    world = mpi.world();
  }

  /** Rank {@code rank} of {@code size}, whose errors are only thrown. */
  public static Worlds returning(int rank, int size) {
    return new Worlds(rank, size, Map.of("ffmpi.errors", "return", "ffmpi.requests.grace", "1000"));
  }

  public static Worlds with(Map<String, String> settings) {
    return new Worlds(1, 4, settings);
  }

  /** Runs a call that has to fail, and checks the error's class and that its text holds all the parts. */
  public static MpiException assertError(ErrorClass expected, Executable call, String... parts) {
    MpiException error = assertThrows(MpiException.class, call);
    assertEquals(expected, error.errorClass(), error.getMessage());
    for (String part : parts) {
      assertTrue(error.getMessage().contains(part), () -> "\"" + part + "\" is not in: " + error.getMessage());
    }
    return error;
  }
}
