// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.analysis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.ffmpi.trace.model.CallKind;
import org.ffmpi.trace.model.CompletedRequest;
import org.ffmpi.trace.model.JobRecording;
import org.ffmpi.trace.model.RankRecording;
import org.ffmpi.trace.model.TracedCall;

/**
 * Ranks that send and receive at random, as MPI would have it: each receiver has a queue of posted receives and one of
 * unexpected messages, and both are searched from the front. Every message is received in the end. Knows which send met
 * which receive.
 */
final class RandomTraffic {
  /** A send and the receive that it met, by the numbers of their calls within their ranks. */
  record Pair(int sender, int send, int receiver, int posted) {}

  private static final int ANY_SOURCE = -1;
  private static final int ANY_TAG = -2;

  private static final class Msg {
    int sender;
    int send;
    int receiver;
    long comm;
    int tag;
    long bytes;
  }

  private static final class Post {
    int rank;
    int call;
    long request;
    int source;
    long comm;
    int tag;
    Msg message;

    boolean takes(Msg each) {
      return comm == each.comm && (source == ANY_SOURCE || source == each.sender)
          && (tag == ANY_TAG || tag == each.tag);
    }
  }

  private final Random random;
  private final boolean wildcards;
  private final List<List<TracedCall>> calls = new ArrayList<>();
  private final List<List<Post>> posted = new ArrayList<>();
  private final List<List<Msg>> unexpected = new ArrayList<>();
  private final List<Map<Long, Post>> pending = new ArrayList<>();
  private final List<Pair> pairs = new ArrayList<>();
  private final int ranks;
  private long now = 1000;
  private long request;

  RandomTraffic(Random random, int ranks, int steps, boolean wildcards) {
    this.random = random;
    this.ranks = ranks;
    this.wildcards = wildcards;
    for (int i = 0; i < ranks; i++) {
      calls.add(new ArrayList<>());
      posted.add(new ArrayList<>());
      unexpected.add(new ArrayList<>());
      pending.add(new HashMap<>());
    }
    for (int i = 0; i < steps; i++) {
      step(random.nextInt(ranks));
    }
    finish();
  }

  List<Pair> pairs() {
    return pairs;
  }

  /** Returns the trace without the first and the last calls of each rank. */
  JobRecording recording(int[] lost, int[] kept) {
    List<RankRecording> recordings = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      List<TracedCall> all = calls.get(rank);
      int end = Math.min(kept[rank], all.size());
      recordings.add(new RankRecording(
          rank, 0, 0, lost[rank], end == all.size(), all.subList(Math.min(lost[rank], end), end), List.of()));
    }
    return new JobRecording("random", recordings, List.of());
  }

  int size(int rank) {
    return calls.get(rank).size();
  }

  private void step(int rank) {
    switch (random.nextInt(6)) {
      case 0, 1 -> send(rank, random.nextInt(ranks), random.nextInt(2), random.nextInt(3));
      case 2, 3 -> post(
          rank, wildcards && random.nextBoolean() ? ANY_SOURCE : random.nextInt(ranks), random.nextInt(2),
          wildcards && random.nextInt(3) == 0 ? ANY_TAG : random.nextInt(3));
      case 4 -> receiveUnexpected(rank, random.nextBoolean());
      default -> waitForOne(rank);
    }
  }

  private void finish() {
    for (int rank = 0; rank < ranks; rank++) {
      while (!posted.get(rank).isEmpty()) {
        Post post = posted.get(rank).getFirst();
        send(post.source == ANY_SOURCE ? random.nextInt(ranks) : post.source, rank, post.comm,
            post.tag == ANY_TAG ? 1 : post.tag);
      }
      while (!unexpected.get(rank).isEmpty()) {
        receiveUnexpected(rank, false);
      }
    }
    for (int rank = 0; rank < ranks; rank++) {
      while (!pending.get(rank).isEmpty()) {
        waitForOne(rank);
      }
    }
  }

  private void send(int rank, int receiver, long comm, int tag) {
    Msg message = new Msg();
    message.sender = rank;
    message.send = calls.get(rank).size();
    message.receiver = receiver;
    message.comm = comm;
    message.tag = tag;
    message.bytes = random.nextInt(4);
    add(rank, CallKind.SEND, comm, receiver, tag, message.bytes, 0, List.of());
    for (Iterator<Post> each = posted.get(receiver).iterator(); each.hasNext();) {
      Post post = each.next();
      if (post.takes(message)) {
        each.remove();
        meet(post, message);
        return;
      }
    }
    unexpected.get(receiver).add(message);
  }

  private void post(int rank, int source, long comm, int tag) {
    Post post = new Post();
    post.rank = rank;
    post.call = calls.get(rank).size();
    post.request = ++request;
    post.source = source;
    post.comm = comm;
    post.tag = tag;
    add(rank, CallKind.IRECV, comm, source, tag, 100, post.request, List.of());
    pending.get(rank).put(post.request, post);
    for (Iterator<Msg> each = unexpected.get(rank).iterator(); each.hasNext();) {
      Msg message = each.next();
      if (post.takes(message)) {
        each.remove();
        meet(post, message);
        return;
      }
    }
    posted.get(rank).add(post);
  }

  /** Receives an unexpected message by a blocking receive, or takes it by a probe. */
  private void receiveUnexpected(int rank, boolean probes) {
    if (!unexpected.get(rank).isEmpty()) {
      Post post = new Post();
      Msg wanted = unexpected.get(rank).getFirst();
      post.rank = rank;
      post.call = calls.get(rank).size();
      post.source = wildcards && random.nextBoolean() ? ANY_SOURCE : wanted.sender;
      post.tag = wanted.tag;
      post.comm = wanted.comm;
      for (Iterator<Msg> each = unexpected.get(rank).iterator(); each.hasNext();) {
        Msg message = each.next();
        if (post.takes(message)) {
          each.remove();
          meet(post, message);
          long number = probes ? ++request : 0;
          add(rank, probes ? CallKind.MPROBE : CallKind.RECV, post.comm, post.source, post.tag, 100, number,
              List.of(new CompletedRequest(0, message.sender, message.tag, message.bytes, false)));
          if (probes) {
            add(rank, CallKind.MRECV, post.comm, post.source, post.tag, 100, number, List.of());
          }
          return;
        }
      }
    }
  }

  private void waitForOne(int rank) {
    List<Post> complete = new ArrayList<>();
    pending.get(rank).values().forEach(post -> {
      if (post.message != null) {
        complete.add(post);
      }
    });
    if (!complete.isEmpty()) {
      Post post = complete.get(random.nextInt(complete.size()));
      pending.get(rank).remove(post.request);
      add(rank, CallKind.WAIT, -1, TracedCall.NONE, TracedCall.NONE, 0, 0, List.of(new CompletedRequest(
          post.request, post.message.sender, post.message.tag, post.message.bytes, false)));
    }
  }

  private void meet(Post post, Msg message) {
    post.message = message;
    pairs.add(new Pair(message.sender, message.send, post.rank, post.call));
  }

  private void add(int rank, CallKind kind, long comm, int peer, int tag, long bytes, long number,
      List<CompletedRequest> completed) {
    now += 10;
    calls.get(rank).add(new TracedCall(
        now, now + 5, kind, kind.name().toLowerCase(java.util.Locale.ROOT), null, comm, peer, tag, bytes, null, number,
        -1, completed));
  }
}
