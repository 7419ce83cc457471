// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import static org.ffmpi.replay.RecordingFormat.FAILED;
import static org.ffmpi.replay.RecordingFormat.NONE;
import static org.ffmpi.replay.RecordingFormat.VALUE;

import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Matched;
import org.ffmpi.spi.Operation;

/**
 * Writes down what each choice gives. A blocking call is written when it returns, a posted receive when it is posted
 * and again when its message is known. Called by the threads that call an engine; waits where the engine below waits.
 */
final class RecordingEngine extends StreamEngine<ChoiceLog> {
  private final RecordingFolder folder;

  RecordingEngine(Engine engine, RecordingFolder folder, ChannelNumbers channels) {
    super(engine, channels);
    this.folder = folder;
  }

  @Override
  public void setThread(Thread thread) {
    folder.main().setOwner(thread);
    super.setThread(thread);
  }

  @Override
  ChoiceLog streamOf(Thread thread, boolean isMain) {
    return isMain ? folder.main() : folder.add(0, nameOf(thread), thread, channels);
  }

  @Override
  ChoiceLog streamOfWindow(long context) {
    return folder.window(channels.of(context), channels);
  }

  // ---- receives

  @Override
  public void recv(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag, Envelope envelope) {
    if (!isChoice(peer, tag)) {
      engine.recv(kind, owner, offset, count, plan, peer, context, tag, envelope);
      return;
    }
    ChoiceLog log = stream(context);
    Envelope found = envelope == null ? log.envelope() : envelope;
    found.clear();
    try {
      engine.recv(kind, owner, offset, count, plan, peer, context, tag, found);
    } catch (RuntimeException e) {
      if (found.peer() < 0) {
        failed(log, ChoiceKind.RECEIVE, context, peer, tag);
      } else { // a message that does not fit, or whose type is another one
        log.add(ChoiceKind.RECEIVE, context, peer, tag, VALUE + found.peer(), found.tag());
      }
      throw e;
    }
    log.add(ChoiceKind.RECEIVE, context, peer, tag, VALUE + found.peer(), found.tag());
  }

  @Override
  public Operation irecv(int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    Operation receive = engine.irecv(kind, owner, offset, count, plan, peer, context, tag);
    return isChoice(peer, tag) ? observed(receive, peer, context, tag) : receive;
  }

  @Override
  public Operation irecv(LongFunction<MemorySegment> memory, Plan plan, int peer, long context, int tag) {
    Operation receive = engine.irecv(memory, plan, peer, context, tag);
    return isChoice(peer, tag) ? observed(receive, peer, context, tag) : receive;
  }

  private Operation observed(Operation receive, int peer, long context, int tag) {
    ChoiceLog log = stream(context);
    if (receive.isDone() && receive.error() == null) {
      Envelope found = log.envelope();
      receive.envelope(found);
      log.add(ChoiceKind.POSTED_RECEIVE, context, peer, tag, VALUE + found.peer(), found.tag());
      return receive;
    }
    int entry = log.post(context, peer, tag);
    return new RecordedReceive(engine, receive, log, entry, tag == Constants.ANY_TAG);
  }

  /** Records an exception, unless it is that of a job that ends: what would have come is not known then. */
  private void failed(ChoiceLog log, ChoiceKind kind, long context, int peer, int tag) {
    if (engine.endReason().isEmpty()) {
      log.add(kind, context, peer, tag, FAILED, 0);
    }
  }

  // ---- probes

  @Override
  public void probe(int peer, long context, int tag, Envelope envelope) {
    if (!isChoice(peer, tag)) {
      engine.probe(peer, context, tag, envelope);
      return;
    }
    ChoiceLog log = stream(context);
    try {
      engine.probe(peer, context, tag, envelope);
    } catch (RuntimeException e) {
      failed(log, ChoiceKind.PROBE, context, peer, tag);
      throw e;
    }
    log.add(ChoiceKind.PROBE, context, peer, tag, VALUE + envelope.peer(), envelope.tag());
  }

  @Override
  public boolean iprobe(int peer, long context, int tag, Envelope envelope) {
    return chosen(ChoiceKind.LOOK_FOR_MESSAGE, peer, context, tag, envelope,
        () -> engine.iprobe(peer, context, tag, envelope) ? true : null) != null;
  }

  @Override
  public Matched mprobe(int peer, long context, int tag, Envelope envelope) {
    return isChoice(peer, tag)
        ? chosen(ChoiceKind.MATCHED_PROBE, peer, context, tag, envelope,
            () -> engine.mprobe(peer, context, tag, envelope))
        : engine.mprobe(peer, context, tag, envelope);
  }

  @Override
  public Matched improbe(int peer, long context, int tag, Envelope envelope) {
    return chosen(ChoiceKind.LOOK_FOR_MATCHED, peer, context, tag, envelope,
        () -> engine.improbe(peer, context, tag, envelope));
  }

  /** Records the outcome of a probe, which is null where it has found nothing. */
  private <T> T chosen(ChoiceKind kind, int peer, long context, int tag, Envelope envelope, Supplier<T> probe) {
    ChoiceLog log = stream(context);
    T found;
    try {
      found = probe.get();
    } catch (RuntimeException e) {
      failed(log, kind, context, peer, tag);
      throw e;
    }
    log.add(kind, context, peer, tag, found == null ? NONE : VALUE + envelope.peer(), found == null ? 0
        : envelope.tag());
    return found;
  }

  // ---- requests

  @Override
  public boolean test(Operation operation) {
    ChoiceLog log = stream();
    boolean done;
    try {
      done = engine.test(operation);
    } catch (RuntimeException e) {
      failed(log, ChoiceKind.TEST, 0, 0, 0);
      throw e;
    }
    log.add(ChoiceKind.TEST, 0, 0, 0, done ? VALUE : NONE, 0);
    return done;
  }

  @Override
  public boolean all(Operation[] operations, int length) {
    return seen(ChoiceKind.TEST_ALL, length, () -> FirstComplete.all(engine, operations, length));
  }

  @Override
  public boolean look(BooleanSupplier isThere) {
    return seen(ChoiceKind.LOOK, 0, isThere);
  }

  private boolean seen(ChoiceKind kind, int length, BooleanSupplier look) {
    ChoiceLog log = stream();
    boolean seen;
    try {
      seen = look.getAsBoolean();
    } catch (RuntimeException e) {
      failed(log, kind, 0, 0, length);
      throw e;
    }
    log.add(kind, 0, 0, length, seen ? VALUE : NONE, 0);
    return seen;
  }

  @Override
  public int any(Operation[] operations, int length, boolean wait) {
    ChoiceKind kind = wait ? ChoiceKind.WAIT_ANY : ChoiceKind.TEST_ANY;
    ChoiceLog log = stream();
    int index;
    try {
      index = FirstComplete.any(engine, operations, length, wait);
    } catch (RuntimeException e) {
      failed(log, kind, 0, 0, length);
      throw e;
    }
    log.add(kind, 0, 0, length, index < 0 ? NONE : VALUE + index, 0);
    return index;
  }

  @Override
  public void some(Operation[] operations, int length, boolean wait) {
    ChoiceKind kind = wait ? ChoiceKind.WAIT_SOME : ChoiceKind.TEST_SOME;
    ChoiceLog log = stream();
    int n;
    try {
      n = FirstComplete.some(engine, operations, length, wait);
    } catch (RuntimeException e) {
      failed(log, kind, 0, 0, length);
      throw e;
    }
    if (n == 0) {
      log.add(kind, 0, 0, length, NONE, 0);
      return;
    }
    int[] indices = new int[n];
    for (int i = 0, next = 0; i < length; i++) {
      if (operations[i] != null) {
        indices[next++] = i;
      }
    }
    log.add(kind, 0, 0, length, VALUE + n, 0, indices);
  }

  // ---- the end

  @Override
  public void leave(boolean failed) {
    super.leave(failed);
    folder.close(!failed);
  }
}
