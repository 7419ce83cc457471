// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import java.util.Arrays;
import org.ffmpi.Comm;
import org.ffmpi.CommRequest;
import org.ffmpi.Group;
import org.ffmpi.Request;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.CommState;
import org.ffmpi.process.GroupAccess;
import org.ffmpi.request.CommRequestImpl;
import org.ffmpi.request.RequestImpl;
import org.ffmpi.request.RequestKind;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.GatedOperation;
import org.ffmpi.spi.Health;
import org.ffmpi.spi.Members;
import org.ffmpi.spi.Survival;

/** The calls of a communicator's ranks after one of them has failed. */
public final class Survivors {
  /** An agreement whose result goes into an array of the program. */
  private static final class Agreeing extends GatedOperation {
    private final Survival.Agreement agreement;
    private final Health health;
    private final int[] flag;

    Agreeing(Survival.Agreement agreement, Health health, int[] flag) {
      this.agreement = agreement;
      this.health = health;
      this.flag = flag;
      agreement.parent(this);
      open();
      advance();
    }

    @Override
    public boolean advance() {
      if (!enter()) {
        return false;
      }
      do {
        if (agreement.isDone() || agreement.advance() && agreement.isDone()) {
          close();
          MpiException error = errorOf(agreement, health);
          if (agreement.error() == null) {
            flag[0] = agreement.flag();
          }
          if (error != null) {
            fail(error);
          } else {
            complete();
          }
          return true;
        }
      } while (!leave());
      return false;
    }
  }

  private final CommState state;
  private final Channel channel;

  Survivors(CommState state) {
    this.state = state;
    this.channel = state.channel;
  }

  private Health health() {
    if (state.health == null) {
      throw state.raise(new MpiException(
          ErrorClass.ERR_UNSUPPORTED_OPERATION,
          "this job ends with its first dead rank: start with mpirun --survive (setting ffmpi.survive = on) to let it"
              + " go on"));
    }
    return state.health;
  }

  private static MpiException errorOf(Survival.Agreement agreement, Health health) {
    return agreement.error() != null || !agreement.isUnacknowledged()
        ? agreement.error()
        : health.agreementError(agreement.failures());
  }

  public void revoke() {
    state.checkUsable();
    Health health = health();
    try {
      health.survival().revoke(channel);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  public boolean isRevoked() {
    state.checkOpen();
    Health health = health();
    health.survival().refresh();
    return health.isRevoked();
  }

  public Group getFailed() {
    state.checkOpen();
    Health health = health();
    health.survival().refresh();
    return GroupAccess.of(state.world, state.engine, Members.of(health.failed()));
  }

  public int ackFailed(int count) {
    state.checkOpen();
    Health health = health();
    if (count < 0) {
      throw state.raise(MpiException.argument(ErrorClass.ERR_ARG, "count", count, "0.." + Integer.MAX_VALUE));
    }
    return health.acknowledge(count);
  }

  // ---- agreement

  private Survival.Agreement start(boolean shrinks, int flag) {
    state.checkUsable();
    Health health = health();
    try {
      return health.survival().agree(channel, health.nextAgreement(), shrinks, flag, health.acknowledged());
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  private Survival.Agreement run(boolean shrinks, int flag) {
    Survival.Agreement agreement = start(shrinks, flag);
    try {
      if (!agreement.isDone()) {
        state.engine.await(agreement);
      }
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
    if (agreement.error() != null) {
      throw state.raise(agreement.error());
    }
    return agreement;
  }

  public int agree(int flag) {
    Survival.Agreement agreement = run(false, flag);
    MpiException error = errorOf(agreement, state.health);
    if (error != null) {
      throw state.raise(error);
    }
    return agreement.flag();
  }

  public Request iagree(int[] flag) {
    if (flag == null || flag.length == 0) {
      throw state.raise(MpiException.argument(
          ErrorClass.ERR_ARG, "flag", flag == null ? null : "an empty array", "arrays of one or more elements"));
    }
    Survival.Agreement agreement = start(false, flag[0]);
    return new RequestImpl(state, RequestKind.COLLECTIVE, new Agreeing(agreement, state.health, flag));
  }

  // ---- shrinking

  public <C extends Comm> C shrink() {
    Survival.Agreement agreement = run(true, 0);
    return make(agreement);
  }

  public <C extends Comm> CommRequest<C> ishrink() {
    Survival.Agreement agreement = start(true, 0);
    return new CommRequestImpl<>(state, agreement, () -> make(agreement));
  }

  /** Makes the communicator of the ranks that had not failed at the agreement. */
  @SuppressWarnings("unchecked") // its kind is that of this one, as each caller knows
  private <C extends Comm> C make(Survival.Agreement agreement) {
    Members failed = state.health.failedAmong(agreement.failures());
    Members local = without(channel.local(), failed);
    if (channel.local() == channel.remote()) {
      Channel made = new Channel(state.engine, agreement.context(), local);
      return (C) new IntraCommImpl(state.world, made, "", state.errhandler());
    }
    Channel made = new Channel(state.engine, agreement.context(), local, without(channel.remote(), failed));
    return (C) new InterCommImpl(state.world, made, state.errhandler());
  }

  private static Members without(Members all, Members failed) {
    return Members.of(Arrays.stream(all.toArray())
        .filter(peer -> failed.rankOf(peer) == Constants.UNDEFINED)
        .toArray());
  }
}
