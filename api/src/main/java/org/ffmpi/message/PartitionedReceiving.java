// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.message;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.ffmpi.Buf;
import org.ffmpi.PartitionedRecv;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Health;
import org.ffmpi.spi.Operation;

/**
 * The state of a {@link PartitionedRecv}, with the places of the sender's partitions. These may differ from the
 * receiver's: both ends only cut the same stream of bytes. A sender's partition that begins and ends with whole
 * elements is received in place, as is any where memory equals the stream. Otherwise all go through packed memory, from
 * which they are unpacked as they arrive. Each start has one {@link ReceiveRound}.
 */
public final class PartitionedReceiving {
  /** Bytes of any types, for a sender's partition that is cut inside elements. */
  private static final Plan BYTES = TypeHandle.planOf(Datatype.BYTE).withSignature(null);

  final Engine engine;
  final int peer;
  final int tag;
  final PartitionedSetUp setUp;

  /** The only thread that may write the buffer, or null. */
  final Thread onlyThread;

  private final Channel channel;
  private final Buf<?> buf;
  private final Plan plan;
  private final long capacity;
  private final long bytesPerPartition;
  final int partitions;

  /** Packed memory for a stream that has to be unpacked; made when that is known. */
  private MemorySegment staging;

  /** The last round; null before the first start. */
  private volatile ReceiveRound round;

  public PartitionedReceiving(Channel channel, Buf<?> buf, int partitions, int source, int tag) {
    this.channel = channel;
    this.engine = channel.engine();
    this.buf = buf;
    this.plan = BufImpl.of(buf).plan();
    this.capacity = BufImpl.of(buf).packedBytes();
    this.partitions = partitions;
    this.bytesPerPartition = partitions == 0 ? 0 : capacity / partitions;
    this.peer = channel.peer(source);
    this.tag = tag;
    this.onlyThread = BufImpl.of(buf).memoryKind() == Memory.CONFINED ? Thread.currentThread() : null;
    this.setUp = PartitionedSetUp.receive(channel, peer, tag);
  }

  /** Starts a round, which receives all partitions once the sender has announced them. */
  public Operation start() {
    if (!BufImpl.of(buf).isTouchable()) {
      throw BufImpl.of(buf).untouchable("buffer");
    }
    PartitionedSetUp.checkRevoked(channel);
    ReceiveRound started = new ReceiveRound(this);
    started.begin();
    round = started;
    return started;
  }

  /** Returns whether one of the receiver's partitions has arrived; the request is active. */
  public boolean hasArrived(int partition) {
    return round.hasArrived(partition);
  }

  /** Returns the first of the sender's partitions that has data of one of the receiver's. */
  public int firstSource(int partition) {
    return getsNothing(partition) ? 0 : (int) (partition * bytesPerPartition / setUp.bytesPerPartition());
  }

  /** Returns the last of the sender's partitions that has data of one of the receiver's. */
  public int lastSource(int partition) {
    int last = setUp.partitions() - 1;
    return getsNothing(partition)
        ? last
        : (int) Math.min(last, ((partition + 1L) * bytesPerPartition - 1) / setUp.bytesPerPartition());
  }

  /** Returns whether a receiver's partition gets no data: it counts as arrived when all have. */
  private boolean getsNothing(int partition) {
    return bytesPerPartition == 0 || partition * bytesPerPartition >= setUp.total();
  }

  /** Returns whether the sender's partitions have to be unpacked: boundaries lie inside elements that have gaps. */
  public boolean isStaged() {
    return !isWhole() && !plan.isContiguous();
  }

  private boolean isWhole() {
    return capacity == 0 || setUp.bytesPerPartition() % plan.size() == 0;
  }

  /** Returns the first byte of a sender's partition in the stream. */
  private long first(int partition) {
    return partition * setUp.bytesPerPartition();
  }

  /** Returns the bytes of a sender's partition that fit. */
  public long room(int partition) {
    return Math.clamp(capacity - first(partition), 0, setUp.bytesPerPartition());
  }

  /** Returns the error of a communicator that has been revoked, or null. */
  MpiException revocation() {
    Health health = channel.health();
    return health != null && health.isRevoked() ? health.error() : null;
  }

  /** Starts to receive one of the sender's partitions. */
  public Operation receive(int partition) {
    long room = room(partition);
    if (room == 0) {
      return receive(Memory.NATIVE, MemorySegment.NULL, 0, 0, BYTES, partition);
    }
    long from = first(partition);
    if (isWhole()) {
      long elements = from / plan.size();
      return receive(
          BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(),
          BufImpl.of(buf).memoryOffset() + elements * plan.extent(), room / plan.size(), plan,
          partition);
    }
    if (plan.isContiguous()) {
      return receive(
          BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(),
          BufImpl.of(buf).memoryOffset() + plan.trueLowerBound() + from, room, BYTES,
          partition);
    }
    if (staging == null) {
      staging = Arena.ofAuto().allocate(Math.min(capacity, setUp.total()), Long.BYTES);
    }
    return receive(Memory.NATIVE, staging, Raw.address(staging) + from, room, BYTES, partition);
  }

  private Operation receive(int kind, Object owner, long offset, long count, Plan type, int partition) {
    return engine.irecv(kind, owner, offset, count, type, peer, setUp.context(), partition);
  }

  /** Unpacks one of the sender's partitions out of the packed memory. */
  public void unpack(int partition) {
    long room = room(partition);
    if (room > 0) {
      long from = first(partition);
      try {
        plan.unpack(
            Raw.address(staging) + from, BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(),
            BufImpl.of(buf).memoryOffset(), buf.count(), from,
            room);
      } finally {
        Reference.reachabilityFence(this);
      }
    }
  }

  /** Returns whether received data have to be made objects, partition by partition. */
  public boolean isOfObjects() {
    return BufImpl.of(buf).isOfObjects();
  }

  /** Makes objects of one of the receiver's partitions, which has arrived, or of the sender's part of it. */
  public void deliver(int partition) {
    long first = partition * bytesPerPartition;
    long bytes = Math.clamp(Math.min(capacity, setUp.total()) - first, 0, bytesPerPartition);
    BufImpl.of(buf).deliver(first / plan.size(), bytes, plan);
  }

  /** Returns the error of a receive with too little room for the sender's data, or null. */
  public MpiException truncation() {
    return setUp.total() <= capacity
        ? null
        : new MpiException(
            ErrorClass.ERR_TRUNCATE,
            "partitioned message of " + setUp.total() + " bytes, " + setUp.partitions() + " partitions of "
                + setUp.bytesPerPartition() + ", from rank " + channel.rankOf(peer) + " with tag " + tag
                + " does not fit into a receive buffer of " + capacity + " bytes");
  }
}
