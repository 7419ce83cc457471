// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.executor;

import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.ffmpi.Errhandler;
import org.ffmpi.Group;
import org.ffmpi.IntraComm;
import org.ffmpi.Status;
import org.ffmpi.ThreadLevel;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.port.ObjectProvider;
import org.ffmpi.process.CommState;

/**
 * The executor at the master. A thread that submits a task sends it at once when a worker is idle; the pool's own
 * thread receives results and sends what has waited. It is inside MPI only while a worker has a task, so that a pool at
 * rest looks like a computing program to those who look for deadlocks.
 */
public final class TaskPool extends TaskService {
  private final IntraComm comm;
  private final ReentrantLock lock = new ReentrantLock();

  /** Signalled with each change that the pool's thread or a waiting caller may wait for. */
  private final Condition changed = lock.newCondition();

  private final ArrayDeque<PoolTask<?>> queue = new ArrayDeque<>();
  private final ArrayDeque<Integer> idle = new ArrayDeque<>();
  private final Map<Integer, PoolTask<?>> running = new HashMap<>();

  /** Tasks that have ended, whose futures may not be complete yet. */
  private final ArrayDeque<PoolTask<?>> completing = new ArrayDeque<>();

  private int workers;
  private long submitted;
  private long ended;
  private boolean isShutdown;
  private boolean isTerminated;

  /** What the pool's thread has died of; null while it lives. */
  private Throwable broken;

  private volatile Consumer<? super Progress> listener;

  private TaskPool(IntraComm comm, int master) {
    this.comm = comm;
    for (int r = 0; r < comm.size(); r++) {
      if (r != master) {
        idle.add(r);
      }
    }
    this.workers = idle.size();
  }

  /**
   * Runs a body with a pool at the master, and serves it elsewhere.
   *
   * @param world the ranks
   * @param master the rank with the pool
   * @param body what the master does
   * @param <X> what the body throws
   * @throws X what the body throws
   */
  public static <X extends Exception> void run(IntraComm world, int master, Body<X> body) throws X {
    if (master < 0 || master >= world.size()) {
      throw MpiException.argument(ErrorClass.ERR_ROOT, "master", master, "0 to " + (world.size() - 1));
    }
    ThreadLevel level = CommState.of(world).world.threadLevel();
    if (level != ThreadLevel.MULTIPLE) {
      throw MpiException.argument(
          ErrorClass.ERR_OTHER, "thread level", level, "MULTIPLE, since the executor has a thread of its own");
    }
    try (IntraComm comm = world.dup()) {
      comm.setErrhandler(Errhandler.RETURN);
      comm.barrier(); // a worker that dies of its first task must not keep others from joining
      if (comm.rank() != master) {
        TaskServer.serve(comm, master);
        return;
      }
      TaskPool pool = new TaskPool(comm, master);
      pool.begin();
      boolean hasReturned = false;
      try {
        body.run(pool);
        hasReturned = true;
      } finally {
        if (!hasReturned) {
          pool.giveUp();
        }
        pool.close();
      }
    }
  }

  private void begin() {
    Thread thread = new Thread(this::serve, "ffmpi executor");
    thread.setDaemon(true);
    thread.start(); // it inherits the context class loader, by which results are read
  }

  // ---- the pool's thread

  private void serve() {
    Throwable reason = null;
    try {
      while (awaitWork()) {
        PoolTask<?> own = takeOwn();
        if (own != null) {
          end(own, own.outcome());
        } else if (progress().running() > 0) {
          receive();
        }
      }
      dismiss();
      awaitCompleting();
    } catch (Throwable e) { // the job has ended, or memory: no future may wait for ever
      reason = e;
    }
    List<PoolTask<?>> left = new ArrayList<>();
    lock.lock();
    try {
      isTerminated = true;
      isShutdown = true;
      broken = reason;
      left.addAll(queue);
      left.addAll(running.values());
      queue.clear();
      running.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    for (PoolTask<?> task : left) {
      task.future.completeExceptionally(reason);
    }
  }

  /** Waits until there is a result to receive or a task to run here; false when all is done. */
  private boolean awaitWork() {
    lock.lock();
    try {
      while (running.isEmpty() && (queue.isEmpty() ? !isShutdown : workers > 0)) {
        changed.awaitUninterruptibly();
      }
      return !running.isEmpty() || !queue.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Returns a task for the master itself, when there is no worker. */
  private PoolTask<?> takeOwn() {
    lock.lock();
    try {
      return workers == 0 ? queue.poll() : null;
    } finally {
      lock.unlock();
    }
  }

  private void receive() {
    Status from = new Status();
    List<?> message;
    try {
      message = comm.recvObject(Constants.ANY_SOURCE, TaskServer.RESULT, from);
    } catch (MpiException e) {
      buryDead(e);
      return;
    }
    PoolTask<?> task;
    lock.lock();
    try {
      task = running.remove(from.source());
      idle.add(from.source());
    } finally {
      lock.unlock();
    }
    try {
      assign();
    } finally { // this task has ended, also when the next one cannot be sent
      if (task != null) {
        end(task, TaskOutcome.read(message, from.source(), comm));
      }
    }
  }

  /** Removes workers that have died; throws an error that has another reason. */
  private void buryDead(MpiException e) {
    if (e.errorClass() != ErrorClass.ERR_PROC_FAILED && e.errorClass() != ErrorClass.ERR_PROC_FAILED_PENDING) {
      throw e;
    }
    Group failed = comm.getFailed();
    int[] numbers = new int[failed.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = i;
    }
    for (int worker : failed.translateRanks(numbers, comm.group())) {
      lose(worker, e);
    }
    comm.ackFailed(numbers.length);
    assign();
  }

  /** Removes a worker; its task waits for another one, before all others. */
  private void lose(int worker, MpiException death) {
    PoolTask<?> task;
    boolean isReason = false;
    lock.lock();
    try {
      task = running.remove(worker);
      if (task == null && !idle.remove((Integer) worker)) {
        return; // it is known
      }
      workers--;
      if (task != null) {
        isReason = ++task.deaths == PoolTask.MOST_DEATHS;
        if (!isReason) {
          queue.addFirst(task);
        }
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (isReason) {
      end(task, new TaskOutcome(null, new MpiException(
          ErrorClass.ERR_PROC_FAILED, "task: " + task.deaths + " workers have died while they ran it", death)));
    }
  }

  /**
   * Counts a task, completes its future and calls the listener. Functions that depend on the future may block, so they
   * get a thread of their own: only this pool could end what they wait for.
   */
  private void end(PoolTask<?> task, TaskOutcome outcome) {
    Consumer<? super Progress> told = listener;
    Progress now;
    lock.lock();
    try {
      ended++;
      now = progressLocked();
      completing.removeIf(PoolTask::isDone);
      completing.add(task);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    Thread.startVirtualThread(() -> task.complete(outcome));
    if (told != null) {
      try {
        told.accept(now);
      } catch (Throwable e) {
        // A listener that fails does not end the pool.
      }
    }
  }

  /** Waits until the futures of all tasks that have ended are complete, but not for what depends on them. */
  private void awaitCompleting() {
    List<PoolTask<?>> last;
    lock.lock();
    try {
      last = List.copyOf(completing);
    } finally {
      lock.unlock();
    }
    last.forEach(PoolTask::awaitDone);
  }

  /** Has all workers leave. */
  private void dismiss() {
    for (Integer worker = idle.poll(); worker != null; worker = idle.poll()) {
      try {
        comm.sendObject(null, worker, TaskServer.TASK);
      } catch (MpiException e) {
        if (e.errorClass() != ErrorClass.ERR_PROC_FAILED) {
          throw e;
        }
      }
    }
  }

  // ---- tasks

  /** Sends tasks as long as there are some and workers are idle. Any thread. */
  private void assign() {
    while (true) {
      PoolTask<?> task;
      int worker;
      lock.lock();
      try {
        dropDone();
        if (queue.isEmpty() || idle.isEmpty()) {
          return;
        }
        task = queue.poll();
        worker = idle.poll();
        running.put(worker, task);
        changed.signalAll();
      } finally {
        lock.unlock();
      }
      try {
        comm.sendObject(task.bytes, worker, TaskServer.TASK);
      } catch (MpiException e) {
        if (e.errorClass() != ErrorClass.ERR_PROC_FAILED) {
          throw e; // the job has ended: the pool's thread meets that as well, and fails all futures
        }
        lose(worker, e);
      }
    }
  }

  /** Removes tasks that have been cancelled while they waited. */
  private void dropDone() {
    int before = queue.size();
    queue.removeIf(task -> task.future.isDone());
    if (queue.size() < before) {
      ended += before - queue.size();
      changed.signalAll();
    }
  }

  @Override
  <T> CompletableFuture<T> start(Object task) {
    if (task == null) {
      throw new NullPointerException("task");
    }
    PoolTask<T> made = new PoolTask<>(encoded(task), comm);
    lock.lock();
    try {
      if (isShutdown) {
        throw new RejectedExecutionException(
            broken == null ? "the executor has been shut down" : "the executor has failed: " + broken);
      }
      queue.add(made);
      submitted++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    assign();
    return made.future;
  }

  private static byte[] encoded(Object task) {
    if (!(task instanceof Serializable)) {
      throw MpiException.argument(ErrorClass.ERR_CONVERSION, "task", task.getClass().getName(),
          "what is Serializable: a lambda that is given to MpiExecutor itself, or is declared as MpiExecutor.Task");
    }
    return ObjectProvider.get().encodeTask(task);
  }

  // ---- progress

  @Override
  public Progress progress() {
    lock.lock();
    try {
      return progressLocked();
    } finally {
      lock.unlock();
    }
  }

  private Progress progressLocked() {
    return new Progress(submitted, running.size(), ended, workers);
  }

  @Override
  public void onProgress(Consumer<? super Progress> told) {
    listener = told;
  }

  // ---- the end

  @Override
  public void shutdown() {
    lock.lock();
    try {
      isShutdown = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<Runnable> shutdownNow() {
    lock.lock();
    try {
      isShutdown = true;
      List<Runnable> left = new ArrayList<>(queue);
      queue.clear();
      ended += left.size();
      changed.signalAll();
      return left;
    } finally {
      lock.unlock();
    }
  }

  /** Shuts down, and cancels what waits, so that no thread of the program waits for it for ever. */
  private void giveUp() {
    for (Runnable left : shutdownNow()) {
      ((PoolTask<?>) left).future.cancel(false);
    }
  }

  @Override
  public boolean isShutdown() {
    lock.lock();
    try {
      return isShutdown;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isTerminated() {
    lock.lock();
    try {
      return isTerminated;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    long nanos = unit.toNanos(timeout);
    lock.lockInterruptibly();
    try {
      while (!isTerminated) {
        if (nanos <= 0) {
          return false;
        }
        nanos = changed.awaitNanos(nanos);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
