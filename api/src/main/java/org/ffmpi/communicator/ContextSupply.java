// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import java.util.function.Function;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.CommState;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Operation;

/**
 * The contexts of the communicators that are made out of one communicator. One rank claims them from the job's word, a
 * block at a time, and spreads the first number; then all ranks count through the block by themselves, which they do
 * alike because they call collectives in the same order. So most communicators are made without a message.
 *
 * <p>A context is never given out twice, and 2 to the power of 60 of them do not run out. Any thread may take; that
 * those of one rank take in the order of the others is the program's duty, as with all collective calls.
 */
public final class ContextSupply {
  /** How many contexts one rank takes for all at a time. */
  static final int BLOCK = 64;

  /** Contexts next to each other, the first of which is known once the spreading is over. */
  private static final class Block {
    final long[] first = new long[1];
    Operation spreading;
  }

  /** A context that is known or on its way; complete when it is known. */
  static final class Ticket extends Operation {
    private final Block block;
    private final int index;

    private Ticket(Block block, int index) {
      this.block = block;
      this.index = index;
      advance();
    }

    /** Returns the context of a ticket that has completed without an error. */
    long context() {
      return block.first[0] + (long) index * Channel.CONTEXTS;
    }

    @Override
    public synchronized boolean advance() {
      Operation spreading = block.spreading;
      if (isDone() || !spreading.isDone() && !(spreading.advance() && spreading.isDone())) {
        return false;
      }
      if (spreading.error() == null) {
        complete();
      } else {
        fail(new MpiException(
            ErrorClass.ERR_OTHER, "no context for a new communicator: " + spreading.error().getMessage(),
            spreading.error()));
      }
      return true;
    }
  }

  private final CommState state;
  private final Function<long[], Operation> spread;
  private Block block;
  private int used = BLOCK;

  /**
   * Creates a supply that has taken nothing yet.
   *
   * @param state of the communicator that others are made out of
   * @param spread starts a collective that takes {@link #BLOCK} contexts at one rank and puts the first of them into
   *     the given array at all; registered with the engine, or complete
   */
  ContextSupply(CommState state, Function<long[], Operation> spread) {
    this.state = state;
    this.spread = spread;
  }

  /** Claims the next context. Collective; blocks only while the first context of a block is on its way. */
  long next() {
    try {
      Ticket ticket = claim();
      if (!ticket.isDone()) {
        state.engine.await(ticket);
      }
      if (ticket.error() != null) {
        throw ticket.error();
      }
      return ticket.context();
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  /** Claims the next context; all ranks do so at the same place among their collective calls. Does not block. */
  synchronized Ticket claim() {
    if (used == BLOCK) {
      Block next = new Block();
      next.spreading = spread.apply(next.first);
      block = next;
      used = 0;
    }
    return new Ticket(block, used++);
  }
}
