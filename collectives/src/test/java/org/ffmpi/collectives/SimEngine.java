// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ffmpi.base.Settings;
import org.ffmpi.collectives.region.StubEngine;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.SharedMemory;

/** One rank's end of a {@link SimNetwork}. */
final class SimEngine extends StubEngine {
  final SimNetwork.Mailbox mailbox = new SimNetwork.Mailbox();
  private final List<Operation> registered = new CopyOnWriteArrayList<>();
  private final SimNetwork network;
  private long sharedBytes;

  SimEngine(SimNetwork network, int self, int size, Settings settings) {
    super(self, size, settings);
    this.network = network;
  }

  private SimNetwork.Memo memo(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    return new SimNetwork.Memo(network, kind, owner, offset, count, plan, self(), peer, context, tag);
  }

  @Override
  public Operation isend(
      int mode, int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    return network.send(memo(kind, owner, offset, count, plan, peer, context, tag));
  }

  @Override
  public void recv(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag, Envelope envelope) {
    Operation operation = irecv(kind, owner, offset, count, plan, peer, context, tag);
    await(operation);
    if (operation.error() != null) {
      throw operation.error();
    }
    operation.envelope(envelope);
  }

  @Override
  public Operation irecv(int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    return network.receive(memo(kind, owner, offset, count, plan, peer, context, tag));
  }

  @Override
  public void progress() {
    network.step();
    advanceRegistered();
  }

  /** Advances what is registered; returns true when anything moved. */
  boolean advanceRegistered() {
    boolean moved = false;
    for (Operation operation : registered) {
      moved |= operation.advance();
      if (operation.isDone()) {
        registered.remove(operation);
      }
    }
    return moved;
  }

  @Override
  public void await(Operation operation) {
    if (registered.size() == 1 && registered.remove(operation)) { // alone, as nobody advances others meanwhile
      operation.drive();
      if (!operation.isDone()) {
        registered.add(operation);
      }
    }
    while (!operation.isDone()) {
      operation.advance();
      advanceRegistered();
      if (!operation.isDone()) {
        network.pause.run();
      }
    }
  }

  @Override
  public void register(Operation operation) {
    registered.add(operation);
  }

  @Override
  public void release(Operation operation) {
    operation.release();
  }

  /** Returns how much memory has been asked for. */
  long sharedBytes() {
    return sharedBytes;
  }

  @Override
  public MemorySegment allocateShared(long bytes, long alignment, Arena arena) {
    sharedBytes += bytes;
    SimMemory memory = network.memory();
    return memory == null ? Arena.ofAuto().allocate(bytes, alignment) : memory.allocate(bytes, alignment);
  }

  @Override
  public SharedMemory sharedMemory() {
    return network.memory();
  }
}
