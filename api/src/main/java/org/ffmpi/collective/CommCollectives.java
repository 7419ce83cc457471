// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import java.util.function.Supplier;
import org.ffmpi.Buf;
import org.ffmpi.Info;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.process.CommState;
import org.ffmpi.process.InfoAccess;
import org.ffmpi.process.World;
import org.ffmpi.request.HeldOperation;
import org.ffmpi.request.PersistentImpl;
import org.ffmpi.request.RequestImpl;
import org.ffmpi.request.RequestKind;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.CollectiveForm;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Operation;

/**
 * The implementation of the collective calls of one communicator: blocking, nonblocking and persistent. Its
 * {@link CollectiveArguments} make the checks that need one rank only. Any thread may call; the blocking
 * form waits in the calling thread.
 */
public final class CommCollectives extends CollectiveForms {
  /**
   * The value that the calls of one thread fill, one after the other. Each thread has its own, so that no two threads
   * fill the same one.
   */
  private static final class Description {
    final Thread thread = Thread.currentThread();
    final CollectiveCall call = new CollectiveCall();
    boolean inUse;
  }

  /** The value of the thread that called last. A race between threads costs one of them an object. */
  private Description description = new Description();

  /** Found by the first call. A race finds it twice. */
  private Collectives provider;

  private final CommState state;
  private final World world;
  private final Channel channel;

  /** The queue in which calls wait for their comparison with the other ranks'; null unless everything is checked. */
  private final ComparedCalls compared;

  /** The call that a thread is in; null unless everything is checked. */
  private final OneCallAtATime oneCall;

  private final int rank;
  private final int size;

  /** Whether calls may be plain: they are within one group, and no more is checked than one rank can. */
  private final boolean isPlain;

  public CommCollectives(CommState state) {
    this.state = state;
    this.world = state.world;
    this.channel = state.channel;
    this.compared = world.isChecking() ? new ComparedCalls(channel) : null;
    this.oneCall = compared == null ? null : new OneCallAtATime(channel);
    this.rank = channel.rank();
    this.size = channel.size();
    this.isPlain = compared == null && !CollectiveChecks.isBetweenGroups(channel);
    channel.setOrder(compared);
  }

  @Override
  public Channel channel() {
    return channel;
  }

  private Collectives collectives() {
    Collectives known = provider;
    if (known == null) {
      known = world.collectives();
      provider = known;
    }
    return known;
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
  @Override
  public void run(CollectiveArguments arguments) {
    boolean isFirst = oneCall != null && begins();
    Description own = description;
    if (own.thread != Thread.currentThread() || own.inUse) {
      own = new Description();
      description = own;
    }
    own.inUse = true;
    try {
      CollectiveCall call = own.call;
      if (!check(arguments, call, CollectiveForm.BLOCKING, null) && arguments.isCounted()) {
        runHeld(arguments, call);
        return;
      }
      try {
        (provider != null ? provider : collectives()).call(channel, call, CollectiveForm.BLOCKING);
      } catch (RuntimeException e) {
        throw state.failed(e);
      }
    } finally {
      own.call.clear();
      own.inUse = false;
      if (isFirst) {
        ends();
      }
    }
  }

  /** Notes that this thread begins a collective call, where everything is checked. */
  private boolean begins() {
    try {
      return oneCall.begin();
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  private void ends() {
    try {
      oneCall.end();
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  /**
   * Executes a call with its memory held, in the same form as at ranks whose memory is not counted, because all ranks
   * count their blocking calls.
   */
  private void runHeld(CollectiveArguments arguments, CollectiveCall call) {
    try {
      HeldOperation.start(
          world, () -> collectives().call(channel, call, CollectiveForm.BLOCKING), arguments.uses(channel));
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  /** Checks a collective call and hands it to the engine's progress. */
  @Override
  public Request start(CollectiveArguments arguments) {
    if (compared != null) {
      boolean isFirst = begins();
      try {
        return startCompared(arguments);
      } finally {
        if (isFirst) {
          ends();
        }
      }
    }
    Description own = acquireDescription();
    try {
      CollectiveCall call = own.call;
      check(arguments, call, CollectiveForm.NONBLOCKING, null);
      return request(arguments, () -> begin(call));
    } finally {
      release(own);
    }
  }

  private Request request(CollectiveArguments arguments, Supplier<Operation> start) {
    try {
      return new RequestImpl(state, RequestKind.COLLECTIVE,
          arguments.isCounted() ? HeldOperation.start(world, start, arguments.uses(channel)) : start.get());
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  private Operation begin(CollectiveCall call) {
    return collectives().call(channel, call, CollectiveForm.NONBLOCKING);
  }

  /**
   * Checks a collective call and prepares it, to be started again and again.
   *
   * @param info hints; none are defined; may be null
   */
  @Override
  public Persistent init(CollectiveArguments arguments, Info info) {
    Description own = acquireDescription();
    try {
      check(arguments, own.call, CollectiveForm.PERSISTENT, info);
      Collectives collectives = collectives();
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
      return new PersistentImpl(state, RequestKind.COLLECTIVE,
          HeldOperation.starter(world, start, arguments.uses(channel)), () -> collectives.discard(operation));
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

  /**
   * Checks the arguments as far as this rank can and, where everything is checked, compares the ranks' calls. A rank
   * with wrong arguments fails at once, and informs the others.
   *
   * @return whether the call is plain, see {@link CollectiveArguments#fillPlain}
   */
  private boolean check(CollectiveArguments arguments, CollectiveCall call, CollectiveForm form, Info info) {
    state.checkCollective();
    if (isPlain && form == CollectiveForm.BLOCKING && arguments.fillPlain(rank, size, call)) {
      return true;
    }
    call.clear();
    MpiException wrong = arguments.fill(channel, call);
    if (info != null && wrong == null) {
      try {
        InfoAccess.entries(info);
      } catch (MpiException e) {
        wrong = e;
      }
    }
    if (compared != null) {
      if (wrong != null) {
        compared.refuse(new CollectiveFacts(channel, arguments, form, wrong));
      } else if (form != CollectiveForm.NONBLOCKING) {
        wrong = compared.compare(new CollectiveFacts(channel, arguments, form, null));
      }
    }
    if (wrong != null) {
      throw state.raise(wrong);
    }
    return false;
  }

  /** Checks a collective call and starts to compare it; it begins when the ranks agree. */
  private Request startCompared(CollectiveArguments arguments) {
    CollectiveCall call = new CollectiveCall(); // kept until the call begins
    check(arguments, call, CollectiveForm.NONBLOCKING, null);
    CollectiveFacts facts = new CollectiveFacts(channel, arguments, CollectiveForm.NONBLOCKING, null);
    Thread onlyThread = isConfined(arguments.used(channel)) ? Thread.currentThread() : null;
    return request(arguments, () -> collectives().lend(call, () ->
        compared.start(facts, () -> begin(call), onlyThread)));
  }

  private static boolean isConfined(Buf<?>[] used) {
    for (Buf<?> buf : used) {
      if (buf != null && !buf.isInPlace() && BufImpl.of(buf).memoryKind() == Memory.CONFINED) {
        return true;
      }
    }
    return false;
  }
}
