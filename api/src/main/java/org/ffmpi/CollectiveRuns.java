// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.function.Supplier;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Operation;

/**
 * How the collective calls of {@link Comm} are made: at once, in the background, or again and again. What one rank can
 * check of a call, its {@link Collective} does.
 */
abstract sealed class CollectiveRuns extends PartitionedMessages permits GatherCalls {
  CollectiveRuns(World world, Channel channel) {
    super(world, channel);
  }

  /** Checks a collective call and drives it to its end in this thread. */
  final void run(Collective call) {
    if (call.isCounted()) {
      start(call).await(); // which holds the memory
      return;
    }
    check(call);
    Operation operation;
    try {
      operation = call.begin(world.collectives(), channel);
      world.collectives().run(channel, operation);
    } catch (RuntimeException e) {
      throw failed(e);
    }
    if (operation.error() != null) {
      throw raise(operation.error());
    }
  }

  /** Checks a collective call and hands it to the engine's progress. */
  final Request start(Collective call) {
    check(call);
    try {
      return new Request(this, Request.Kind.COLLECTIVE, call.isCounted()
          ? HeldOperation.start(world, () -> register(call), call.used(channel))
          : register(call));
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  private Operation register(Collective call) {
    Operation operation = call.begin(world.collectives(), channel);
    world.collectives().register(channel, operation);
    return operation;
  }

  /**
   * Checks a collective call and plans it, to be started again and again.
   *
   * @param info hints, of which there are none yet; null for none
   */
  final Persistent init(Collective call, Info info) {
    check(call);
    try {
      Info.entries(info);
      Collectives collectives = world.collectives();
      Operation operation = collectives.persist(channel, call.begin(collectives, channel));
      Buf<?>[] used = call.used(channel);
      Supplier<Operation> start = () -> {
        checkTouchable(used);
        collectives.restart(operation);
        return operation;
      };
      return new Persistent(this, Request.Kind.COLLECTIVE, HeldOperation.starter(world, start, used));
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  private static void checkTouchable(Buf<?>[] used) {
    for (Buf<?> buf : used) {
      if (buf != null && !buf.isInPlace() && !buf.isTouchable()) {
        throw buf.untouchable("buffer");
      }
    }
  }

  private void check(Collective call) {
    checkOpen();
    MpiException wrong = call.check(channel);
    if (wrong != null) {
      throw raise(wrong);
    }
  }
}
