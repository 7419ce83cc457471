// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A small program of sends, receives, tests and probes, as data: the ranks run it, and a model enumerates it. */
final class TinyProgram {
  /** The calls of such programs. */
  enum Code {
    /** A blocking standard send. */
    SEND,
    /** A blocking receive. */
    RECV,
    /** A receive that is started. */
    IRECV,
    /** The wait for a started receive. */
    WAIT,
    /** One test of a started receive. */
    TEST,
    /** The wait for one of two started receives. */
    WAIT_ANY,
    /** A probe that does not block. */
    IPROBE
  }

  /**
   * A call.
   *
   * @param peer destination or source, -1 for any
   * @param tag tag, -1 for any
   * @param request number of the started receive among those of the rank; of WAIT_ANY the first of two
   */
  record Step(Code code, int peer, int tag, int request) {}

  final List<List<Step>> ranks = new ArrayList<>();

  static TinyProgram random(Random random) {
    TinyProgram program = new TinyProgram();
    int size = 2 + random.nextInt(2);
    int messages = 2 + random.nextInt(size == 2 ? 4 : 4);
    List<List<Step>> sends = new ArrayList<>();
    List<List<int[]>> incoming = new ArrayList<>();
    for (int r = 0; r < size; r++) {
      program.ranks.add(new ArrayList<>());
      sends.add(new ArrayList<>());
      incoming.add(new ArrayList<>());
    }
    int sink = random.nextInt(size);
    for (int m = 0; m < messages; m++) {
      int to = random.nextInt(3) > 0 ? sink : random.nextInt(size);
      int from = (to + 1 + random.nextInt(size - 1)) % size;
      int tag = random.nextInt(3) == 0 ? 1 : 0;
      sends.get(from).add(new Step(Code.SEND, to, tag, -1));
      incoming.get(to).add(new int[] {from, tag});
    }
    for (int r = 0; r < size; r++) {
      program.fill(r, sends.get(r), incoming.get(r), random);
    }
    return program;
  }

  /** Mixes the sends of a rank with receives for what comes to it. */
  private void fill(int rank, List<Step> sends, List<int[]> incoming, Random random) {
    List<List<Step>> pieces = new ArrayList<>();
    sends.forEach(send -> pieces.add(List.of(send)));
    Collections.shuffle(incoming, random);
    int requests = 0;
    boolean probed = false;
    for (int i = 0; i < incoming.size(); i++) {
      int[] message = incoming.get(i);
      int peer = random.nextInt(4) > 0 ? -1 : message[0];
      int tag = random.nextInt(3) > 0 ? -1 : message[1];
      int form = random.nextInt(6);
      if (form == 5 && i + 1 < incoming.size()) {
        i++;
        pieces.add(List.of(new Step(Code.IRECV, peer, tag, requests), new Step(Code.IRECV, -1, -1, requests + 1)));
        pieces.add(List.of(new Step(Code.WAIT_ANY, -1, -1, requests), new Step(Code.WAIT, -1, -1, requests),
            new Step(Code.WAIT, -1, -1, requests + 1)));
        requests += 2;
      } else if (form >= 3) {
        pieces.add(List.of(new Step(Code.IRECV, peer, tag, requests)));
        pieces.add(form == 3
            ? List.of(new Step(Code.WAIT, -1, -1, requests))
            : List.of(new Step(Code.TEST, -1, -1, requests), new Step(Code.WAIT, -1, -1, requests)));
        requests++;
      } else if (form == 2 && !probed && random.nextInt(3) == 0) {
        probed = true; // a message is missed once only, so that a second probe could not always miss it
        pieces.add(List.of(new Step(Code.IPROBE, peer, tag, -1), new Step(Code.RECV, peer, tag, -1)));
      } else {
        pieces.add(List.of(new Step(Code.RECV, peer, tag, -1)));
      }
    }
    List<Step> steps = ranks.get(rank);
    List<List<Step>> queue = new ArrayList<>(pieces);
    while (!queue.isEmpty()) {
      int at = random.nextInt(queue.size());
      int request = queue.get(at).getFirst().request();
      if (request >= 0) { // its start comes first
        at = first(queue, request);
      }
      steps.addAll(queue.remove(at));
    }
  }

  private static int first(List<List<Step>> queue, int request) {
    for (int i = 0; i < queue.size(); i++) {
      Step step = queue.get(i).getFirst();
      Step last = queue.get(i).getLast();
      if (step.request() == request || last.request() == request && step.code() == Code.IRECV) {
        return i;
      }
    }
    throw new IllegalStateException();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int r = 0; r < ranks.size(); r++) {
      text.append("rank ").append(r).append(": ").append(ranks.get(r)).append('\n');
    }
    return text.toString();
  }
}
