// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import java.util.Map;
import java.util.WeakHashMap;
import org.ffmpi.base.Constants;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.CollectiveForm;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.ForwardingCollectives;
import org.ffmpi.spi.Operation;
import org.ffmpi.trace.model.CallKind;

/**
 * Collectives whose calls are recorded, except those of windows and files. The tag of a record is the number of the
 * call on its communicator, which is the same at all ranks; the peer is the root. Called by the threads that call
 * collectives.
 */
final class ObservedCollectives extends ForwardingCollectives {
  private static final Collective[] OPERATIONS = Collective.values();

  private final CallRecorder recorder;
  private final int[] names = new int[OPERATIONS.length];

  /** What the starts of persistent operations are to show; guarded by itself. */
  private final Map<Operation, Facts> persistent = new WeakHashMap<>();

  /** The facts of a persistent call. */
  private static final class Facts {
    final int name;
    final String algorithm;
    final long comm;
    final int root;
    final long bytes;
    /** Counts the starts. */
    int number;

    Facts(int name, String algorithm, long comm, int root, long bytes) {
      this.name = name;
      this.algorithm = algorithm;
      this.comm = comm;
      this.root = root;
      this.bytes = bytes;
    }
  }

  ObservedCollectives(Collectives collectives, CallRecorder recorder) {
    super(collectives);
    this.recorder = recorder;
    for (Collective operation : OPERATIONS) {
      names[operation.ordinal()] = recorder.string(operation.label());
    }
  }

  @Override
  public Operation call(Channel channel, CollectiveCall call, CollectiveForm form) {
    if (recorder.isInside() || recorder.isHidden(channel.pointToPoint())) {
      return collectives.call(channel, call, form);
    }
    int name = names[call.operation().ordinal()];
    int root = root(channel, call);
    long bytes = CollectiveBytes.of(call);
    if (form == CollectiveForm.PERSISTENT) {
      Facts facts = new Facts(name, collectives.algorithm(channel, call), channel.persistent(), root, bytes);
      return prepare(channel, call, facts);
    }
    int number = channel.begunCollectives() - channel.ownCollectives();
    long key = CallSites.key(name, channel.pointToPoint(), root, 0, bytes);
    int place = recorder.guess(key, CallKind.COLLECTIVE);
    if (place == CallSites.UNKNOWN) {
      place = recorder.learn(key, CallKind.COLLECTIVE, collectives.algorithm(channel, call));
      recorder.group(channel, channel.pointToPoint());
    }
    long begun = recorder.begin(CallKind.COLLECTIVE, name, place, channel.pointToPoint(), root, number, bytes);
    Thread before = recorder.enter();
    Operation started = null;
    try {
      started = collectives.call(channel, call, form);
      return started;
    } finally {
      recorder.leave(before);
      end(begun, started);
    }
  }

  private Operation prepare(Channel channel, CollectiveCall call, Facts facts) {
    recorder.group(channel, channel.persistent());
    Thread before = recorder.enter();
    try {
      Operation prepared = collectives.call(channel, call, CollectiveForm.PERSISTENT);
      synchronized (persistent) {
        persistent.put(prepared, facts);
      }
      return prepared;
    } finally {
      recorder.leave(before);
    }
  }

  /** Records the end, and the number of the request of a call that has only started. */
  private void end(long begun, Operation started) {
    if (started == null || started.isDone()) {
      recorder.done(begun);
      return;
    }
    started.mark(begun + 1);
    recorder.done(begun, begun + 1);
  }

  @Override
  public void start(Operation operation) {
    Facts facts;
    int number = 0;
    synchronized (persistent) {
      facts = persistent.get(operation);
      if (facts != null) {
        number = facts.number++;
      }
    }
    if (facts == null) {
      collectives.start(operation);
      return;
    }
    long key = CallSites.key(facts.name, facts.comm, facts.root, 0, facts.bytes);
    int place = recorder.guess(key, CallKind.COLLECTIVE);
    if (place == CallSites.UNKNOWN) {
      place = recorder.learn(key, CallKind.COLLECTIVE, facts.algorithm);
    }
    long begun = recorder.begin(CallKind.COLLECTIVE, facts.name, place, facts.comm, facts.root, number, facts.bytes);
    Thread before = recorder.enter();
    try {
      collectives.start(operation);
    } finally {
      recorder.leave(before);
      end(begun, operation);
    }
  }

  @Override
  public void discard(Operation operation) {
    synchronized (persistent) {
      persistent.remove(operation);
    }
    collectives.discard(operation);
  }

  // ---- facts of a call

  private static int root(Channel channel, CollectiveCall call) {
    return switch (call.operation()) {
      case BCAST, GATHER, GATHERV, SCATTER, SCATTERV, REDUCE ->
          call.root() < 0 ? Constants.PROC_NULL : channel.peer(call.root());
      default -> Constants.ANY_SOURCE;
    };
  }
}
