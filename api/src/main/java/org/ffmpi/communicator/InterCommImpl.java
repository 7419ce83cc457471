// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.InterComm;
import org.ffmpi.process.CommState;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Operation;

/** A communicator between two groups. */
public final class InterCommImpl extends ForwardingInterComm implements InterComm {
  private final InterMaking making;

  InterCommImpl(World world, Channel channel, Errhandler<? super Comm> errhandler) {
    super(world, channel, "", errhandler);
    this.making = new InterMaking(state(), contexts());
  }

  @Override
  InterMaking making() {
    return making;
  }

  @Override
  Operation spread(long[] first) {
    return making.spread(first);
  }

  @Override
  InterCommImpl copy(long context) {
    CommState state = state();
    Channel made = new Channel(state.engine, context, state.channel.local(), state.channel.remote());
    return new InterCommImpl(state.world, made, state.errhandler());
  }

  @Override
  String kind() {
    return "InterComm";
  }

  @Override
  public String toString() {
    return (properties().name().isEmpty() ? kind() : properties().name()) + "[rank " + channel().rank() + " of "
        + channel().size() + ", " + channel().remote().size() + " remote]";
  }
}
