// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import java.util.function.Supplier;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.IntraComm;
import org.ffmpi.collective.CollectiveChecks;
import org.ffmpi.process.CommState;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.CollectiveForm;
import org.ffmpi.spi.Operation;

/** A communicator of one group, without a topology. */
public final class IntraCommImpl extends ForwardingIntraComm implements IntraComm {
  public IntraCommImpl(World world, Channel channel, String name, Errhandler<? super Comm> errhandler) {
    super(world, channel, name, errhandler);
  }

  @Override
  Operation spread(long[] first) {
    return spreadWithin(state(), first);
  }

  /** Claims contexts at rank 0 of a group and broadcasts the first of them. */
  static Operation spreadWithin(CommState state, long[] first) {
    Channel channel = state.channel;
    if (channel.rank() == 0) {
      first[0] = state.engine.claimContexts(ContextSupply.BLOCK);
    }
    if (channel.size() == 1) {
      return state.engine.completed();
    }
    CollectiveCall call = new CollectiveCall().begin(Collective.BCAST);
    CollectiveChecks.put(channel.rank() == 0 ? call.send() : call.recv(), Buf.of(first));
    Supplier<Operation> start = () -> state.world.collectives().call(channel, call, CollectiveForm.NONBLOCKING);
    return channel.order() == null ? start.get() : channel.order().after(start);
  }

  @Override
  IntraCommImpl copy(long context) {
    CommState state = state();
    return new IntraCommImpl(
        state.world, new Channel(state.engine, context, state.channel.local()), "", state.errhandler());
  }

  @Override
  String kind() {
    return "IntraComm";
  }
}
