// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.MemorySegment;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;

/** The messages of {@link PartService} that follow a request: data, results, and answers. */
final class ServedMessages {
  /** Plan of requests, plans and answers. */
  static final Plan BYTE = TypeHandle.planOf(Datatype.BYTE);

  /** Plan of a run of elements whose types the owner of the part does not know: it matches all types. */
  static final Plan RUN = TypeHandle.planOf(Datatype.PACKED);

  private final Engine engine;
  /** Context of requests, plans and data. */
  private final long context;
  /** Context of answers and results: two ranks may be origins for each other, and each counts its own tags. */
  private final long answers;

  ServedMessages(Channel channel) {
    this.engine = channel.engine();
    this.context = WindowContexts.requests(channel);
    this.answers = WindowContexts.answers(channel);
  }

  /** Receives the data of an access straight into the part. */
  void receive(ServedOrigin origin, ServedAccess access, LocalPart.Place into, Plan plan) {
    origin.add(engine.irecv(into.kind(), into.owner(), into.offset(), access.count(), plan, access.peer(), context,
        access.tag()), into.owner());
  }

  /** Receives data of an access, or its plan, into memory of as many bytes. */
  Operation receive(ServedAccess access, MemorySegment into, long bytes, Plan plan) {
    return engine.irecv(Memory.NATIVE, into, Raw.address(into), bytes, plan, access.peer(), context, access.tag());
  }

  /** Receives the next message of an access without keeping anything of it. */
  void discard(ServedOrigin origin, ServedAccess access) {
    byte[] nothing = {};
    origin.addDiscarding(
        engine.irecv(Memory.BYTES, nothing, 0, 0, RUN, access.peer(), context, access.tag()), nothing);
  }

  /** Sends elements of the part. */
  void send(ServedOrigin origin, ServedAccess access, LocalPart.Place from, Plan plan) {
    origin.add(engine.isend(Engine.STANDARD, from.kind(), from.owner(), from.offset(), access.count(), plan,
        access.peer(), answers, access.tag()), from.owner());
  }

  /** Sends the result of an access. */
  Operation send(ServedAccess access, MemorySegment result) {
    return engine.isend(Engine.STANDARD, Memory.NATIVE, result, Raw.address(result), access.bytes(), RUN,
        access.peer(), answers, access.tag());
  }

  /** Sends an answer. */
  void send(ServedOrigin origin, byte[] answer, int peer, int tag) {
    origin.add(engine.isend(
        Engine.STANDARD, Memory.BYTES, answer, 0, answer.length, BYTE, peer, answers, tag), answer);
  }

  /**
   * Refuses an access: its messages are completed, and the origin's next flush reports the error.
   *
   * @param followed whether data are still to be received
   */
  void refuse(ServedOrigin origin, ServedAccess access, boolean followed, MpiException error) {
    origin.fail(error);
    if (followed) {
      discard(origin, access);
    }
    if (access.isAnswered()) {
      send(origin, new byte[0], access.peer(), access.tag());
    }
  }

  /** Returns the task that refuses an access in its turn. */
  ServedOrigin.Task refusal(ServedOrigin origin, ServedAccess access, MpiException error) {
    return () -> {
      refuse(origin, access, access.isFollowed(), error);
      return true;
    };
  }
}
