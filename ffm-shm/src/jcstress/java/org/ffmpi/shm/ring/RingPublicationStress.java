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

/** A consumer sees a record whole, slot and bulk bytes, or not at all. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "The record was not published yet.")
@Outcome(id = "7, 9", expect = Expect.ACCEPTABLE, desc = "The whole record was seen.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A part of the record was seen.")
@State
public class RingPublicationStress {
  private final Arena arena = Arena.ofAuto();
  private final RingProducer producer;
  private final RingConsumer consumer;

  /** Makes a ring. */
  public RingPublicationStress() {
    long ring = Raw.address(arena.allocate(RingLayout.bytes(2, 64), 128));
    RingLayout.format(ring, 2, 64);
    producer = new RingProducer(ring, 2, 64);
    consumer = new RingConsumer(ring, 2, 64);
  }

  /** Publishes one record. */
  @Actor
  public void produce() {
    long slot = producer.claim(8);
    Raw.putLong(slot + RingLayout.BODY_OFFSET, 7);
    Raw.putLong(producer.bulk(), 9);
    producer.publish(slot, 1);
    java.lang.ref.Reference.reachabilityFence(arena);
  }

  /**
   * Looks once.
   *
   * @param r what was seen
   */
  @Actor
  public void consume(JJ_Result r) {
    long slot = consumer.peek();
    if (slot != 0) {
      r.r1 = Raw.getLong(slot + RingLayout.BODY_OFFSET);
      r.r2 = Raw.getLong(consumer.bulk(0, 8));
    }
    java.lang.ref.Reference.reachabilityFence(arena);
  }
}
