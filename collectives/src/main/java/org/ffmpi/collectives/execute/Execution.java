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
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.GatedOperation;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitNote;

/**
 * Runs a {@link Schedule} with its slots bound to memory: the one executor, with three drivers.
 * <ul>
 *   <li>{@link #run}, blocking: the calling thread takes step after step and waits in the engine for what a step needs.
 *       Nobody else knows the execution; no lock, no list, and with eager messages no allocation.
 *   <li>{@link #begin}, nonblocking: the steps that can start do, the rest follows in {@link #advance}, called by
 *       whoever makes progress, one thread at a time. Inner operations name this one as parent, so that their
 *       completion wakes its waiter. A thread that waits for nothing else takes the rest as a blocking call does, in
 *       {@link #drive}.
 *   <li>{@link #begin} after {@link #rewind}, persistent: the same again, all bindings kept.
 * </ul>
 *
 * <p>An execution whose user memory is confined to a thread is advanced by that thread only. A step that fails ends the
 * execution with its error. Before, all other ranks are told, so that none waits for this one, and pending operations
 * are cancelled; those that are half way end first, since they use the caller's memory.
 *
 * <p>This file is long because the three drivers share the state of one walk through the steps.
 */
public final class Execution extends GatedOperation {
  /** Local work after which {@link #advance} returns although it could go on, so that calls for progress stay short. */
  private static final long WORK_PER_CALL = 1 << 20;

  /** Scratch up to this size stays with an execution, so that short calls do not visit the pool. */
  private static final long KEPT_SCRATCH = 64 << 10;

  /**
   * Receipt of a message up to this size that the next step needs is left to whoever waits, who need not post it, or to
   * the first call for progress: so short a message gets by with the copy that its early arrival costs.
   */
  private static final long LEFT_TO_WAITER = 4 << 10;

  private final ExecutionHome home;
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

  /** The schedule that was left for its fallback, or null. */
  private Schedule first;
  private Thread onlyThread;
  private boolean nonblocking;
  private boolean persistent;
  private boolean begun;

  /** The error with which the execution ends as soon as nothing is in flight; null while there is none. */
  private MpiException failing;

  private int next;
  private int unsettled;
  private long work;
  private boolean moved;

  public Execution(ExecutionHome home, ScratchPool pool) {
    this.home = home;
    this.pool = pool;
    this.messages = new MessageSteps(slots, local, pool);
    this.inRegion = new RegionSteps(slots, local, pool, this);
  }

  // ---- binding

  /**
   * Binds all there is to bind.
   *
   * @param schedule what to do
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
    boolean elements = kernel != null;
    elementPlan = elements ? (call.recv().isPresent() ? call.recv() : call.send()).plan() : null;
    if (home.hasRegion()) {
      long number = inRegion.bind(engine, home.region(), schedule, elementPlan, kernel);
      if (!schedule.isShared && Channel.signatureOf(context) != 0) { // tags of persistent ones are numbers of their own
        home.goesByMessages(number, tag);
      }
    }
    next = 0;
    unsettled = 0;
    begun = false;
    try {
      slots.bind(call, elements);
      onlyThread = slots.areConfined() ? Thread.currentThread() : null;
      if (schedule.scratchUnits > 0) {
        bindScratch(elementPlan);
      }
    } catch (Throwable t) {
      throw abandonBound(t);
    }
  }

  /** Ends a call that cannot begin: it has its number and its tag, and the others wait for it. */
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

  /** Forgets everything that belongs to one call. */
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

  /** Makes this an execution that keeps its bindings when it is complete; before the first {@link #begin}. */
  public void persist() {
    persistent = true;
    inRegion.skip();
  }

  /** Tells whether a persistent execution can use a region: units are bytes, or elements that can be shown. */
  public boolean mayShare() {
    return !schedule.shape.isBetweenGroups() && (elementPlan == null || canBeShown(elementPlan));
  }

  /** Tells whether elements can be shown as they are: without gaps, and each beginning where its data do. */
  public static boolean canBeShown(Plan elements) {
    return elements.isContiguous() && elements.trueLowerBound() == 0;
  }

  /** Lets a persistent execution that is complete, and is not begun any more, go. */
  public void discard() {
    inRegion.close();
    releaseScratch();
  }

  /** Returns what a persistent execution, not begun yet, does. */
  public Schedule schedule() {
    return schedule;
  }

  /**
   * Has a persistent execution, not begun yet, do the same in a region of its own.
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
   * Carries out all steps in the calling thread, then hands itself back to the channel. Throws what went wrong.
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
      takeAllSteps();
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
      home.progressNowAndThen(engine);
    }
    unbind();
    releaseLargeScratch();
    home.release(this);
  }

  /** Takes the steps that are left, waiting for exactly what each needs. */
  private void takeAllSteps() {
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
          takeInRegion(step, i);
          i += inRegion.skipped();
          if (schedule.steps != steps) {
            steps = schedule.steps;
            i = -1;
          }
        } else {
          start(step, i);
        }
      }
      for (int awaited = unsettled; awaited < steps.length; awaited++) {
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
      if (takeSteps(onlyThread == null)) {
        finish();
        return;
      }
      leaveRegion();
    } catch (Throwable t) {
      if (hasFailed(t)) {
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
        takeAllSteps();
        next = schedule.steps.length;
        close();
        finish();
      }
    } catch (Throwable t) {
      beginToFail(t);
    } finally {
      if (failing != null) {
        endFailing(messages.awaitEnd(failing));
      }
      Reference.reachabilityFence(this);
    }
  }

  /** Whoever waited for it has the result. One that has failed may still be known to others. */
  @Override
  public void release() {
    if (!persistent && error() == null) {
      home.release(this);
    }
  }

  /** Makes a persistent execution ready to begin again; it must be complete, well or not, or never have begun. */
  public void rewind() {
    if (begun && !isDone()) {
      throw new MpiException(ErrorClass.ERR_REQUEST, "started while the previous start is not complete");
    }
    next = 0;
    unsettled = 0;
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
            endFailing(true);
            return true;
          }
          continue;
        }
        do {
          moved = false;
          if (takeSteps(false)) {
            close();
            finish();
            return true;
          }
          leaveRegion();
          any |= moved;
        } while (moved && work <= WORK_PER_CALL); // what moved may have completed what had been looked at before
      } while (!leave());
    } catch (Throwable t) {
      if (!hasFailed(t)) {
        while (!leave()) {
          Thread.onSpinWait(); // whoever looks next sees that it fails
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

  /** Begins to fail; returns whether that is over already. */
  private boolean hasFailed(Throwable t) {
    beginToFail(t);
    if (!messages.hasEnded()) {
      return false;
    }
    endFailing(true);
    return true;
  }

  /** Tells the other ranks, and cancels what can be cancelled; the rest has to end before the execution does. */
  private void beginToFail(Throwable t) {
    failing = failure(t);
    messages.fail(failing, next);
    leaveScratch(inRegion.fail(nonblocking, scratch));
  }

  private void endFailing(boolean nothingIsInFlight) {
    MpiException error = failing;
    failing = null;
    close();
    leaveScratch(!nothingIsInFlight);
    letGo();
    fail(error);
  }

  /**
   * Starts what can start; returns true when all is complete.
   *
   * @param leaving whether to leave the receipt of a short message that the next step needs for later
   */
  private boolean takeSteps(boolean leaving) {
    Step[] steps = schedule.steps;
    for (; next < steps.length; next++) {
      Step step = steps[next];
      for (int awaited : schedule.after[next]) {
        if (!isSettled(awaited)) {
          settleOthers();
          return false;
        }
      }
      if (work > WORK_PER_CALL || leaving && isLeft(step)) {
        return false;
      }
      if (schedule.onRegion[next] && !inRegion.isAvailable(step)) {
        settleOthers();
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
    return settleOthers();
  }

  private void leaveRegion() {
    if (next > schedule.lastShared) {
      inRegion.leave();
    }
  }

  private boolean isLeft(Step step) {
    return step instanceof Step.Receive receive && receive.neededAtOnce()
        && slots.units(receive.into()) * schedule.shape.unitBytes() <= LEFT_TO_WAITER;
  }

  /**
   * Takes note of everything that is complete, so that an error shows although an earlier step may never complete
   * because of it; returns true when nothing that was started is pending.
   */
  private boolean settleOthers() {
    boolean all = true;
    for (int i = unsettled; i < next; i++) {
      all &= isSettled(i);
      if (all) {
        unsettled = i + 1;
      }
    }
    return all;
  }

  private boolean isSettled(int step) {
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
    messages.settle(step, operation);
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
      takeInRegion(step, number);
    }
  }

  private void copyBlock(Slice from, Slice to) {
    long units = slots.units(from);
    if (units != slots.units(to)) {
      throw new MpiException(ErrorClass.ERR_COUNT, schedule.shape.collective() + ": this rank's own block has "
          + units + " bytes where it is sent and " + slots.units(to) + " where it is received");
    }
    local.copy(slots.of(from), slots.from(from), slots.of(to), slots.from(to), units);
    work += units * schedule.shape.unitBytes();
  }

  private void takeInRegion(Step step, int number) {
    long done = inRegion.take(step);
    if (done != RegionSteps.BY_MESSAGE) {
      work += done;
    } else if (step instanceof Step.Consume take) {
      messages.receive(take.rank(), take.into(), number);
    } else {
      Step.Deliver give = (Step.Deliver) step;
      messages.send(give.rank(), give.what(), number);
    }
    if (step instanceof Step.Vote && inRegion.isRefused()) {
      fallBack();
    }
  }

  /** Begins anew, by messages. */
  private void fallBack() {
    first = schedule;
    schedule = schedule.fallback;
    messages.follow(schedule);
    unsettled = 0;
    if (schedule.scratchUnits > 0) {
      bindScratch(elementPlan);
    }
  }

  // ---- failure

  private MpiException failure(Throwable t) {
    return switch (t) {
      case MpiException e -> e;
      case IllegalStateException e -> new MpiException(ErrorClass.ERR_BUFFER, memoryText(), e);
      case WrongThreadException e -> new MpiException(ErrorClass.ERR_BUFFER, memoryText(), e);
      default -> new MpiException(ErrorClass.ERR_OTHER, schedule.shape.collective() + " failed: " + t, t);
    };
  }

  private String memoryText() {
    return schedule.shape.collective() + ": a buffer's arena has been closed, or is confined to another thread";
  }

  /** Tells the other ranks, and waits for the end of what is in flight. */
  private void abandon(MpiException error) {
    messages.fail(error, next);
    leaveScratch(inRegion.fail(nonblocking, scratch));
    leaveScratch(!messages.awaitEnd(error));
    letGo();
  }

  /** Leaves scratch memory, if others may still read it, to whoever refers to it. */
  private void leaveScratch(boolean isInUse) {
    if (isInUse) {
      scratch = null;
    }
  }

  /** Forgets the call, unless it can be started again. */
  private void letGo() {
    releaseScratch();
    if (!persistent) {
      unbind();
    }
  }
}
