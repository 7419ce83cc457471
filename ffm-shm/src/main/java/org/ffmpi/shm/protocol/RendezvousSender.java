// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.ffmpi.shm.progress.BrokenChannels;
import org.ffmpi.shm.progress.Departures;

/**
 * The transfer of payload at the sender, after the envelope. Completion words are watched, and matched messages
 * streamed into pipes. Called with the rank's lock held. The mirror of {@link RendezvousReceiver}.
 */
final class RendezvousSender {
  private final CompletionWords words;
  private final OutboundRings outbound;
  private final Remote remote;
  private final Consumer<SendOp> onMatched = this::startTransfer;
  private final Consumer<SendOp> onDone = SendOp::finish;

  /** Number of pipes with a message in them. */
  private int busyPipes;

  /**
   * Creates the transfers of one rank.
   *
   * @param words the rank's completion words
   * @param outbound the ways to its peers
   * @param remote the parts for peers on other nodes, or null
   */
  public RendezvousSender(CompletionWords words, OutboundRings outbound, Remote remote) {
    this.words = words;
    this.outbound = outbound;
    this.remote = remote;
  }

  /** Returns whether {@link #poll} may move something. Racy. */
  boolean hasWork() {
    return !words.isEmpty() || busyPipes != 0 || remote != null && !remote.sends().isEmpty();
  }

  /** Moves matched messages, a bounded amount; returns the number of things moved. */
  int poll() {
    int moved = words.isEmpty() ? 0 : words.scan(onMatched, onDone);
    if (busyPipes != 0) {
      moved += pushPipes();
    }
    return moved;
  }

  private void startTransfer(SendOp op) {
    busyPipes += outbound.to(op.peer).startTransfer(op);
  }

  private int pushPipes() {
    int moved = 0;
    for (int i = 0; i < outbound.localSize(); i++) {
      PipeSender pipe = outbound.localPipe(i);
      if (pipe != null && !pipe.isIdle()) {
        moved += pipe.push();
        if (pipe.isIdle()) {
          busyPipes--;
        }
      }
    }
    return moved;
  }

  /** Reads all completion words, where {@link #poll} reads some. */
  void scanAll() {
    for (int rounds = words.rounds(); rounds > 0; rounds--) {
      words.scan(onMatched, onDone);
    }
  }

  /** Returns whether a send of some contexts is under way. */
  boolean any(LongPredicate contexts) {
    if (words.any(contexts) || remote != null && remote.sends().any(contexts)) {
      return true;
    }
    for (int i = 0; busyPipes > 0 && i < outbound.localSize(); i++) {
      PipeSender pipe = outbound.localPipe(i);
      if (pipe != null && pipe.any(contexts)) {
        return true;
      }
    }
    return false;
  }

  /** Passes every send that waits for its peer or streams to it to a consumer. */
  void forEach(Consumer<SendOp> to) {
    words.forEach(to);
    if (remote != null) {
      remote.sends().forEach(to);
    }
    for (int i = 0; busyPipes > 0 && i < outbound.localSize(); i++) {
      PipeSender pipe = outbound.localPipe(i);
      if (pipe != null) {
        pipe.forEach(to);
      }
    }
  }

  /** Ends the unmatched sends of broken channels. */
  void failBroken(BrokenChannels broken) {
    for (SendOp op : words.cancelIf(op -> broken.isBroken(op.context))) {
      op.finish(broken.error(op.context));
    }
  }

  /** Ends the transfers to a departed peer. */
  void failAllTo(int peer, Departures departures) {
    words.unwatchIf(op -> op.peer == peer, op -> op.finish(departures.sendError(peer)));
    if (outbound.isMade(peer)) {
      busyPipes -= outbound.to(peer).failTransfers(departures);
    }
  }
}
