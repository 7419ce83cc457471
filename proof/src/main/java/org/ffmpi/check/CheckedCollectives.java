// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.check;

import java.util.List;
import java.util.function.Supplier;
import org.ffmpi.spi.CallPlace;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.CollectiveForm;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.ForwardingCollectives;
import org.ffmpi.spi.Operation;

/** Collective calls whose buffers count as used until they have been completed. Called as {@link Collectives} are. */
final class CheckedCollectives extends ForwardingCollectives {
  private final CheckEngine engine;

  CheckedCollectives(Collectives collectives, CheckEngine engine) {
    super(collectives);
    this.engine = engine;
  }

  @Override
  public Operation call(Channel channel, CollectiveCall call, CollectiveForm form) {
    if (form == CollectiveForm.PERSISTENT) {
      List<LentBuffer> kept = LentBlocks.of(call, engine.buffers().compares());
      return new LentOperation(engine, collectives.call(channel, call, form), kept);
    }
    if (form == CollectiveForm.NONBLOCKING) {
      return collectives.call(channel, call, form); // a program's own has been lent its buffers
    }
    List<LentBuffer> buffers = LentBlocks.of(call, false);
    engine.buffers().lend(buffers);
    try {
      return collectives.call(channel, call, form);
    } finally {
      engine.buffers().giveBack(buffers);
    }
  }

  @Override
  public Operation lend(CollectiveCall call, Supplier<Operation> start) {
    List<LentBuffer> buffers = LentBlocks.of(call, engine.buffers().compares());
    engine.buffers().lend(buffers);
    try {
      engine.buffers().remember(buffers);
      return new LentOperation(engine, collectives.lend(call, start), buffers).awaken();
    } catch (RuntimeException e) {
      engine.buffers().giveBack(buffers);
      throw e;
    }
  }

  @Override
  public void start(Operation operation) {
    LentOperation lent = (LentOperation) operation;
    CallPlace place = CallPlace.ofThisThread();
    List<LentBuffer> buffers = lent.buffers().stream().map(buffer -> buffer.at(place)).toList();
    engine.buffers().lend(buffers);
    try {
      engine.buffers().remember(buffers);
      collectives.start(lent.inner());
    } catch (RuntimeException e) {
      engine.buffers().giveBack(buffers);
      throw e;
    }
    lent.begin(buffers);
  }

  @Override
  public void discard(Operation operation) {
    collectives.discard(((LentOperation) operation).inner());
  }
}
