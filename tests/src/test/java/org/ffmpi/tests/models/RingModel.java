// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.models;

/**
 * Rings of two slots from one or two senders to one receiver: records, credit, sleep on both sides. The steps are those
 * of {@code RingProducer} and {@code RingConsumer}.
 */
final class RingModel extends Sleeping {
  private static final int SLOTS = 2;
  private static final int RING = 2 * SLOTS + 1;

  // Places of a sender.
  private static final int CLAIM = 0;
  private static final int BODY = 1;
  private static final int PUBLISH = 2;
  private static final int BODY_LATE = 3;
  private static final int TELL_RECEIVER = 4;

  // Places of the receiver.
  private static final int PEEK = 20;
  private static final int READ = 21;
  private static final int CREDIT = 22;
  private static final int READ_LATE = 23;
  private static final int TELL_SENDER = 24;

  // Locals of a sender.
  private static final int TAIL = OWN;
  private static final int KNOWN = OWN + 1;

  // Locals of the receiver: for each ring its head, then the ring in hand.
  private static final int HEAD = OWN;
  private static final int IN_HAND = OWN + 2;

  private final int senders;
  private final int messages;

  RingModel(int senders, int messages, boolean weak, Mutation... mutations) {
    super(new Machine(senders * RING + senders + 1, senders + 1, OWN + 3, 3, weak), mutations);
    this.senders = senders;
    this.messages = messages;
    machine.go(senders, PEEK);
  }

  private static int sequence(int ring, int position) {
    return ring * RING + position % SLOTS;
  }

  private static int body(int ring, int position) {
    return ring * RING + SLOTS + position % SLOTS;
  }

  private static int credit(int ring) {
    return ring * RING + 2 * SLOTS;
  }

  @Override
  int waitWord(int process) {
    return senders * RING + process;
  }

  @Override
  Look look(int p) {
    if (p < senders) {
      return machine.local(p, TAIL) - machine.load(p, credit(p)) < SLOTS ? Look.FOUND : Look.NOTHING;
    }
    int ring = machine.local(p, IN_HAND);
    int head = machine.local(p, HEAD + ring);
    if (machine.load(p, sequence(ring, head)) == head / SLOTS + 1) {
      return Look.FOUND;
    }
    machine.local(p, IN_HAND, (ring + 1) % senders);
    return ring + 1 < senders ? Look.GOES_ON : Look.NOTHING;
  }

  @Override
  boolean step(int p, int choice) {
    return machine.pc(p) >= 90 ? shared(p) : p < senders ? send(p) : receive(p);
  }

  private boolean send(int p) {
    Machine m = machine;
    int tail = m.local(p, TAIL);
    switch (m.pc(p)) {
      case CLAIM -> {
        if (tail == messages) {
          return to(p, END);
        }
        if (tail - m.local(p, KNOWN) >= SLOTS && !has(Mutation.NO_CREDIT_CHECK)) {
          m.local(p, KNOWN, m.load(p, credit(p)));
          if (tail - m.local(p, KNOWN) >= SLOTS) {
            return sleep(p, CLAIM);
          }
        }
        return to(p, has(Mutation.FLAG_BEFORE_DATA) ? PUBLISH : BODY);
      }
      case BODY -> {
        return m.store(p, body(p, tail), tail + 1) && to(p, PUBLISH);
      }
      case PUBLISH -> {
        int number = tail / SLOTS + 1;
        boolean done = has(Mutation.PLAIN_FLAG)
            ? m.store(p, sequence(p, tail), number)
            : m.release(p, sequence(p, tail), number);
        return done && to(p, has(Mutation.FLAG_BEFORE_DATA) ? BODY_LATE : TELL_RECEIVER);
      }
      case BODY_LATE -> {
        return m.store(p, body(p, tail), tail + 1) && to(p, TELL_RECEIVER);
      }
      default -> {
        m.local(p, TAIL, tail + 1);
        return wake(p, senders, CLAIM);
      }
    }
  }

  private boolean receive(int p) {
    Machine m = machine;
    int ring = m.local(p, IN_HAND);
    int head = m.local(p, HEAD + ring);
    switch (m.pc(p)) {
      case PEEK -> {
        return switch (look(p)) {
          case FOUND -> to(p, has(Mutation.CREDIT_BEFORE_READ) ? CREDIT : READ);
          case GOES_ON -> true;
          default -> sleep(p, PEEK);
        };
      }
      case READ -> {
        read(p, ring, head);
        return to(p, CREDIT);
      }
      case CREDIT -> {
        return m.release(p, credit(ring), head + 1)
            && to(p, has(Mutation.CREDIT_BEFORE_READ) ? READ_LATE : TELL_SENDER);
      }
      case READ_LATE -> {
        read(p, ring, head);
        return to(p, TELL_SENDER);
      }
      default -> {
        m.local(p, HEAD + ring, head + 1);
        m.local(p, IN_HAND, 0);
        int all = 0;
        for (int r = 0; r < senders; r++) {
          all += m.local(p, HEAD + r);
        }
        return wake(p, ring, all == senders * messages ? END : PEEK);
      }
    }
  }

  private void read(int p, int ring, int head) {
    int body = machine.load(p, body(ring, head));
    check(body == head + 1, "message " + (head + 1) + " of sender " + ring + " was read as " + body);
  }
}
