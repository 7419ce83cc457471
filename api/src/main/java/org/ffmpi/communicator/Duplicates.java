// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import java.util.function.LongFunction;
import org.ffmpi.Comm;
import org.ffmpi.CommRequest;
import org.ffmpi.Info;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.CommHints;
import org.ffmpi.process.CommState;
import org.ffmpi.process.InfoAccess;
import org.ffmpi.request.CommRequestImpl;

/** Makes communicators of the same processes and the same kind as another one. */
public final class Duplicates {
  private final CommState state;
  private final CommProperties properties;
  private final ContextSupply contexts;
  private final LongFunction<Comm> maker;

  /**
   * Creates the duplicates of one communicator.
   *
   * @param maker makes one of the same kind and processes in a context
   */
  Duplicates(CommState state, CommProperties properties, ContextSupply contexts, LongFunction<Comm> maker) {
    this.state = state;
    this.properties = properties;
    this.contexts = contexts;
    this.maker = maker;
  }

  public <C extends Comm> C dup() {
    state.checkCollective();
    checkAllCall();
    C duplicate = copy(contexts.next());
    properties.copyAttributesTo(duplicate);
    return duplicate;
  }

  /** Where everything is checked, waits until all ranks of a group call: the contexts alone need no message. */
  private void checkAllCall() {
    if (state.world.isChecking() && state.channel.local() == state.channel.remote()) {
      try {
        Exchange.agree(state.channel, state.world, "MPI_Comm_dup");
      } catch (MpiException e) {
        throw state.raise(e);
      }
    }
  }

  public <C extends Comm> C dup(Info info) {
    state.checkOpen();
    CommHints given = ownHints(info, true);
    C duplicate = dup();
    CommState.of(duplicate).setHints(given);
    return duplicate;
  }

  /** Starts to make a duplicate with the next context, and the attributes of this moment. Collective. */
  public <C extends Comm> CommRequest<C> idup() {
    state.checkCollective();
    ContextSupply.Ticket ticket;
    try {
      ticket = contexts.claim();
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
    if (ticket.isDone() && ticket.error() == null) {
      C duplicate = copy(ticket.context());
      properties.copyAttributesTo(duplicate);
      return new CommRequestImpl<>(state, state.engine.completed(), () -> duplicate);
    }
    Inheritance inheritance = properties.copyAttributes();
    return new CommRequestImpl<C>(state, ticket, () -> {
      C duplicate = copy(ticket.context());
      inheritance.passTo(duplicate);
      return duplicate;
    }).otherwise(inheritance::delete);
  }

  public <C extends Comm> CommRequest<C> idup(Info info) {
    state.checkOpen();
    CommHints given = ownHints(info, false);
    return CommRequestImpl.of(this.<C>idup()).then(made -> CommState.of(made).setHints(given));
  }

  @SuppressWarnings("unchecked") // a copy is of the kind of its original, as each caller knows
  private <C extends Comm> C copy(long context) {
    return (C) maker.apply(context);
  }

  /**
   * Reads the hints of a duplicate. When they are wrong, its context is claimed all the same, as by the other ranks.
   */
  private CommHints ownHints(Info info, boolean isBlocking) {
    try {
      return CommHints.NONE.with(InfoAccess.entries(info));
    } catch (MpiException e) {
      if (isBlocking) {
        checkAllCall();
      }
      contexts.claim();
      throw state.raise(e);
    }
  }
}
