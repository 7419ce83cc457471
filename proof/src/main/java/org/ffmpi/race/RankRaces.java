// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinWorkerThread;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.hook.Lifetimes;
import org.ffmpi.spi.CallName;
import org.ffmpi.spi.Engine;

/**
 * The search for races at one rank, with its clock, its windows, and the findings that it has not thrown yet. Any
 * thread of the rank, and for its loads and stores of {@link #ofThisThread} any thread that the rank has started.
 */
final class RankRaces extends Lifetimes implements ClockStream.Reader {
  /** Beginnings of the names of calls that make or free a common object. */
  private static final List<String> COMMON = List.of("MPI_Win_allocate", "MPI_Win_create", "MPI_Win_free", "MPI_Comm_");

  /** The ranks by their threads, where several are in this process. */
  private static final Map<Thread, RankRaces> BY_THREAD = new ConcurrentHashMap<>();

  private static final InheritableThreadLocal<RankRaces> OF_THREAD = new InheritableThreadLocal<>();

  /** The rank of this process, or any of them. */
  private static volatile RankRaces last;

  final Engine engine;
  final int self;
  final RankClock clock;
  final ClockStream stream;
  private final Map<Long, WindowRaces> windows = new ConcurrentHashMap<>();
  private final Queue<Found> found = new ArrayDeque<>();
  private final Queue<Owed> owed = new ArrayDeque<>();
  private volatile boolean isOwing;

  /** A finding that has not been thrown. */
  private record Found(MpiException error, boolean isPrinted) {}

  private record Owed(int peer, long first, long second, int skipped) {}

  RankRaces(Engine engine) {
    this.engine = engine;
    this.self = engine.self();
    this.clock = new RankClock(self, engine.peers());
    this.stream = new ClockStream(engine, this);
    last = this;
  }

  // ---- threads

  /** Notes the thread that runs this rank. */
  void setThread(Thread thread) {
    BY_THREAD.keySet().removeIf(t -> t.getState() == Thread.State.TERMINATED);
    BY_THREAD.put(thread, this);
  }

  /** Notes that a thread calls for this rank; the threads that it starts belong to the rank too. */
  void enter() {
    if (OF_THREAD.get() != this) {
      OF_THREAD.set(this);
    }
  }

  /**
   * Returns the rank that the calling thread belongs to; null before there is one, and for threads of a common pool,
   * which work for any of several ranks.
   */
  static RankRaces ofThisThread() {
    if (Thread.currentThread() instanceof ForkJoinWorkerThread && !BY_THREAD.isEmpty()) {
      return null;
    }
    RankRaces races = OF_THREAD.get();
    if (races == null) {
      races = BY_THREAD.get(Thread.currentThread());
      races = races == null ? last : races;
      OF_THREAD.set(races);
    }
    return races;
  }

  /** Returns whether this process has several ranks, which its threads tell apart. */
  boolean sharesProcess() {
    return !BY_THREAD.isEmpty();
  }

  // ---- clocks that messages have brought

  /** Notes that the program knows of a message or call, whose clock is to be joined before this rank does anything. */
  void owe(int peer, long first, long second, int skipped) {
    synchronized (owed) {
      owed.add(new Owed(peer, first, second, skipped));
      isOwing = true;
    }
  }

  /** Joins the clocks of all that the program knows of. Not called while the engine makes progress. */
  void settle() {
    while (isOwing) {
      Owed next;
      synchronized (owed) {
        next = owed.poll();
        isOwing = !owed.isEmpty();
      }
      if (next != null) {
        clock.join(stream.await(next.peer, next.first, next.second, next.skipped));
      }
    }
  }

  // ---- windows

  void opened(long number, WindowRaces window) {
    windows.put(number, window);
  }

  void closed(long number) {
    windows.remove(number);
  }

  @Override
  public void read(int peer, long window, DataInputStream in) throws IOException {
    WindowRaces known = windows.get(window);
    if (known != null) {
      known.read(peer, in);
    }
  }

  /** Reads what other ranks have told, and compares their accesses with those of all. */
  void poll() {
    settle();
    stream.poll();
    windows.values().forEach(WindowRaces::compare);
  }

  // ---- what is found

  /** Keeps a finding that is thrown by a later call of this rank, and prints it where no call is under way. */
  void found(ErrorClass errorClass, String sentence, boolean print) {
    MpiException error = RaceFindings.add(self, errorClass, sentence);
    if (print) {
      print(error);
    }
    synchronized (found) {
      found.add(new Found(error, print));
    }
  }

  private void print(MpiException error) {
    System.err.println("ffmpi: rank " + self + ": " + error.getMessage());
  }

  /**
   * Throws the first finding since the last call, and prints the others. A call that makes or frees a common object is
   * left in peace, since the other ranks wait for each of its steps; a later call throws then.
   */
  void throwFound() {
    synchronized (found) {
      if (found.isEmpty()) {
        return;
      }
    }
    String call = CallName.ofThisThread();
    if (COMMON.stream().noneMatch(call::startsWith)) {
      throwFoundNow();
    }
  }

  /** Throws the first finding since the last call, whichever call this is, and prints the others. */
  void throwFoundNow() {
    MpiException first = firstFound();
    if (first != null) {
      throw first;
    }
  }

  private MpiException firstFound() {
    synchronized (found) {
      Found first = found.poll();
      printFound();
      return first == null ? null : first.error;
    }
  }

  /** Prints what has not been thrown when the rank leaves; returns whether there was something. */
  boolean printFound() {
    boolean any = false;
    synchronized (found) {
      for (Found each : found) {
        if (!each.isPrinted) {
          print(each.error);
        }
        any = true;
      }
      found.clear();
    }
    return any;
  }

  // ---- the end

  @Override
  protected void onMade(Object object, String kind) {}

  @Override
  protected void onFreed(Object object) {}

  @Override
  public boolean exchange(long nanos) {
    return true;
  }

  /** Returns what no call has thrown, and prints what is more than one error. */
  @Override
  public RuntimeException report() {
    poll();
    return firstFound();
  }

  /** Ends the search: the rank leaves. */
  void left() {
    BY_THREAD.values().removeIf(races -> races == this);
    if (last == this) {
      last = null;
    }
    TrackedMemory.left(this);
  }
}
