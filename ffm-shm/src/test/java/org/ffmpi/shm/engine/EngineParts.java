// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import org.ffmpi.shm.protocol.Endpoint;
import org.ffmpi.shm.protocol.RankTraffic;
import org.ffmpi.spi.Engine;

/** The parts of an engine, for tests in other rooms. */
public final class EngineParts {
  private EngineParts() {}

  /** Returns the engine's end of the segment. */
  public static Endpoint endpoint(Engine engine) {
    return ((ShmEngine) engine).endpoint;
  }

  /** Returns the engine's messages. */
  public static RankTraffic traffic(Engine engine) {
    return ((ShmEngine) engine).traffic;
  }
}
