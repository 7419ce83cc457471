// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.function.Supplier;
import org.ffmpi.CollectiveFacts.Form;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Operation;

/**
 * How the collective calls of {@link Comm} are made: at once, in the background, or again and again. What one rank can
 * check of a call, its {@link Collective} does.
 */
abstract sealed class CollectiveRuns extends PartitionedMessages permits GatherCalls {
  CollectiveRuns(World world, Channel channel, Errhandler<? super Comm> errhandler) {
    super(world, channel, errhandler);
  }

  /** Checks a collective call and drives it to its end in this thread. */
  final void run(Collective call) {
    check(call, Form.BLOCKING, null);
    if (call.isCounted()) {
      request(call, () -> register(call)).await(); // which holds the memory
      return;
    }
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
    check(call, Form.NONBLOCKING, null);
    return request(call, () -> isComparing() ? registerCompared(call, null) : register(call));
  }

  private Request request(Collective call, Supplier<Operation> start) {
    try {
      return new Request(state, Request.Kind.COLLECTIVE,
          call.isCounted() ? HeldOperation.start(world, start, call.used(channel)) : start.get());
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
    check(call, Form.PERSISTENT, info);
    try {
      Collectives collectives = world.collectives();
      Operation operation = collectives.persist(channel, call.begin(collectives, channel));
      Buf<?>[] used = call.used(channel);
      Supplier<Operation> start = () -> {
        checkTouchable(used);
        collectives.restart(operation);
        return operation;
      };
      return new Persistent(state, Request.Kind.COLLECTIVE, HeldOperation.starter(world, start, used),
          () -> collectives.discard(operation));
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

  /** Checks what this rank can check, and where everything is checked whether the ranks call the same. */
  private void check(Collective call, Form form, Info info) {
    checkCommunication();
    MpiException wrong = call.check(channel);
    if (info != null && wrong == null) {
      try {
        Info.entries(info);
      } catch (MpiException e) {
        wrong = e;
      }
    }
    if (isComparing()) {
      wrong = compare(call, form, wrong);
    }
    if (wrong != null) {
      throw raise(wrong);
    }
  }

  // ---- where everything is checked

  private boolean isComparing() {
    return world.isChecking() && (channel.size() > 1 || CollectiveChecks.isBetweenGroups(channel));
  }

  /**
   * Compares what the ranks call, or starts to if they do not wait for each other; returns what is wrong, or null. A
   * rank with wrong arguments says so, too, so that the others do not wait for it.
   */
  private MpiException compare(Collective call, Form form, MpiException wrong) {
    try {
      if (form == Form.NONBLOCKING) {
        if (wrong != null) {
          registerCompared(call, wrong);
        }
        return wrong;
      }
      Collectives collectives = world.collectives();
      CollectiveComparison comparison =
          new CollectiveComparison(collectives, channel, new CollectiveFacts(channel, call, form, wrong));
      for (Operation step : comparison.steps()) {
        collectives.run(channel, step);
        if (step.error() != null) {
          return step.error();
        }
      }
      MpiException mistake = wrong != null ? wrong : comparison.mistake();
      if (mistake != null) {
        channel.nextCollectiveTag(); // as the nonblocking form has taken it
      }
      return mistake;
    } catch (RuntimeException e) {
      return Failures.translate(e);
    }
  }

  /** Starts to compare a nonblocking call, which begins when all is right. */
  private Operation registerCompared(Collective call, MpiException wrong) {
    Collectives collectives = world.collectives();
    CollectiveComparison comparison =
        new CollectiveComparison(collectives, channel, new CollectiveFacts(channel, call, Form.NONBLOCKING, wrong));
    Operation operation = null;
    if (wrong == null) {
      operation = call.begin(collectives, channel);
    } else {
      channel.nextCollectiveTag();
    }
    Operation compared =
        new ComparedOperation(comparison, operation, step -> collectives.register(channel, step));
    compared.advance();
    if (!compared.isDone()) {
      engine.register(compared);
    }
    return compared;
  }
}
