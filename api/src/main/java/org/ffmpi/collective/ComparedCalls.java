// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.Failures;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitNote;

/**
 * The collective calls of one communicator at one rank, where everything is checked. Each rank first sends each other
 * one a note of its call, without waiting. A call begins when the notes of all ranks have arrived and agree, and all
 * earlier calls have begun: so calls begin in the same order at all ranks, in any thread that makes progress.
 *
 * <p>A rank that refuses the arguments of a call sends a note of that and has ended the call. At its turn, the others
 * that have made this call get an error. Others that have all made the same other call pass it over and wait for that
 * rank's next note. Since all ranks have all notes, all decide alike.
 *
 * <p>Any thread may call. The lock is held for bounded work only, and never by a thread that waits: the engine may call
 * another communicator's calls back meanwhile.
 */
final class ComparedCalls implements Channel.Order {
  /** The parent of receives of notes, which wakes the threads that wait for calls. Never complete. */
  private final class Listener extends Operation {
    @Override
    protected void childCompleted() {
      for (ComparedCall call : queue) {
        call.wake();
      }
    }
  }

  private final Channel channel;
  private final ComparedRanks ranks;
  private final NoteStream[] streams;

  /** Calls that have not begun. Changed with the lock held, read without by {@link Listener}. */
  private final Queue<ComparedCall> queue = new ConcurrentLinkedQueue<>();

  private final ReentrantLock lock = new ReentrantLock();

  /** Set by each thread that wants to advance, for the one that holds the lock. */
  private volatile boolean advanceRequested;

  ComparedCalls(Channel channel) {
    this.channel = channel;
    this.ranks = new ComparedRanks(channel);
    this.streams = new NoteStream[ranks.size()];
    Listener listener = new Listener();
    for (int i = 0; i < streams.length; i++) {
      streams[i] = i == ranks.self() ? null : new NoteStream(channel, ranks.peer(i), listener);
    }
  }

  // ---- calls

  /** Sends the other ranks a note that this one has refused the arguments of a call. Does not wait. */
  void refuse(CollectiveFacts facts) {
    add(facts.note(), null, null);
    if (advanceRequested) {
      advance();
    }
  }

  /** Blocks until all ranks have made the call; returns the error for a mismatch, or null. */
  MpiException compare(CollectiveFacts facts) {
    try {
      return await(add(facts.note(), null, null));
    } catch (RuntimeException e) {
      return Failures.translate(e);
    }
  }

  /**
   * Starts an operation when all ranks agree about it; does not wait.
   *
   * @param onlyThread the thread that has to start it, or null for any
   */
  Operation start(CollectiveFacts facts, Supplier<Operation> start, Thread onlyThread) {
    return register(add(facts.note(), start, onlyThread));
  }

  @Override
  public void await() {
    MpiException error = await(add(null, null, null));
    if (error != null) {
      throw error;
    }
  }

  @Override
  public Operation after(Supplier<Operation> start) {
    return register(add(null, start, null));
  }

  @Override
  public void close() {
    await();
    lock.lock();
    try {
      for (NoteStream stream : streams) {
        if (stream != null) {
          stream.close();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private ComparedCall add(long[] note, Supplier<Operation> start, Thread onlyThread) {
    ComparedCall call = new ComparedCall(this, note, start, onlyThread);
    lock.lock();
    try {
      queue.add(call);
      for (NoteStream stream : streams) {
        if (note != null && stream != null) {
          stream.send(note);
        }
      }
    } finally {
      lock.unlock();
    }
    return call;
  }

  private MpiException await(ComparedCall call) {
    call.advance();
    if (!call.isDone()) {
      channel.engine().await(call);
    }
    return call.error();
  }

  private Operation register(ComparedCall call) {
    call.advance();
    if (!call.isDone()) {
      channel.engine().register(call);
    }
    return call;
  }

  /** Describes a call that has not begun; does not wait for the lock. */
  void describe(ComparedCall call, WaitNote into) {
    int before = 0;
    for (ComparedCall other : queue) {
      if (other == call) {
        break;
      }
      before += other.note() == null || CollectiveFacts.isRefused(other.note()) ? 0 : 1;
    }
    into.collective(
        CollectiveFacts.operation(call.note()), channel.collective(), channel.begunCollectives() + before,
        CollectiveFacts.root(call.note()), -1);
    if (before == 0 && lock.tryLock()) {
      try {
        for (int i = 0; i < streams.length; i++) {
          if (streams[i] != null && streams[i].isMissing()) {
            into.peer(ranks.peer(i));
            return;
          }
        }
      } finally {
        lock.unlock();
      }
    }
  }

  // ---- turns

  /** Begins or ends the calls whose turn has come; never waits for another rank. Returns whether there was one. */
  boolean advance() {
    if (lock.isHeldByCurrentThread()) {
      return false; // called back: the caller advances once more
    }
    boolean moved = false;
    advanceRequested = true;
    while (advanceRequested && lock.tryLock()) {
      try {
        advanceRequested = false;
        while (advanceFirst()) {
          moved = true;
        }
      } finally {
        lock.unlock();
      }
    }
    return moved;
  }

  /** Advances the first call of the queue; returns whether there is more to do. */
  private boolean advanceFirst() {
    ComparedCall front = queue.peek();
    if (front == null) {
      return false;
    }
    if (!front.isAgreed()) {
      return compare(front) || CollectiveFacts.isRefused(front.note()) && beginBehindRefused();
    }
    if (!front.mayBegin()) {
      return false;
    }
    queue.remove();
    front.begin();
    return true;
  }

  /**
   * Begins the first call that this rank has not refused, if it is not compared: the other ranks may never send the
   * notes that decide about the refused ones.
   */
  private boolean beginBehindRefused() {
    for (ComparedCall call : queue) {
      if (call.note() == null) {
        queue.remove(call);
        call.begin();
        return true;
      }
      if (!CollectiveFacts.isRefused(call.note())) {
        return false;
      }
    }
    return false;
  }

  private boolean compare(ComparedCall front) {
    long[][] notes = new long[streams.length][];
    boolean all = true;
    for (int i = 0; i < streams.length; i++) {
      notes[i] = streams[i] == null ? front.note() : streams[i].peek();
      all &= notes[i] != null;
      if (streams[i] != null && streams[i].broken() != null) {
        queue.remove();
        front.refuse(streams[i].broken());
        return true;
      }
    }
    if (!all) {
      return false;
    }
    CollectiveComparison comparison = new CollectiveComparison(ranks, notes);
    if (comparison.isRefusedElsewhere()) {
      passOver(comparison);
      return true;
    }
    for (NoteStream stream : streams) {
      if (stream != null) {
        stream.consume();
      }
    }
    MpiException mismatch = comparison.mismatch();
    if (mismatch == null) {
      front.agree();
      front.wake(); // its thread may be the only one that may begin it
      return true;
    }
    queue.remove();
    front.refuse(mismatch);
    return true;
  }

  /** Consumes the notes of calls that have been refused, and that the other ranks have not made. */
  private void passOver(CollectiveComparison comparison) {
    for (int i = 0; i < streams.length; i++) {
      if (comparison.isRefused(i) && streams[i] != null) {
        streams[i].consume();
      } else if (comparison.isRefused(i)) {
        queue.remove();
      }
    }
  }
}
