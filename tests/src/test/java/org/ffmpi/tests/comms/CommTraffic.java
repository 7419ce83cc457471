// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.tests.support.Data;

/**
 * Traffic on many communicators at once: messages with few tags, received with all kinds of wildcards, and collective
 * operations. Everything is started here, in an order of each rank's own, and completed by {@link #finish}; what comes
 * in shows by its content which communicator it was sent on.
 *
 * <p>Of each communicator a rank posts receives from given ranks first, whose messages follow from the plan, and then
 * one with both wildcards for each message that is left, which have to come in their senders' order.
 */
final class CommTraffic {
  private static final int TAGS = 3;
  private static final int LONGEST = 20_000;

  private record Message(int source, int dest, int tag, int length, long content) {}

  /** A receive and what has to come: null for whatever is left. */
  private record Expected(Request request, byte[] data, Message message, List<Message> left, CommTree.Node node) {}

  /** A collective operation and how to look at its result. */
  private record Collective(Request request, Runnable check) {}

  private final CommTree tree;
  private final RandomGenerator own;
  private final List<Request> sends = new ArrayList<>();
  private final List<Expected> receives = new ArrayList<>();
  private final List<Collective> collectives = new ArrayList<>();

  /** Starts traffic on some communicators of the tree. */
  static CommTraffic start(CommTree tree, List<CommTree.Node> nodes, RandomGenerator own) {
    return new CommTraffic(tree, nodes, own);
  }

  private CommTraffic(CommTree tree, List<CommTree.Node> nodes, RandomGenerator own) {
    this.tree = tree;
    this.own = own;
    List<Deque<Runnable>> queues = new ArrayList<>();
    for (CommTree.Node node : nodes) {
      List<Message> messages = messages(node);
      Deque<Runnable> calls = collectives(node); // decisions are taken for all communicators, own or not
      if (node.comm != null) {
        queues.add(calls);
        int rank = node.comm.rank();
        queues.add(new ArrayDeque<>(messages.stream().filter(m -> m.source() == rank)
            .map(m -> (Runnable) () -> send(node.comm, m)).toList()));
        queues.add(receives(node, messages.stream().filter(m -> m.dest() == rank).toList()));
      }
    }
    queues.removeIf(Deque::isEmpty);
    while (!queues.isEmpty()) {
      Deque<Runnable> queue = queues.get(own.nextInt(queues.size()));
      queue.remove().run();
      queues.removeIf(Deque::isEmpty);
    }
  }

  // ---- the plan

  private List<Message> messages(CommTree.Node node) {
    List<Message> messages = new ArrayList<>();
    int size = node.members.length;
    for (int source = 0; source < size; source++) {
      for (int n = tree.plan.nextInt(5); n > 0; n--) {
        int kind = tree.plan.nextInt(8);
        int length = tree.plan.nextInt(kind == 0 ? LONGEST : kind < 3 ? 2_000 : 50);
        messages.add(new Message(
            source, tree.plan.nextInt(size), tree.plan.nextInt(TAGS), length, tree.plan.nextLong()));
      }
    }
    return messages;
  }

  private void send(IntraComm comm, Message m) {
    byte[] data = Data.bytes(m.content(), m.length());
    sends.add(own.nextInt(4) == 0
        ? comm.issend(Buf.of(data), m.dest(), m.tag())
        : comm.isend(data, m.dest(), m.tag()));
  }

  private Deque<Runnable> receives(CommTree.Node node, List<Message> incoming) {
    Deque<Runnable> calls = new ArrayDeque<>();
    List<Message> left = new ArrayList<>(incoming);
    for (int n = own.nextInt(incoming.size() + 1); n > 0; n--) {
      Message any = left.get(own.nextInt(left.size()));
      int tag = own.nextBoolean() ? any.tag() : ANY_TAG;
      Message first = left.stream()
          .filter(m -> m.source() == any.source() && (tag == ANY_TAG || m.tag() == tag)).findFirst().orElseThrow();
      left.remove(first);
      calls.add(() -> receive(node, first.source(), tag, first.length(), first, null));
    }
    int room = left.stream().mapToInt(Message::length).max().orElse(0);
    for (int n = left.size(); n > 0; n--) {
      calls.add(() -> receive(node, ANY_SOURCE, ANY_TAG, room, null, left));
    }
    return calls;
  }

  private void receive(CommTree.Node node, int source, int tag, int room, Message message, List<Message> left) {
    byte[] data = new byte[room];
    receives.add(new Expected(node.comm.irecv(data, source, tag), data, message, left, node));
  }

  private Deque<Runnable> collectives(CommTree.Node node) {
    Deque<Runnable> calls = new ArrayDeque<>();
    IntraComm comm = node.comm;
    for (int n = tree.plan.nextInt(3); n > 0; n--) {
      int kind = tree.plan.nextInt(3);
      int root = tree.plan.nextInt(node.members.length);
      long value = tree.plan.nextLong();
      if (comm == null) {
        continue;
      }
      calls.add(() -> collectives.add(switch (kind) {
        case 0 -> new Collective(comm.ibarrier(), () -> { });
        case 1 -> {
          long[] data = {comm.rank() == root ? value : 0};
          yield new Collective(comm.ibcast(Buf.of(data), root), () -> assertEquals(value, data[0], node::toString));
        }
        default -> {
          long[] sum = {value + node.members[comm.rank()]};
          long expected = node.members.length * value;
          for (int member : node.members) {
            expected += member;
          }
          long total = expected;
          yield new Collective(
              comm.iallreduce(Buf.of(sum), Op.SUM), () -> assertEquals(total, sum[0], node::toString));
        }
      }));
    }
    return calls;
  }

  // ---- the end

  /** Completes everything; communicators may have been freed meanwhile. */
  void finish() {
    for (Expected e : receives) {
      Status status = e.request().await(new Status());
      Message m = e.message();
      if (m == null) {
        m = e.left().stream().filter(l -> l.source() == status.source()).findFirst().orElse(null);
        assertNotNull(m, () -> e.node() + ": a message too many from rank " + status.source());
        e.left().remove(m);
      }
      Message expected = m;
      assertEquals(expected.source(), status.source(), () -> e.node() + ": " + expected);
      assertEquals(expected.tag(), status.tag(), () -> e.node() + ": " + expected);
      assertEquals(expected.length(), status.bytes(), () -> e.node() + ": " + expected);
      Data.check(e.data(), 0, expected.content(), expected.length());
    }
    Request.waitAll(sends);
    for (Collective c : collectives) {
      c.request().await();
      c.check().run();
    }
  }
}
