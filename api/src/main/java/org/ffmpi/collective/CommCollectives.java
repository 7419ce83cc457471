// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import java.util.function.Supplier;
import org.ffmpi.Buf;
import org.ffmpi.Info;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.communicator.CommState;
import org.ffmpi.communicator.InfoAccess;
import org.ffmpi.process.Failures;
import org.ffmpi.process.World;
import org.ffmpi.request.HeldOperation;
import org.ffmpi.request.PersistentImpl;
import org.ffmpi.request.RequestImpl;
import org.ffmpi.request.RequestKind;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.CollectiveForm;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;

/**
 * The implementation of the collective calls of one communicator: blocking, nonblocking and persistent. Its
 * {@link CollectiveArguments} make the checks that need one rank only. Any thread may call; the blocking
 * form waits in the calling thread.
 */
public final class CommCollectives {
  /**
   * What the calls of one thread are described in, one after the other. Used by that thread only, so that no two
   * threads describe their calls in the same place.
   */
  private static final class Description {
    final Thread thread = Thread.currentThread();
    final CollectiveCall call = new CollectiveCall();
    boolean inUse;
  }

  /** Of the thread that has called last. A race between threads costs one of them an object. */
  private Description description = new Description();

  private final CommState state;
  private final World world;
  private final Channel channel;
  private final Engine engine;

  public CommCollectives(CommState state) {
    this.state = state;
    this.world = state.world;
    this.channel = state.channel;
    this.engine = state.engine;
  }

  public Channel channel() {
    return channel;
  }

  private Description acquireDescription() {
    Description own = description;
    if (own.thread != Thread.currentThread() || own.inUse) {
      own = new Description();
      description = own;
    }
    own.inUse = true;
    return own;
  }

  private static void release(Description own) {
    own.call.clear();
    own.inUse = false;
  }

  /** Checks a collective call and drives it to its end in this thread. */
  public void run(CollectiveArguments arguments) {
    Description own = acquireDescription();
    try {
      CollectiveCall call = own.call;
      check(arguments, call, CollectiveForm.BLOCKING, null);
      if (arguments.isCounted()) {
        request(arguments, () -> begin(call)).await(); // which holds the memory
        return;
      }
      try {
        world.collectives().call(channel, call, CollectiveForm.BLOCKING);
      } catch (RuntimeException e) {
        throw state.failed(e);
      }
    } finally {
      release(own);
    }
  }

  /** Checks a collective call and hands it to the engine's progress. */
  public Request start(CollectiveArguments arguments) {
    Description own = acquireDescription();
    try {
      CollectiveCall call = own.call;
      check(arguments, call, CollectiveForm.NONBLOCKING, null);
      return request(arguments, () -> isComparing() ? beginCompared(arguments, call, null) : begin(call));
    } finally {
      release(own);
    }
  }

  private Request request(CollectiveArguments arguments, Supplier<Operation> start) {
    try {
      return new RequestImpl(state, RequestKind.COLLECTIVE,
          arguments.isCounted() ? HeldOperation.start(world, start, arguments.used(channel)) : start.get());
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  private Operation begin(CollectiveCall call) {
    return world.collectives().call(channel, call, CollectiveForm.NONBLOCKING);
  }

  /**
   * Checks a collective call and prepares it, to be started again and again.
   *
   * @param info hints, of which there are none yet; null for none
   */
  public Persistent init(CollectiveArguments arguments, Info info) {
    Description own = acquireDescription();
    try {
      check(arguments, own.call, CollectiveForm.PERSISTENT, info);
      Collectives collectives = world.collectives();
      Operation operation;
      try {
        operation = collectives.call(channel, own.call, CollectiveForm.PERSISTENT);
      } catch (RuntimeException e) {
        throw state.failed(e);
      }
      Buf<?>[] used = arguments.used(channel);
      Supplier<Operation> start = () -> {
        checkTouchable(used);
        collectives.start(operation);
        return operation;
      };
      return new PersistentImpl(state, RequestKind.COLLECTIVE, HeldOperation.starter(world, start, used),
          () -> collectives.discard(operation), null);
    } finally {
      release(own);
    }
  }

  private static void checkTouchable(Buf<?>[] used) {
    for (Buf<?> buf : used) {
      if (buf != null && !buf.isInPlace() && !BufImpl.of(buf).isTouchable()) {
        throw BufImpl.of(buf).untouchable("buffer");
      }
    }
  }

  /** Checks what this rank can check, and where everything is checked whether the ranks call the same. */
  private void check(CollectiveArguments arguments, CollectiveCall call, CollectiveForm form, Info info) {
    state.checkCommunication();
    MpiException wrong = arguments.fill(channel, call);
    if (info != null && wrong == null) {
      try {
        InfoAccess.entries(info);
      } catch (MpiException e) {
        wrong = e;
      }
    }
    if (isComparing()) {
      wrong = compare(arguments, call, form, wrong);
    }
    if (wrong != null) {
      throw state.raise(wrong);
    }
  }

  // ---- where everything is checked

  private boolean isComparing() {
    return world.isChecking() && (channel.size() > 1 || CollectiveChecks.isBetweenGroups(channel));
  }

  /**
   * Compares what the ranks call, or starts to if they do not wait for each other; returns what is wrong, or null. A
   * rank with wrong arguments takes part as well, so that the other ranks do not wait for it.
   *
   * <p>The messages of the comparison, and of a nonblocking call that follows it, are those of persistent operations:
   * these get their place in the order of calls when they are made, and start later. In all forms a comparison takes as
   * many such places, so that ranks that find different forms still agree in the next call.
   */
  private MpiException compare(
      CollectiveArguments arguments, CollectiveCall call, CollectiveForm form, MpiException wrong) {
    try {
      if (form == CollectiveForm.NONBLOCKING) {
        if (wrong != null) {
          beginCompared(arguments, call, wrong);
        }
        return wrong;
      }
      Collectives collectives = world.collectives();
      CollectiveComparison comparison =
          new CollectiveComparison(collectives, channel, new CollectiveFacts(channel, arguments, form, wrong));
      try {
        for (Operation step : comparison.steps()) {
          collectives.start(step);
          engine.await(step);
          if (step.error() != null) {
            return step.error();
          }
        }
      } finally {
        comparison.close();
      }
      MpiException mistake = wrong != null ? wrong : comparison.mistake();
      if (form == CollectiveForm.BLOCKING || mistake != null) {
        channel.nextPersistentTag(); // the other forms claim one, too
      }
      return mistake;
    } catch (RuntimeException e) {
      return Failures.translate(e);
    }
  }

  /** Starts to compare a nonblocking call, which begins when all is right. */
  private Operation beginCompared(CollectiveArguments arguments, CollectiveCall call, MpiException wrong) {
    Collectives collectives = world.collectives();
    CollectiveComparison comparison = new CollectiveComparison(
        collectives, channel, new CollectiveFacts(channel, arguments, CollectiveForm.NONBLOCKING, wrong));
    Operation operation = null;
    if (wrong == null) {
      operation = collectives.call(channel, call, CollectiveForm.PERSISTENT);
    } else {
      channel.nextPersistentTag();
    }
    Operation compared = new ComparedOperation(comparison, operation, collectives);
    compared.advance();
    if (!compared.isDone()) {
      engine.register(compared);
    }
    return compared;
  }
}
