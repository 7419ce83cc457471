// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.buffer;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.process.Failures;
import org.ffmpi.spi.CountedMemory;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;

/**
 * The memory of one operation while it is under way. Counted memory has one more user; elements that are objects have
 * been written to their memory. An operation that succeeds {@linkplain #deliver delivers} its results to the program's
 * objects; each is {@linkplain #close closed} at its end. One thread at a time calls.
 */
public final class HeldMemory implements AutoCloseable {
  private final List<BufUses.Use> uses;
  private final List<CountedMemory.Lease> leases = new ArrayList<>(2);
  /** The plans of written objects, for each use. */
  private final Plan[] plans;

  private HeldMemory(List<BufUses.Use> uses) {
    this.uses = uses;
    this.plans = new Plan[uses.size()];
  }

  static HeldMemory of(List<BufUses.Use> uses) {
    HeldMemory held = new HeldMemory(uses);
    for (int i = 0; i < uses.size(); i++) {
      try {
        held.begin(i);
      } catch (RuntimeException e) {
        held.close();
        throw e;
      }
    }
    return held;
  }

  private void begin(int number) {
    BufUses.Use use = uses.get(number);
    BufImpl<?> buf = use.buf();
    if (!buf.isOfObjects()) {
      leases.add(buf.lease());
      return;
    }
    if (use.how().isRead()) {
      buf.encode(0, buf.count());
    }
    if (use.how().isWritten()) {
      plans[number] = buf.plan();
    }
  }

  /**
   * Writes the operation's results into the program's objects.
   *
   * @param done the operation, which has the length of the message; null when all elements were written
   */
  public void deliver(Operation done) {
    for (int i = 0; i < plans.length; i++) {
      if (plans[i] != null) {
        BufUses.Use use = uses.get(i);
        long bytes = use.how() == BufUses.How.RECEIVES ? received(done) : use.buf().packedBytes();
        use.buf().deliver(0, bytes, plans[i]);
      }
    }
  }

  private static long received(Operation done) {
    Envelope message = new Envelope();
    done.envelope(message);
    return message.cancelled() ? 0 : message.bytes();
  }

  /** Releases all memory, then throws the first error of that. */
  @Override
  public void close() {
    RuntimeException lost = null;
    for (CountedMemory.Lease lease : leases) {
      try {
        lease.close();
      } catch (RuntimeException e) {
        lost = lost == null ? e : lost;
      }
    }
    if (lost != null) {
      throw Failures.translate(lost);
    }
  }
}
