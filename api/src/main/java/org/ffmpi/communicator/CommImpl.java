// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.InterComm;
import org.ffmpi.Topology;
import org.ffmpi.base.Standard;
import org.ffmpi.base.hook.Lifetimes;
import org.ffmpi.collective.CommCollectives;
import org.ffmpi.message.BufferedMessages;
import org.ffmpi.message.CombinedMessages;
import org.ffmpi.message.EnvelopeChecks;
import org.ffmpi.message.Messages;
import org.ffmpi.message.PartitionedMessages;
import org.ffmpi.message.PersistentMessages;
import org.ffmpi.message.Probes;
import org.ffmpi.port.FileOperations;
import org.ffmpi.port.FileProvider;
import org.ffmpi.port.ObjectOperations;
import org.ffmpi.port.ObjectProvider;
import org.ffmpi.port.WindowOperations;
import org.ffmpi.port.WindowProvider;
import org.ffmpi.process.CommState;
import org.ffmpi.process.Connections;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Operation;

/**
 * The implementation of every {@link Comm}, which has one object for each topic of its calls. The generated subclasses,
 * one for each kind of communicator, forward the methods of {@code Comm} to these objects. Topics without state that
 * are seldom used are made for the call.
 */
public abstract sealed class CommImpl implements CommState.Holder
    permits ForwardingIntraComm, ForwardingCartComm, ForwardingGraphComm, ForwardingDistGraphComm, ForwardingInterComm {
  private final CommState state;
  private final EnvelopeChecks checks;
  final Messages messages;
  final Probes probes;
  final CombinedMessages combined;
  final BufferedMessages buffered;
  final CommCollectives collectives;
  final CommProperties properties;
  private final ContextSupply contexts;
  /** Null before the first call of the family. A race between threads costs one of them an object. */
  private ObjectOperations objects;

  /**
   * Creates a communicator and makes it known to the engine.
   *
   * @param name what it is called; empty for those that programs make
   * @param errhandler what happens at first when a call on it fails
   */
  CommImpl(World world, Channel channel, String name, Errhandler<? super Comm> errhandler) {
    this.state = new CommState((Comm) this, world, channel, errhandler);
    this.checks = new EnvelopeChecks(state);
    this.messages = new Messages(state, checks);
    this.probes = new Probes(state, checks);
    this.combined = new CombinedMessages(state, checks, messages);
    this.buffered = new BufferedMessages(state, checks, messages);
    this.collectives = new CommCollectives(state);
    this.properties = new CommProperties(state, name);
    this.contexts = new ContextSupply(state, this::spread);
    state.engine.opened(channel);
    if (Lifetimes.kept && channel.pointToPoint() >= Channel.FIRST_FREE_CONTEXT) {
      Lifetimes.made(this, "communicator");
    }
    if (state.engine != world.engine()) {
      Connections.of(world).opened(state.engine);
    }
  }

  /**
   * Returns the object behind a communicator.
   *
   * @param comm a {@code Comm}, under any of the interfaces that it is made of
   */
  public static CommImpl of(Object comm) {
    return (CommImpl) comm;
  }

  @Override
  public CommState state() {
    return state;
  }

  @Override
  public void discard() {
    messages.close();
    ending().freed();
  }

  public Channel channel() {
    return state.channel;
  }

  // ---- topics

  public PersistentMessages persistent() {
    return new PersistentMessages(state, checks, buffered);
  }

  public PartitionedMessages partitioned() {
    return new PartitionedMessages(state, checks);
  }

  public CommCollectives collectives() {
    return collectives;
  }

  ObjectOperations objects() {
    ObjectOperations known = objects;
    if (known == null) {
      known = ObjectProvider.get().of(state);
      objects = known;
    }
    return known;
  }

  WindowOperations windows() {
    return WindowProvider.get().of(state);
  }

  FileOperations files() {
    return FileProvider.get().of(state);
  }

  public CommProperties properties() {
    return properties;
  }

  public Survivors survivors() {
    return new Survivors(state);
  }

  public CommGroups groups() {
    return new CommGroups(state);
  }

  public CommEnding ending() {
    return new CommEnding(state, messages, buffered, properties);
  }

  public Duplicates duplicates() {
    return new Duplicates(state, properties, contexts, context -> (Comm) copy(context));
  }

  public Spawning spawning() {
    return new Spawning(state, this::between);
  }

  public Connecting connecting() {
    return new Connecting(state, this::between);
  }

  private InterComm between(Channel channel) {
    return new InterCommImpl(state.world, channel, state.errhandler());
  }

  public Topologies topologies() {
    return new Topologies(state, contexts);
  }

  // ---- what kinds of communicators differ in

  /** Returns the contexts of communicators that are made out of this one. */
  ContextSupply contexts() {
    return contexts;
  }

  /** Claims a context for an object that is made out of this communicator. Collective; may block. */
  public long nextContext() {
    return contexts.next();
  }

  /** Starts what an empty {@link ContextSupply} needs: one process claims contexts, and all learn of them. */
  abstract Operation spread(long[] first);

  /** Makes a communicator of the same kind and processes, with the same error handler and topology. */
  abstract CommImpl copy(long context);

  /** Returns the kind of topology that an open communicator has. */
  @Standard({"MPI_Topo_test"})
  public Topology topology() {
    state.checkOpen();
    return Topology.UNDEFINED;
  }

  /** Returns the name that messages give to communicators of this kind. */
  abstract String kind();

  @Override
  public String toString() {
    return (properties.name().isEmpty() ? kind() : properties.name()) + "[rank " + channel().rank() + " of "
        + channel().size() + "]";
  }
}
