// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.execute;

import java.lang.ref.Reference;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.collectives.region.Region;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Schedule;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.collectives.schedule.SymbolicBuffer;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.ReduceKernel;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.GatedOperation;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitNote;

/**
 * The executor of a {@link Schedule} whose slots are bound to memory, with three drivers.
 * <ul>
 *   <li>{@link #run}, blocking: the calling thread executes step after step and awaits in the engine what a step needs.
 *       No other thread knows the execution; there is no lock, no list, and with eager messages no allocation.
 *   <li>{@link #begin}, nonblocking: it starts the steps that can start; {@link #advance}, which any thread calls that
 *       makes progress, one at a time, starts the rest. Inner operations name this one as parent, so that their
 *       completion wakes its waiter. A thread that waits for nothing else executes the rest as a blocking call does, in
 *       {@link #drive}.
 *   <li>{@link #restart}, persistent: the same again with all bindings.
 * </ul>
 *
 * <p>An execution whose user memory is confined to a thread is advanced by that thread only. A step that fails ends the
 * execution with its error. Before that, all other ranks are notified, so that none waits for this one, and pending
 * operations are cancelled; those that are half way end first, since they use the caller's memory.
 *
 * <p>This file is long because the three drivers share the state of one walk through the steps.
 */
public final class Execution extends GatedOperation implements PersistentCall {
  /** Local work after which {@link #advance} returns although more is possible: calls for progress stay short. */
  private static final long WORK_PER_CALL = 1 << 20;

  /** Largest scratch slab that an execution keeps, so that short calls do not visit the pool. */
  private static final long KEPT_SCRATCH = 64 << 10;

  /**
   * Longest message whose receive, needed by the next step, is left to the waiting thread, which need not post it, or
   * to the first call for progress: for short messages the extra copy of an unexpected message is cheap.
   */
  private static final long LEFT_TO_WAITER = 4 << 10;

  private final ExecutionOwner owner;
  private final ScratchPool pool;
  private final LocalSteps local = new LocalSteps();
  private final BoundBuffers slots = new BoundBuffers();
  private final MessageSteps messages;
  private final RegionSteps inRegion;

  private Schedule schedule;
  private Engine engine;
  private ReduceKernel kernel;
  private ScratchPool.Slab scratch;

  /** Plan of the elements that are units, or null where units are bytes. */
  private Plan elementPlan;

  /** The schedule that its fallback has replaced, or null. */
  private Schedule first;
  private Thread onlyThread;
  private boolean nonblocking;
  private boolean persistent;
  private boolean begun;

  /** The error with which the execution ends as soon as nothing is in flight; null without one. */
  private MpiException failing;

  private int next;
  private int firstPending;
  private long work;
  private boolean moved;

  public Execution(ExecutionOwner owner, ScratchPool pool) {
    this.owner = owner;
    this.pool = pool;
    this.messages = new MessageSteps(slots, local, pool);
    this.inRegion = new RegionSteps(slots, local, pool, this);
  }

  // ---- binding

  /**
   * Binds a schedule to the buffers of a call.
   *
   * @param schedule the steps
   * @param channel the communicator's channel
   * @param context matching context of all messages
   * @param tag tag of all messages
   * @param call its buffers or blocks; where it has a kernel, units are elements
   */
  public void bind(Schedule schedule, Channel channel, long context, int tag, CollectiveCall call) {
    this.schedule = schedule;
    this.engine = channel.engine();
    this.kernel = call.kernel();
    messages.bind(channel, context, tag, schedule);
    elementPlan = kernel != null ? (call.recv().isPresent() ? call.recv() : call.send()).plan() : null;
    if (owner.hasRegion()) {
      long number = inRegion.bind(engine, owner.region(), schedule, elementPlan, kernel);
      if (!schedule.isShared && Channel.signatureOf(context) != 0) { // tags of persistent ones are numbers of their own
        owner.recordMessageCall(number, tag);
      }
    }
    next = 0;
    bindBuffers(call);
  }

  /**
   * Binds a schedule with block tables to a call that has begun in the communicator's region, where this rank has
   * published its blocks, all of them in its slot.
   *
   * @param number its number there
   */
  public void bindBegun(Schedule schedule, Channel channel, long context, int tag, CollectiveCall call, long number) {
    this.schedule = schedule;
    this.engine = channel.engine();
    this.kernel = null;
    this.elementPlan = null;
    messages.bind(channel, context, tag, schedule);
    inRegion.bindBegun(engine, owner.region(), schedule, number);
    next = schedule.steps[0] instanceof Step.PublishBlocks published ? 1 + published.deliveries() : 0;
    bindBuffers(call);
  }

  private void bindBuffers(CollectiveCall call) {
    firstPending = 0;
    begun = false;
    try {
      slots.bind(call, kernel != null);
      onlyThread = slots.areConfined() ? Thread.currentThread() : null;
      if (schedule.scratchUnits > 0) {
        bindScratch(elementPlan);
      }
    } catch (Throwable t) {
      throw abandonBound(t);
    }
  }

  /** Ends a call that cannot begin, although it has its number and its tag, and the others wait for it. */
  private MpiException abandonBound(Throwable t) {
    nonblocking = false;
    MpiException error = failure(t);
    abandon(error);
    return error;
  }

  /** Returns whether messages with a context and a tag belong to the call that this is bound to. Racy. */
  public boolean isOf(long context, int tag) {
    return messages.context() == context && messages.tag() == tag && schedule != null;
  }

  /** Names the call; of a call that was started, also a rank whose message is missing. */
  @Override
  public void describe(WaitNote note) {
    Schedule bound = schedule;
    if (bound == null) {
      return;
    }
    CallShape shape = bound.shape;
    int before = note.peer();
    if (nonblocking) {
      messages.describePending(note);
      inRegion.describe(next < bound.steps.length ? bound.steps[next] : null, note);
    }
    int peer = note.peer() >= 0 ? note.peer() : before;
    note.collective(shape.collective(), messages.context(), messages.tag(), shape.isRooted() ? shape.root() : -1,
        shape.collective().isOfBlocks() ? -1 : shape.bytes());
    note.peer(peer);
  }

  @Override
  public long matchingContext() {
    return messages.context();
  }

  private void bindScratch(Plan elements) {
    long units = schedule.scratchUnits;
    // Displacements of an element may be negative: the slab begins at the lowest.
    long lowest = elements == null ? 0 : Place.firstByte(elements, units);
    long bytes = elements == null ? units : Place.endByte(elements, units) - lowest;
    if (scratch == null || scratch.bytes < bytes) {
      releaseScratch();
      scratch = pool.acquire(engine, bytes);
    }
    slots.of(SymbolicBuffer.SCRATCH).bind(scratch.memory, scratch.address - lowest, elements);
  }

  private void releaseScratch() {
    if (scratch != null) {
      pool.release(scratch);
      scratch = null;
    }
  }

  private void releaseLargeScratch() {
    if (scratch != null && scratch.bytes > KEPT_SCRATCH) {
      releaseScratch();
    }
  }

  /** Clears the state of one call. */
  private void unbind() {
    slots.release();
    messages.unbind();
    schedule = null;
    engine = null;
    kernel = null;
    first = null;
    elementPlan = null;
    inRegion.unbind();
    onlyThread = null;
  }

  /** Makes the execution keep its bindings when it is complete; before the first {@link #begin}. */
  public void persist() {
    persistent = true;
    inRegion.skip();
  }

  /** Returns whether a persistent execution can use a region: units are bytes, or publishable elements. */
  public boolean canUseRegion() {
    return !schedule.shape.isBetweenGroups() && (elementPlan == null || isPublishable(elementPlan));
  }

  /** Returns whether a copy of elements can be published: they have no gaps, and each begins with its data. */
  public static boolean isPublishable(Plan elements) {
    return elements.isContiguous() && elements.trueLowerBound() == 0;
  }

  @Override
  public void discard() {
    inRegion.close();
    releaseScratch();
  }

  /** Returns the schedule of a persistent execution that has not begun. */
  public Schedule schedule() {
    return schedule;
  }

  /**
   * Moves a persistent execution that has not begun to a region of its own.
   *
   * @param other a schedule of the same call
   */
  public void persist(Schedule other, Region ownRegion) {
    schedule = other;
    messages.follow(other);
    inRegion.bindOwn(engine, ownRegion, other, elementPlan, kernel);
    if (other.scratchUnits > 0) {
      bindScratch(elementPlan);
    }
  }

  // ---- the blocking driver

  /**
   * Executes all steps in the calling thread, then releases itself to the channel. Throws the error of a step.
   */
  public void run() {
    if (onlyThread == null) {
      runInOrder();
    } else {
      // Any of the steps in flight may be the next to need this very thread to touch the confined memory.
      Engine waiting = engine;
      begin();
      if (!isDone()) {
        waiting.await(this);
      }
      if (error() != null) {
        throw error();
      }
    }
  }

  private void runInOrder() {
    nonblocking = false;
    messages.parent(null);
    try {
      executeSteps();
    } catch (Throwable t) {
      MpiException error = failure(t);
      abandon(error);
      fail(error);
      throw error;
    } finally {
      Reference.reachabilityFence(this);
    }
    if (inRegion.isBound()) {
      inRegion.finish();
      owner.progressPeriodically(engine);
    }
    unbind();
    releaseLargeScratch();
    owner.release(this);
  }

  /** Executes the remaining steps, waiting for exactly what each needs. */
  private void executeSteps() {
    Step[] steps = schedule.steps;
    int i = next;
    try {
      for (; i < steps.length; i++) {
        Step step = steps[i];
        for (int awaited : schedule.after[i]) {
          messages.await(awaited);
        }
        if (step instanceof Step.Receive receive && receive.neededAtOnce()) {
          messages.receiveNow(receive);
        } else if (schedule.onRegion[i]) {
          inRegion.await(step);
          executeInRegion(step, i);
          i += inRegion.skipped();
          if (schedule.steps != steps) {
            steps = schedule.steps;
            i = -1;
          }
        } else {
          start(step, i);
        }
      }
      for (int awaited = firstPending; awaited < steps.length; awaited++) {
        messages.await(awaited);
      }
    } catch (Throwable t) {
      next = i;
      throw t;
    }
  }

  // ---- the nonblocking and the persistent driver

  /** Starts, and has the engine call {@link #advance} until complete. */
  public void begin() {
    renew();
    begun = true;
    nonblocking = true;
    messages.parent(this);
    if (persistent) {
      messages.restart();
    }
    Engine progress = engine; // no longer bound once complete
    inRegion.begin();
    work = 0;
    try {
      if (startSteps(onlyThread == null)) {
        finish();
        return;
      }
      leaveRegion();
    } catch (Throwable t) {
      if (handleFailure(t)) {
        return;
      }
    } finally {
      Reference.reachabilityFence(this);
    }
    open();
    progress.register(this);
  }

  @Override
  public void drive() {
    if (onlyThread != null || !enter()) {
      return;
    }
    try {
      if (failing == null) {
        executeSteps();
        next = schedule.steps.length;
        close();
        finish();
      }
    } catch (Throwable t) {
      startFailing(t);
    } finally {
      if (failing != null) {
        finishFailing(messages.awaitEnd(failing));
      }
      Reference.reachabilityFence(this);
    }
  }

  /** Allows reuse: the waiter has the result. A failed execution may still be known to others. */
  @Override
  public void release() {
    if (!persistent && error() == null) {
      owner.release(this);
    }
  }

  @Override
  public void restart() {
    rewind();
    begin();
  }

  /** Prepares a persistent execution to begin again; it must be complete or failed, or never have begun. */
  public void rewind() {
    if (begun && !isDone()) {
      throw new MpiException(ErrorClass.ERR_REQUEST, "started while the previous start is not complete");
    }
    next = 0;
    firstPending = 0;
    if (first != null) {
      schedule = first;
      messages.follow(first);
      first = null;
    }
    if (scratch == null && schedule.scratchUnits > 0) { // the last start has failed
      bindScratch(elementPlan);
    }
  }

  @Override
  public boolean advance() {
    if (!isForThisThread() || !enter()) {
      return false;
    }
    if (!isForThisThread()) { // it has become another call since the first look
      while (!leave()) {
        Thread.onSpinWait();
      }
      return false;
    }
    work = 0;
    boolean any = false;
    try {
      do {
        if (failing != null) {
          if (messages.hasEnded()) {
            finishFailing(true);
            return true;
          }
          continue;
        }
        do {
          moved = false;
          if (startSteps(false)) {
            close();
            finish();
            return true;
          }
          leaveRegion();
          any |= moved;
        } while (moved && work <= WORK_PER_CALL); // progress may have completed an operation that was polled before
      } while (!leave());
    } catch (Throwable t) {
      if (!handleFailure(t)) {
        while (!leave()) {
          Thread.onSpinWait(); // the next thread to poll it sees that it fails
        }
      }
      return true;
    } finally {
      Reference.reachabilityFence(this);
    }
    return any;
  }

  private boolean isForThisThread() {
    Thread only = onlyThread;
    return only == null || only == Thread.currentThread();
  }

  /** Starts to fail; returns whether the execution has ended already. */
  private boolean handleFailure(Throwable t) {
    startFailing(t);
    if (!messages.hasEnded()) {
      return false;
    }
    finishFailing(true);
    return true;
  }

  /** Notifies the other ranks, and cancels operations; those that cannot be cancelled have to end first. */
  private void startFailing(Throwable t) {
    failing = failure(t);
    messages.fail(failing, next);
    abandonScratch(inRegion.fail(nonblocking, scratch));
  }

  private void finishFailing(boolean nothingIsInFlight) {
    MpiException error = failing;
    failing = null;
    close();
    abandonScratch(!nothingIsInFlight);
    releaseBindings();
    fail(error);
  }

  /**
   * Starts the steps that can start; returns true when all are complete.
   *
   * @param leaving whether to leave the receive of a short message that the next step needs to the waiter
   */
  private boolean startSteps(boolean leaving) {
    Step[] steps = schedule.steps;
    for (; next < steps.length; next++) {
      Step step = steps[next];
      for (int awaited : schedule.after[next]) {
        if (!retireIfDone(awaited)) {
          retireCompleted();
          return false;
        }
      }
      if (work > WORK_PER_CALL || leaving && isLeftToWaiter(step)) {
        return false;
      }
      if (schedule.onRegion[next] && !inRegion.isAvailable(step)) {
        retireCompleted();
        return false;
      }
      start(step, next);
      next += inRegion.skipped();
      moved = true;
      if (schedule.steps != steps) {
        steps = schedule.steps;
        next = -1;
      }
    }
    return retireCompleted();
  }

  private void leaveRegion() {
    if (next > schedule.lastShared) {
      inRegion.leave();
    }
  }

  private boolean isLeftToWaiter(Step step) {
    return step instanceof Step.Receive receive && receive.neededAtOnce()
        && slots.units(receive.into()) * schedule.shape.unitBytes() <= LEFT_TO_WAITER;
  }

  /**
   * Retires all completed steps, so that an error shows although an earlier step may never complete because of it;
   * returns true when no step that was started is pending.
   */
  private boolean retireCompleted() {
    boolean all = true;
    for (int i = firstPending; i < next; i++) {
      all &= retireIfDone(i);
      if (all) {
        firstPending = i + 1;
      }
    }
    return all;
  }

  private boolean retireIfDone(int step) {
    Operation operation = messages.inFlight(step);
    if (operation == null) {
      return true;
    }
    if (!operation.isDone()) {
      if (operation.advance()) {
        moved = true;
        work += WORK_PER_CALL / 8; // it has done a bounded amount of an unknown kind
      }
      if (!operation.isDone()) {
        return false;
      }
    }
    moved = true;
    messages.retire(step, operation);
    return true;
  }

  private void finish() {
    inRegion.finishDetached();
    if (!persistent) {
      unbind();
      releaseLargeScratch();
    }
    complete();
  }

  // ---- steps

  private void start(Step step, int number) {
    if (step instanceof Step.Send send) {
      messages.send(send.rank(), send.what(), number);
    } else if (step instanceof Step.Receive receive) {
      messages.receive(receive.rank(), receive.into(), number);
    } else if (step instanceof Step.Copy copy) {
      if (slots.areBlocks()) {
        copyBlock(copy.from(), copy.to());
      } else {
        Slice from = copy.from();
        Slice to = copy.to();
        local.copy(slots.of(from.buffer()), from.from(), slots.of(to.buffer()), to.from(), from.units());
        work += from.units() * schedule.shape.unitBytes();
      }
    } else if (step instanceof Step.Reduce reduce) {
      Slice left = reduce.left();
      Slice right = reduce.right();
      local.reduce(kernel, slots.of(left.buffer()), left.from(), slots.of(right.buffer()), right.from(),
          left.units());
      work += left.units() * schedule.shape.unitBytes();
    } else if (step instanceof Step.Swap swap) {
      work += messages.swap(swap, number);
    } else {
      executeInRegion(step, number);
    }
  }

  private void copyBlock(Slice from, Slice to) {
    long units = slots.units(from);
    if (units != slots.units(to)) {
      throw CallShape.ownBlockError(schedule.shape.collective(), units, slots.units(to));
    }
    local.copy(slots.of(from), slots.from(from), slots.of(to), slots.from(to), units);
    work += units * schedule.shape.unitBytes();
  }

  private void executeInRegion(Step step, int number) {
    long done = inRegion.execute(step);
    if (done != RegionSteps.BY_MESSAGE) {
      work += done;
    } else if (step instanceof Step.Consume consume) {
      messages.receive(consume.rank(), consume.into(), number);
    } else {
      Step.Deliver deliver = (Step.Deliver) step;
      messages.send(deliver.rank(), deliver.what(), number);
    }
    if (step instanceof Step.Vote && inRegion.isRefused()) {
      fallBack();
    }
  }

  /** Restarts with the fallback, by messages. */
  private void fallBack() {
    first = schedule;
    schedule = schedule.fallback;
    messages.follow(schedule);
    firstPending = 0;
    if (schedule.scratchUnits > 0) {
      bindScratch(elementPlan);
    }
  }

  // ---- failure

  private MpiException failure(Throwable t) {
    return failure(t, schedule.shape.collective());
  }

  /** Returns the error of a call that has thrown. */
  static MpiException failure(Throwable t, Collective collective) {
    return switch (t) {
      case MpiException e -> e;
      case IllegalStateException e -> new MpiException(ErrorClass.ERR_BUFFER, memoryText(collective), e);
      case WrongThreadException e -> new MpiException(ErrorClass.ERR_BUFFER, memoryText(collective), e);
      default -> new MpiException(ErrorClass.ERR_OTHER, collective + " failed: " + t, t);
    };
  }

  private static String memoryText(Collective collective) {
    return collective + ": a buffer's arena has been closed, or is confined to another thread";
  }

  /** Notifies the other ranks, and awaits the operations in flight. */
  private void abandon(MpiException error) {
    messages.fail(error, next);
    abandonScratch(inRegion.fail(nonblocking, scratch));
    abandonScratch(!messages.awaitEnd(error));
    releaseBindings();
  }

  /** Drops scratch memory, without releasing it, if others may still read it. */
  private void abandonScratch(boolean isInUse) {
    if (isInUse) {
      scratch = null;
    }
  }

  /** Releases scratch memory, and the call unless it can be started again. */
  private void releaseBindings() {
    releaseScratch();
    if (!persistent) {
      unbind();
    }
  }
}
