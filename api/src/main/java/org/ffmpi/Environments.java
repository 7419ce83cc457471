// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.function.Function;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.ErrorCodes;
import org.ffmpi.process.World;

/** The worlds behind {@link Mpi} and {@link Session}, for the calls that both have. */
final class Environments {
  private Environments() {}

  static World worldOf(TypeCalls environment) {
    return switch (environment) {
      case Mpi mpi -> mpi.rankWorld();
      case Session session -> session.world();
    };
  }

  /** Makes a call on the errors that the process has added. */
  static <T> T errors(ErrorCalls environment, Function<ErrorCodes, T> call) {
    World world = switch (environment) {
      case Mpi mpi -> mpi.rankWorld();
      case Session session -> session.world();
    };
    world.checkOpen();
    try {
      return call.apply(world.errorCodes());
    } catch (MpiException e) {
      throw world.raise(e);
    }
  }
}
