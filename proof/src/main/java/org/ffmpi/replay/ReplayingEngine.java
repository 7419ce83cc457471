// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import static org.ffmpi.replay.RecordingFormat.CANCELLED;
import static org.ffmpi.replay.RecordingFormat.NONE;
import static org.ffmpi.replay.RecordingFormat.VALUE;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.CallPlace;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Matched;
import org.ffmpi.spi.Operation;

/**
 * Gives each choice the outcome that was recorded. A receive from any rank names the recorded one, a test that was in
 * vain does not look, and one that was not waits. After an exception was recorded, or nothing more, a call takes what
 * comes. Called by the threads that call an engine; waits where the engine below waits, and for what had come by then
 * in the recording.
 */
final class ReplayingEngine extends StreamEngine<ReplayCursor> {
  private static final int LOOKS_BEFORE_SLEEP = 1000;
  private static final long SLEEP_NANOS = 50_000;

  private final ReplayFolder folder;
  private final ReplayWatch watch;
  private final Map<Integer, ReplayCursor> windows = new ConcurrentHashMap<>();

  ReplayingEngine(Engine engine, ReplayFolder folder) {
    super(engine, new ChannelNumbers());
    this.folder = folder;
    this.watch = new ReplayWatch(engine, folder.place(), folder.hasThreads()).start();
  }

  @Override
  ReplayCursor streamOf(Thread thread, boolean isMain) {
    return isMain ? folder.main(channels) : folder.thread(nameOf(thread), channels);
  }

  @Override
  ReplayCursor streamOfWindow(long context) {
    return windows.computeIfAbsent(channels.of(context), number -> folder.window(number, channels));
  }

  // ---- receives

  @Override
  public void recv(
      int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag, Envelope envelope) {
    if (isChoice(peer, tag)) {
      ReplayCursor cursor = stream(context);
      int outcome = cursor.next(ChoiceKind.RECEIVE, context, peer, tag);
      if (outcome >= VALUE) {
        int from = outcome - VALUE;
        int with = cursor.tag;
        await(cursor, () -> engine.recv(kind, owner, offset, count, plan, from, context, with, envelope));
        return;
      }
    }
    engine.recv(kind, owner, offset, count, plan, peer, context, tag, envelope);
  }

  @Override
  public Operation irecv(int kind, Object owner, long offset, long count, Plan plan, int peer, long context, int tag) {
    return posted(peer, context, tag,
        (from, with) -> engine.irecv(kind, owner, offset, count, plan, from, context, with));
  }

  @Override
  public Operation irecv(LongFunction<MemorySegment> memory, Plan plan, int peer, long context, int tag) {
    return posted(peer, context, tag, (from, with) -> engine.irecv(memory, plan, from, context, with));
  }

  /** Posts a receive from a peer, with a tag. */
  private interface Posting {
    Operation post(int peer, int tag);
  }

  private Operation posted(int peer, long context, int tag, Posting posting) {
    if (!isChoice(peer, tag)) {
      return posting.post(peer, tag);
    }
    ReplayCursor cursor = stream(context);
    int outcome = cursor.next(ChoiceKind.POSTED_RECEIVE, context, peer, tag);
    if (outcome == CANCELLED) {
      return new HeldReceive(context, peer, tag);
    }
    if (outcome < VALUE) {
      return posting.post(peer, tag);
    }
    AwaitedOutcome awaited = watch.begin(cursor.last(true));
    return new ReplayedReceive(engine, posting.post(outcome - VALUE, cursor.tag), () -> watch.end(awaited));
  }

  /** Makes a call that has to give what the last event has. */
  private void await(ReplayCursor cursor, Runnable call) {
    AwaitedOutcome awaited = watch.begin(cursor.last(false));
    try {
      call.run();
    } catch (MpiException e) {
      folder.place().checkNoOtherCall();
      if (e.errorClass() != ErrorClass.ERR_PROC_ABORTED || engine.endReason().isPresent()) {
        throw e;
      }
      throw folder.place().otherOutcome(awaited, "now it fails with " + e.getMessage());
    } finally {
      watch.end(awaited);
    }
  }

  // ---- probes

  @Override
  public void probe(int peer, long context, int tag, Envelope envelope) {
    if (isChoice(peer, tag)) {
      ReplayCursor cursor = stream(context);
      int outcome = cursor.next(ChoiceKind.PROBE, context, peer, tag);
      if (outcome >= VALUE) {
        probe(cursor, outcome - VALUE, context, envelope);
        return;
      }
    }
    engine.probe(peer, context, tag, envelope);
  }

  private void probe(ReplayCursor cursor, int peer, long context, Envelope envelope) {
    int with = cursor.tag;
    await(cursor, () -> engine.probe(peer, context, with, envelope));
  }

  @Override
  public boolean iprobe(int peer, long context, int tag, Envelope envelope) {
    ReplayCursor cursor = stream(context);
    int outcome = cursor.next(ChoiceKind.LOOK_FOR_MESSAGE, context, peer, tag);
    if (outcome == NONE) {
      engine.progress();
      return false;
    }
    if (outcome < VALUE) {
      return engine.iprobe(peer, context, tag, envelope);
    }
    probe(cursor, outcome - VALUE, context, envelope);
    return true;
  }

  @Override
  public Matched mprobe(int peer, long context, int tag, Envelope envelope) {
    if (isChoice(peer, tag)) {
      ReplayCursor cursor = stream(context);
      int outcome = cursor.next(ChoiceKind.MATCHED_PROBE, context, peer, tag);
      if (outcome >= VALUE) {
        return matched(cursor, outcome - VALUE, context, envelope);
      }
    }
    return engine.mprobe(peer, context, tag, envelope);
  }

  private Matched matched(ReplayCursor cursor, int peer, long context, Envelope envelope) {
    int with = cursor.tag;
    Matched[] found = new Matched[1];
    await(cursor, () -> found[0] = engine.mprobe(peer, context, with, envelope));
    return found[0];
  }

  @Override
  public Matched improbe(int peer, long context, int tag, Envelope envelope) {
    ReplayCursor cursor = stream(context);
    int outcome = cursor.next(ChoiceKind.LOOK_FOR_MATCHED, context, peer, tag);
    if (outcome == NONE) {
      engine.progress();
      return null;
    }
    return outcome < VALUE
        ? engine.improbe(peer, context, tag, envelope)
        : matched(cursor, outcome - VALUE, context, envelope);
  }

  // ---- requests

  @Override
  public boolean test(Operation operation) {
    ReplayCursor cursor = stream();
    int outcome = cursor.next(ChoiceKind.TEST, 0, 0, 0);
    if (outcome == NONE) {
      engine.progress();
      return false;
    }
    if (outcome < VALUE) {
      return engine.test(operation);
    }
    await(cursor, () -> await(operation));
    return true;
  }

  @Override
  public boolean all(Operation[] operations, int length) {
    ReplayCursor cursor = stream();
    int outcome = cursor.next(ChoiceKind.TEST_ALL, 0, 0, length);
    if (outcome == NONE) {
      engine.progress();
      return false;
    }
    if (outcome < VALUE) {
      return FirstComplete.all(engine, operations, length);
    }
    await(cursor, () -> {
      for (int i = 0; i < length; i++) {
        if (operations[i] != null) {
          await(operations[i]);
        }
      }
    });
    return true;
  }

  @Override
  public boolean look(BooleanSupplier isThere) {
    ReplayCursor cursor = stream();
    int outcome = cursor.next(ChoiceKind.LOOK, 0, 0, 0);
    if (outcome == NONE) {
      engine.progress();
      return false;
    }
    if (outcome < VALUE) {
      return isThere.getAsBoolean();
    }
    await(cursor, () -> {
      for (int looks = 0; !isThere.getAsBoolean(); looks++) {
        folder.place().checkNoOtherCall();
        if (looks < LOOKS_BEFORE_SLEEP) {
          Thread.onSpinWait();
        } else {
          LockSupport.parkNanos(SLEEP_NANOS);
        }
      }
    });
    return true;
  }

  @Override
  public int any(Operation[] operations, int length, boolean wait) {
    ReplayCursor cursor = stream();
    int outcome = cursor.next(wait ? ChoiceKind.WAIT_ANY : ChoiceKind.TEST_ANY, 0, 0, length);
    if (outcome == NONE && !wait) {
      engine.progress();
      return -1;
    }
    int index = outcome - VALUE;
    if (index < 0) {
      return FirstComplete.any(engine, operations, length, wait);
    }
    checkActive(operations, index);
    await(cursor, () -> await(operations[index]));
    return index;
  }

  @Override
  public void some(Operation[] operations, int length, boolean wait) {
    ReplayCursor cursor = stream();
    int outcome = cursor.next(wait ? ChoiceKind.WAIT_SOME : ChoiceKind.TEST_SOME, 0, 0, length);
    if (outcome != NONE && outcome < VALUE) {
      FirstComplete.some(engine, operations, length, wait);
      return;
    }
    int[] indices = outcome < VALUE ? new int[0] : cursor.indices;
    if (indices.length == 0) {
      engine.progress();
    }
    int next = 0;
    for (int i = 0; i < length; i++) {
      if (next < indices.length && indices[next] == i) {
        checkActive(operations, i);
        Operation reported = operations[i];
        await(cursor, () -> await(reported));
        next++;
      } else {
        operations[i] = null;
      }
    }
  }

  private void checkActive(Operation[] operations, int index) {
    if (operations[index] == null) {
      throw folder.place().otherCall(stream().events(), "that request " + index + " of a list was reported",
          "a list in which it is not active, at " + CallPlace.ofThisThread().line());
    }
  }

  // ---- the end

  @Override
  public void leave(boolean failed) {
    if (!failed) {
      folder.reportLeft();
    }
    watch.close();
    super.leave(failed);
  }
}
