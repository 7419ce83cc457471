// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.AccumulateUnit;
import org.ffmpi.datatype.reduce.PredefinedOp;
import org.ffmpi.spi.Operation;

/** The accumulates that {@link PartService} serves. One thread at a time uses it. */
final class ServedUpdates {
  private final ServedMessages messages;
  private final StagingMemory staging;
  private final PartGuard guard;
  /** Holds short data while they are combined. */
  private final MemorySegment stage = Arena.ofAuto().allocate(AccessRequest.INSIDE, 64);
  /** Memory for the next short result; null while a message still reads the last one from it. */
  private MemorySegment shortResult;

  ServedUpdates(ServedMessages messages, StagingMemory staging, PartGuard guard) {
    this.messages = messages;
    this.staging = staging;
    this.guard = guard;
  }

  /**
   * Returns the task of an accumulate.
   *
   * @param data elements that came in the request; null without any
   */
  ServedOrigin.Task combining(
      ServedOrigin origin, ServedAccess access, LocalPart.Place place, Plan plan, byte[] data) {
    return new Combining(origin, access, place, plan, data);
  }

  /** Replaces an element if it equals another, and sends what it was before. Returns false if it has to wait. */
  boolean swap(ServedOrigin origin, ServedAccess access, LocalPart.Place place, Plan plan, byte[] data) {
    if (!place.isAccessible()) {
      return false;
    }
    MemorySegment result = shortResult();
    long locked = guard.lock(access.position(), access.count(), plan);
    try {
      PartMemory.swap(place, plan, data, (int) access.bytes(), result);
    } finally {
      guard.unlock(locked);
    }
    replyShort(origin, access, result);
    return true;
  }

  private static Combination combination(ServedAccess access) {
    PredefinedOp[] ops = PredefinedOp.values();
    if (access.op() < 0 || access.op() >= ops.length) {
      throw new MpiException(ErrorClass.ERR_INTERN, "request to a window with the operation " + access.op());
    }
    AccumulateUnit unit = AccumulateUnit.ofCode(access.unit());
    return Combination.of(ops[access.op()], unit);
  }

  /**
   * Combines elements once they have arrived. Long ones, and long results, need staging memory: this access gets it
   * early if there is enough, else in its turn.
   */
  private final class Combining implements ServedOrigin.Task {
    private final ServedOrigin origin;
    private final ServedAccess access;
    private final LocalPart.Place place;
    private final Plan plan;
    private final Combination how;
    /** Packed elements that came in the request; null otherwise. */
    private final byte[] inside;
    private final boolean isStaged;
    /** Packed elements that follow the request, then the result; null before there is memory for them. */
    private StagingMemory.Block block;
    /** The message with the elements; null without one. */
    private Operation arriving;

    Combining(ServedOrigin origin, ServedAccess access, LocalPart.Place place, Plan plan, byte[] inside) {
      this.origin = origin;
      this.access = access;
      this.place = place;
      this.plan = plan;
      this.how = combination(access);
      this.inside = inside;
      this.isStaged = access.isFollowed()
          || access.has(AccessRequest.WANTS_RESULT) && access.bytes() > AccessRequest.INSIDE;
      if (access.isFollowed() && staging.fits(access.bytes())) {
        begin();
      }
    }

    private void begin() {
      block = staging.acquire(access.bytes());
      if (access.isFollowed()) {
        arriving = messages.receive(access, block.memory(), access.bytes(), ServedMessages.RUN);
      }
    }

    @Override
    public boolean run() {
      if (isStaged && block == null) {
        if (!origin.admits(access.bytes())) {
          return false;
        }
        begin();
      }
      if (arriving != null && !ServedOrigin.isComplete(arriving)) {
        return false;
      }
      if (arriving != null && arriving.error() != null) {
        if (arriving.error().errorClass() == ErrorClass.ERR_PROC_FAILED) {
          staging.release(block); // the origin has died, and not all of its elements are here
          return true;
        }
        throw arriving.error();
      }
      if (!place.isAccessible()) {
        return false;
      }
      boolean fetches = access.has(AccessRequest.WANTS_RESULT);
      MemorySegment data = arriving != null ? block.memory() : inside != null ? staged(inside) : null;
      MemorySegment result = !fetches ? null : block != null ? block.memory() : shortResult();
      combine(access, place, plan, how, data, result);
      if (fetches && block == null) {
        replyShort(origin, access, result);
      } else if (fetches) {
        origin.addResult(messages.send(access, result), block);
      } else if (block != null) {
        staging.release(block);
      }
      return true;
    }

    @Override
    public void refuse(MpiException error) {
      if (block != null && arriving != null && arriving.error() != null) {
        staging.abandon(block);
      } else if (block != null) {
        staging.release(block);
      }
      messages.refuse(origin, access, access.isFollowed() && arriving == null, error);
    }
  }

  /** Combines elements; long runs piece by piece, so that ranks of this node can access the part in between. */
  private void combine(
      ServedAccess access, LocalPart.Place place, Plan plan, Combination how, MemorySegment data,
      MemorySegment result) {
    boolean isRun = plan == ServedMessages.RUN;
    if (!isRun && guard.combineScattered(access.position(), place, access.count(), plan, how, data, result)) {
      return;
    }
    long most = isRun ? PartGuard.pieceBytes(how.unit().size()) : access.count();
    for (long done = 0; done < access.count(); done += most) {
      long n = Math.min(most, access.count() - done);
      LocalPart.Place there =
          done == 0 ? place : new LocalPart.Place(place.kind(), place.owner(), place.offset() + done);
      long locked = guard.lock(access.position() + done, n, plan);
      try {
        PartMemory.combine(there, n, plan, how, rest(data, done), rest(result, done));
      } finally {
        guard.unlock(locked);
      }
    }
  }

  private static MemorySegment rest(MemorySegment data, long from) {
    return data == null || from == 0 ? data : data.asSlice(from);
  }

  /** Copies short data to memory with an address, which the next call overwrites. */
  private MemorySegment staged(byte[] inside) {
    Memory.read(Memory.BYTES, inside, 0, Raw.address(stage), inside.length);
    return stage;
  }

  /** Returns memory for a short result, which {@link #replyShort} sends. */
  private MemorySegment shortResult() {
    if (shortResult == null) {
      shortResult = Arena.ofAuto().allocate(AccessRequest.INSIDE, 64);
    }
    return shortResult;
  }

  private void replyShort(ServedOrigin origin, ServedAccess access, MemorySegment result) {
    Operation sent = messages.send(access, result);
    if (!sent.isDone()) {
      shortResult = null; // the message still reads it
    }
    origin.add(sent, result);
  }
}
