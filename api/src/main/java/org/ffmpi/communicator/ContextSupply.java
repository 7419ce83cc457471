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
 * block at a time, and broadcasts the first number; then all ranks count through the block, alike because they call
 * collectives in the same order. So most communicators are made without a message.
 *
 * <p>No context is claimed twice, and 2 to the power of 60 of them do not run out. Any thread may claim; the program
 * ensures that all ranks claim in the same order, as with all collective calls.
 */
public final class ContextSupply {
  /** Number of contexts that one rank claims for all at a time. */
  static final int BLOCK = 64;

  /** Consecutive contexts, the first of which is known once its broadcast is complete. */
  private static final class Block {
    final long[] first = new long[1];
    Operation spreading;
  }

  /** A context that is claimed, possibly before its number is known; complete when it is. */
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
   * Creates a supply without a block.
   *
   * @param state of the communicator that others are made out of
   * @param spread starts a collective that claims {@link #BLOCK} contexts at one rank and stores the first of them into
   *     the given array at all; registered with the engine, or complete
   */
  ContextSupply(CommState state, Function<long[], Operation> spread) {
    this.state = state;
    this.spread = spread;
  }

  /** Claims the next context. Collective; blocks only until the first context of a block is known. */
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
