// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.shm.memory.CrossMemory;
import org.ffmpi.shm.progress.Departures;

/**
 * The transfer of payload at the receiver, after the envelope is matched. Payload is copied out of the sender's memory,
 * or unpacked from the pair's pipe. Called with the rank's lock held. The mirror of {@link RendezvousSender}.
 */
final class RendezvousReceiver {
  private final Endpoint endpoint;
  private final CrossMemory cross;
  private final UnexpectedMessages unexpected;

  /** Null where all ranks share memory. */
  private final Remote remote;

  private final TransferIds ids = new TransferIds();

  /** By peer; null before its first piped message. */
  private final PipeReceiver[] pipes;

  /** By peer; null before its first cross-memory message. */
  private final TransferTimes[] times;

  /** The copies that are not finished, the oldest first. */
  private final List<OneCopy> copies = new ArrayList<>();

  /** Bytes copied out of senders' memory so far; polling bounds its work by them. */
  private long copied;

  /** Messages whose transfer has begun, and their bytes. */
  private long messages;

  private long bytes;

  RendezvousReceiver(Endpoint endpoint, CrossMemory cross, UnexpectedMessages unexpected, Remote remote) {
    this.endpoint = endpoint;
    this.cross = cross;
    this.unexpected = unexpected;
    this.remote = remote;
    this.pipes = new PipeReceiver[endpoint.segment().ranks()];
    this.times = new TransferTimes[pipes.length];
  }

  /** Returns whether payload comes in outside of the rings. */
  boolean hasTransfers() {
    return !copies.isEmpty() || ids.inFlight() != 0 || remote != null && !remote.receives().isEmpty();
  }

  /** Returns the number of bytes copied out of senders' memory so far. */
  long copied() {
    return copied;
  }

  /** Returns the number of messages whose transfer has begun. Racy. */
  long messages() {
    return messages;
  }

  /** Returns their bytes. Racy. */
  long bytes() {
    return bytes;
  }

  /** Returns the pipe from a peer; null before its first piped message. */
  PipeReceiver pipe(int peer) {
    return pipes[peer];
  }

  /**
   * Claims a cancellable message, unless its sender has cancelled it; other messages need no claim.
   *
   * @return false when it is cancelled
   * @throws MpiException ERR_INTERN when the completion word belongs to no message with this envelope
   */
  static boolean claim(int info, long word, int generation) {
    if ((info & EnvelopeLayout.CANCELLABLE) == 0
        || CompletionWordLayout.cas(word, generation, CompletionWordLayout.PENDING, CompletionWordLayout.CLAIMED)) {
      return true;
    }
    if (!CompletionWordLayout.isCancelled(word, generation)) {
      throw new MpiException(
          ErrorClass.ERR_INTERN,
          "an envelope of generation " + generation + " names a completion word that was never its own");
    }
    return false;
  }

  /** Sets a completion word to DONE, and wakes its sender. */
  void signalDone(long word, int generation, int peer) {
    CompletionWordLayout.setReleaseState(word, generation, CompletionWordLayout.DONE);
    if (Remote.isRemote(remote, peer)) {
      remote.mirrors().signal(word, CompletionWordLayout.DONE);
      return;
    }
    endpoint.wake(endpoint.segment().rankBlock(peer));
  }

  // ---------------------------------------------------------------- start

  /** Starts the transfer of a matched message, and discards it; an impossible envelope ends the receive. */
  void start(UnexpectedMessage m, RecvOp op) {
    messages++;
    bytes += m.total;
    try {
      if (Remote.isRemote(remote, m.peer())) {
        remote.receives().start(m, op, (m.info & EnvelopeLayout.READABLE) != 0);
        unexpected.discard(m);
        return;
      }
      if (EnvelopeLayout.kind(m.info) == EnvelopeLayout.DIRECT) {
        startDirect(m, op);
        return;
      }
      boolean readable =
          (m.info & EnvelopeLayout.READABLE) != 0 && cross.mayRead(endpoint.segment().process(m.peer()));
      if (readable && times(m.peer()).readsNext(m.total)) {
        startCross(m, op);
      } else {
        op.startedAt = readable ? System.nanoTime() : 0;
        startPiped(m.at, m.peer(), m.word, m.generation, op);
        unexpected.discard(m);
      }
    } catch (MpiException impossible) {
      op.finish(impossible);
    }
  }

  private TransferTimes times(int peer) {
    if (times[peer] == null) {
      times[peer] = new TransferTimes();
    }
    return times[peer];
  }

  /** Sets a message to MATCHED, so that its sender streams it into the pipe at the segment offset {@code at}. */
  private void startPiped(long at, int peer, long word, int generation, RecvOp op) {
    PipeReceiver pipe = openPipe(at, peer);
    pipe.expected++;
    op.word = word;
    op.generation = generation;
    CompletionWordLayout.setPlainTransfer(word, ids.claim(op, peer));
    CompletionWordLayout.setReleaseState(word, generation, CompletionWordLayout.MATCHED);
    endpoint.wake(endpoint.segment().rankBlock(peer));
  }

  private PipeReceiver openPipe(long at, int peer) {
    PipeReceiver pipe = pipes[peer];
    if (pipe == null || endpoint.offset(pipe.address()) != at) {
      long address = endpoint.segment().line(at, PipeLayout.DATA_OFFSET);
      long capacity = PipeLayout.getPlainCapacity(address);
      if (!PipeLayout.isCapacity(capacity) || pipe != null) {
        throw new MpiException(ErrorClass.ERR_INTERN, "rank " + peer + " announces an impossible pipe at " + at);
      }
      endpoint.segment().address(at, PipeLayout.bytes((int) capacity));
      pipe = new PipeReceiver(endpoint, ids, times(peer), peer, address, (int) capacity);
      pipes[peer] = pipe;
    }
    return pipe;
  }

  private void startCross(UnexpectedMessage m, RecvOp op) {
    CrossTransfer transfer = new CrossTransfer(op, m, endpoint.segment().process(m.peer()), cross, times(m.peer()));
    unexpected.discard(m);
    step(transfer);
    if (!endIfOver(transfer)) {
      copies.add(transfer);
    }
  }

  private void startDirect(UnexpectedMessage m, RecvOp op) {
    Plan plan = m.layout == 0 ? null : endpoint.types().plan(m.layout);
    long source = plan == null ? endpoint.segment().address(m.at, m.total) : elements(m, plan);
    long bytes = Math.min(m.total, op.capacity());
    if (bytes <= OneCopy.STEP && op.isWritableHere()) {
      op.transfer(source, plan, m.count, 0, bytes); // the usual case needs no object
      copied += bytes;
      signalDone(m.word, m.generation, m.peer());
      unexpected.discard(m);
      op.finish();
      return;
    }
    copies.add(new DirectTransfer(op, m, source, plan, bytes));
    unexpected.discard(m);
  }

  /** Returns the address of a peer's elements, after checking that all of their data lies in the segment. */
  private long elements(UnexpectedMessage m, Plan plan) {
    try {
      long last = Math.multiplyExact(Math.subtractExact(m.count, 1), plan.extent());
      long first = Math.addExact(Math.addExact(m.at, plan.trueLowerBound()), Math.min(0, last));
      long span = Math.addExact(plan.trueExtent(), Math.absExact(last));
      if (m.count > 0 && plan.packedBytes(m.count) == m.total) {
        endpoint.segment().address(first, span);
        return endpoint.segment().base() + m.at;
      }
    } catch (ArithmeticException e) {
      // as impossible as a wrong total
    }
    throw new MpiException(
        ErrorClass.ERR_INTERN,
        "rank " + m.peer() + " announces " + m.total + " bytes in " + m.count + " elements of " + plan.size()
            + " bytes, extent " + plan.extent() + ", at " + m.at);
  }

  // ---------------------------------------------------------------- transfer

  /** Moves payload of transfers in flight, a bounded amount; returns the number of moves. */
  int poll() {
    int moved = 0;
    long until = copied + OneCopy.STEP;
    for (int i = 0; i < copies.size() && copied < until; ) { // the oldest first, so that it ends soon
      OneCopy copy = copies.get(i);
      moved += step(copy) ? 1 : 0;
      if (endIfOver(copy)) {
        copies.remove(i);
      } else {
        i++;
      }
    }
    if (ids.inFlight() != 0) {
      for (PipeReceiver pipe : pipes) {
        if (pipe != null && pipe.expected > 0) {
          moved += pipe.poll();
        }
      }
    }
    return moved;
  }

  /** Does one step of a copy; returns whether something moved. */
  private boolean step(OneCopy copy) {
    long bytes = copy.step();
    copied += bytes;
    return bytes != 0 || copy.state() != OneCopy.State.COPYING;
  }

  /** Completes a copy that is over, or starts the pipe if the kernel has refused it; returns whether it did either. */
  private boolean endIfOver(OneCopy copy) {
    switch (copy.state()) {
      case COPYING -> {
        return false;
      }
      case OVER -> {
        signalDone(copy.word, copy.generation, copy.peer);
        copy.op.finish();
      }
      case REFUSED -> {
        copy.op.startedAt = 0;
        startPiped(((CrossTransfer) copy).pipe, copy.peer, copy.word, copy.generation, copy.op);
      }
    }
    return true;
  }

  /** Fails when a pipe is corrupt. */
  void verify() {
    if (ids.inFlight() != 0) {
      for (PipeReceiver pipe : pipes) {
        if (pipe != null) {
          pipe.verify();
        }
      }
    }
  }

  /** Consumes the rest of a departed peer's pipe; returns the number of chunks. */
  int drain(int peer) {
    PipeReceiver pipe = pipes[peer];
    return pipe == null ? 0 : pipe.poll();
  }

  /** Ends the transfers from dead peers. */
  void failAfter(Departures departures) {
    for (int i = copies.size() - 1; i >= 0; i--) {
      OneCopy copy = copies.get(i);
      if (departures.isDead(copy.peer)) {
        copies.remove(i);
        copy.op.finish(departures.receiveError(copy.peer));
      }
    }
    for (int peer = 0; peer < pipes.length; peer++) {
      if (pipes[peer] != null && departures.isDead(peer)) {
        failPipe(pipes[peer], departures.receiveError(peer));
      }
      if (Remote.isRemote(remote, peer) && departures.isDead(peer)) {
        remote.receives().failAllFrom(peer, departures.receiveError(peer));
      }
    }
  }

  private void failPipe(PipeReceiver pipe, MpiException error) {
    RecvOp streaming = pipe.abandon();
    if (streaming != null) {
      streaming.finish(error);
    }
    ids.releaseAllOf(pipe.peer(), op -> {
      pipe.expected--;
      ids.end();
      op.finish(error);
    });
  }
}
