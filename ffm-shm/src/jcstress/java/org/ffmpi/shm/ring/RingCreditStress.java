// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.ring;

import java.lang.foreign.Arena;
import org.ffmpi.base.raw.Raw;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** A producer that writes into a full ring again does so only after the consumer has read what lay there. */
@JCStressTest
@Outcome(id = "7, 0", expect = Expect.ACCEPTABLE, desc = "The ring was still full.")
@Outcome(id = "7, 1", expect = Expect.ACCEPTABLE, desc = "Credit came in time; the old record had been read.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A record was overwritten before it was read.")
@State
public class RingCreditStress {
  private final Arena arena = Arena.ofAuto();
  private final RingProducer producer;
  private final RingConsumer consumer;

  /** Makes a ring and fills it. */
  public RingCreditStress() {
    long ring = Raw.address(arena.allocate(RingLayout.bytes(2, 64), 128));
    RingLayout.format(ring, 2, 64);
    producer = new RingProducer(ring, 2, 64);
    consumer = new RingConsumer(ring, 2, 64);
    for (int i = 0; i < 2; i++) {
      long slot = producer.claim();
      Raw.putLong(slot + RingLayout.BODY_OFFSET, 7);
      producer.publish(slot, 1);
    }
  }

  /**
   * Tries to write over the first record.
   *
   * @param r whether it could
   */
  @Actor
  public void produce(JJ_Result r) {
    long slot = producer.claim();
    if (slot != 0) {
      Raw.putLong(slot + RingLayout.BODY_OFFSET, 8);
      producer.publish(slot, 1);
      r.r2 = 1;
    }
    java.lang.ref.Reference.reachabilityFence(arena);
  }

  /**
   * Reads the first record and gives its slot back.
   *
   * @param r what was read
   */
  @Actor
  public void consume(JJ_Result r) {
    r.r1 = Raw.getLong(consumer.peek() + RingLayout.BODY_OFFSET);
    consumer.pop();
    consumer.credit();
    java.lang.ref.Reference.reachabilityFence(arena);
  }
}
