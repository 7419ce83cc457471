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

/**
 * The collective calls of one communicator at one rank, where everything is checked. Each rank tells each other one
 * what it calls, in a note that is sent before anything else happens and waits for nobody. A call begins when the notes
 * of all ranks are there and agree, and all earlier calls have begun: so calls begin in the same order at all ranks,
 * in whichever thread finds that they may.
 *
 * <p>A rank that refuses the arguments of a call tells the others so and is done with it. When its turn comes, the
 * others that have made this call get an error. Others that have all made the same other call pass it over and
 * wait for that rank's next note. Since all ranks know all notes, all decide alike.
 *
 * <p>Any thread may call. The lock is held for bounded work only, and never by a thread that waits: the engine may call
 * another communicator's calls back meanwhile.
 */
final class ComparedCalls implements Channel.Order {
  /** What notes arrive for: wakes whoever waits for a call. Never complete. */
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

  /** Set by a thread that finds the lock taken, for the one that has it. */
  private volatile boolean called;

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

  /** Tells the other ranks that this one has refused the arguments of a call. Does not wait. */
  void refuse(CollectiveFacts facts) {
    add(facts.note(), null, null);
    if (called) {
      advance();
    }
  }

  /** Blocks until all ranks have made the call; returns in what they differ, or null. */
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

  // ---- their turn

  /** Begins or ends the calls whose turn has come; never waits for another rank. Returns whether there was one. */
  boolean advance() {
    if (lock.isHeldByCurrentThread()) {
      return false; // called back: the caller is about to look again
    }
    boolean moved = false;
    called = true;
    while (called && lock.tryLock()) {
      try {
        called = false;
        while (advanceFirst()) {
          moved = true;
        }
      } finally {
        lock.unlock();
      }
    }
    return moved;
  }

  /** Takes a call of the queue as far as it gets; returns whether there is more to do. */
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
   * notes that tell what becomes of the refused ones.
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
      notes[i] = streams[i] == null ? front.note() : streams[i].look();
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
    if (comparison.isOfOthers()) {
      passOver(comparison);
      return true;
    }
    for (NoteStream stream : streams) {
      if (stream != null) {
        stream.take();
      }
    }
    MpiException mistake = comparison.mistake();
    if (mistake == null) {
      front.agree();
      front.wake(); // its thread may be the only one that may begin it
      return true;
    }
    queue.remove();
    front.refuse(mistake);
    return true;
  }

  /** Takes the notes of calls that have been refused, and that the other ranks have not made. */
  private void passOver(CollectiveComparison comparison) {
    for (int i = 0; i < streams.length; i++) {
      if (comparison.isRefused(i) && streams[i] != null) {
        streams[i].take();
      } else if (comparison.isRefused(i)) {
        queue.remove();
      }
    }
  }
}
