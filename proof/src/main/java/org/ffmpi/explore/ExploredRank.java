// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Operation;

/**
 * One rank of a run with its receives, its operations under way, and the past of its calls. Used by the rank that has
 * the turn.
 */
final class ExploredRank implements ExploredReceive.Owner {
  /** A channel, and in that of a window another rank, or -1. */
  private record Hidden(long channel, int peer) {}

  /** An operation that progress advances, and what it depends on. */
  private static final class Registered {
    final Operation operation;
    final Past started;

    Registered(Operation operation, Past started) {
      this.operation = operation;
      this.started = started;
    }
  }

  /** Stands for what calls look at that is no operation, of which a rank misses one at a time. */
  private static final LookedFor ANY_LOOK = new LookedFor(() -> false);

  final int self;
  final Scheduler scheduler;
  /** Whether everything is checked. */
  boolean checking;
  Thread thread;
  boolean awake = true;
  boolean finished;

  /** The call that the rank stands in; null while it runs. */
  Stand stand;

  /** Posted receives without a message, in order. */
  final List<ExploredReceive> posted = new ArrayList<>();
  /** All receives that have been posted for messages of the program, in order. */
  final List<ExploredReceive> receives = new ArrayList<>();
  /** Messages that no receive has taken, in order. */
  final List<ExploredMessage> waiting = new ArrayList<>();
  /** All messages of the program to this rank, in order. */
  final List<ExploredMessage> messages = new ArrayList<>();

  final List<RankCall> calls = new ArrayList<>();
  int hash;
  int points;
  int orders;
  int posts;
  /** Standard sends of the program, and how many of them it has completed. */
  int sends;
  private int completions;

  private Past clock = Past.NONE;
  /** The past of the registered operation that is being advanced; null in the program's own calls. */
  private Past frame;
  /** What the library's own messages in a channel depend on; in that of a window, those to one rank. */
  private final Map<Hidden, Past> hidden = new HashMap<>();
  /** The requests to windows that this rank has served, by channel. */
  final Map<Long, List<ChoicePoint>> served = new HashMap<>();
  /** How many requests to windows other ranks have sent. */
  final Map<Integer, Integer> requests = new HashMap<>();
  /** What operations that consist of others depend on. */
  private final Map<Operation, Past> ofParts = new IdentityHashMap<>();
  /** Operations of others that calls have looked at, and the pasts of their completions. */
  private final Map<Operation, Past> watched = new IdentityHashMap<>();
  /** Operations of others that a call has been told once to be incomplete. */
  private final Map<Operation, Boolean> denied = new IdentityHashMap<>();

  /** What calls have looked for in vain: operations, and envelopes of probes. */
  private final Map<Operation, Boolean> missedOperations = new IdentityHashMap<>();

  private final Set<RankCall> missedEnvelopes = new HashSet<>();
  /** The envelopes of probes that were told to see nothing. */
  private final Set<RankCall> deniedEnvelopes = new HashSet<>();

  private final List<Registered> registered = new ArrayList<>();
  /** Receives that have their message and are not complete. */
  private final List<ExploredReceive> ready = new ArrayList<>();
  /** Sends that are not complete. */
  private final List<ExploredSend> leaving = new ArrayList<>();
  /** The sends that operations consist of, and that progress has completed. */
  private final Map<Operation, List<ExploredSend>> sendsOfParts = new IdentityHashMap<>();

  /** What the call that the rank stands in is told not to see, which makes no progress meanwhile; null for nothing. */
  private Operation[] held;

  ExploredRank(int self, Scheduler scheduler) {
    this.self = self;
    this.scheduler = scheduler;
  }

  // ---- pasts

  /** Returns what the rank's next step depends on, in a context of the program or of the library. */
  Past now(boolean ofProgram, long context) {
    Past base = frame != null ? frame : clock;
    return ofProgram || scheduler.isOfWindow(this, context) ? base : base.and(hidden(context));
  }

  /**
   * Returns what a message of the service of a window depends on: the requests of its receiver, and those of ranks that
   * had the lock before if it is a grant.
   */
  Past ofService(long context, int tag, int peer) {
    long channel = Channel.numberOf(context);
    Past past = frame.and(hidden.getOrDefault(new Hidden(channel, peer), Past.NONE));
    if (scheduler.channel(this, context).epochs().isGrant(context, tag)) {
      for (ChoicePoint earlier : lastOf(channel, peer).before) {
        past = past.and(hidden.getOrDefault(new Hidden(channel, earlier.message.from), Past.NONE));
      }
    }
    return past;
  }

  /** Notes an answer to the last request of a rank. */
  void answered(long context, int tag, int peer, long bytes, long answer) {
    List<ChoicePoint> all = served.getOrDefault(Channel.numberOf(context), List.of());
    for (int i = all.size() - 1; i >= 0; i--) {
      ChoicePoint request = all.get(i);
      if (request.message.from == peer) {
        request.vain |= scheduler.channel(this, context).epochs().isVain(request.message.data, tag, bytes, answer);
        return;
      }
    }
  }

  /** Returns the last request of a rank that this one has served. */
  private ChoicePoint lastOf(long channel, int peer) {
    return served.get(channel).stream().filter(request -> request.message.from == peer)
        .reduce((earlier, later) -> later).orElseThrow();
  }

  private Past hidden(long context) {
    return hidden.getOrDefault(new Hidden(Channel.numberOf(context), -1), Past.NONE);
  }

  private void hide(ExploredReceive receive) {
    boolean ofWindow = scheduler.isOfWindow(this, receive.context);
    int peer = ofWindow && receive.message() != null ? receive.message().from : -1;
    hidden.merge(new Hidden(Channel.numberOf(receive.context), peer), receive.past(), Past::and);
  }

  /** Adds to what the program has seen. */
  void see(Past past) {
    if (frame == null) {
      clock = clock.and(past);
    }
  }

  Past clock() {
    return clock;
  }

  boolean isInFrame() {
    return frame != null;
  }

  /** Makes the next choice of the rank. */
  ChoicePoint point(ChoicePoint.Kind kind, boolean polls, int order) {
    return new ChoicePoint(self, points++, kind, polls, order, calls.size(), hash);
  }

  /** Counts a receive of the program as posted. */
  void countPost() {
    posts++;
    clock = clock.posted(self, posts);
  }

  /** Returns what the completion of an operation depends on; null while it is not known to be complete. */
  Past pastOf(Operation operation) {
    if (operation instanceof ExploredOperation own) {
      return own.past();
    }
    Past known = watched.get(operation);
    return known != null ? known : operation.isDone() ? collected(operation) : null;
  }

  private Past collected(Operation operation) {
    if (operation instanceof LookedFor) { // at messages of the library, and it is not known at which
      Past all = Past.NONE;
      for (Past past : hidden.values()) {
        all = all.and(past);
      }
      return all;
    }
    long context = operation.matchingContext();
    Past own = ofParts.getOrDefault(operation, Past.NONE);
    return context < 0 ? own : own.and(hidden(context));
  }

  /** Remembers when an operation that consists of others becomes complete. */
  void watch(Operation operation) {
    if (!(operation instanceof ExploredOperation) && !watched.containsKey(operation)) {
      watched.put(operation, operation.isDone() ? collected(operation) : null);
    }
  }

  boolean isDenied(Operation operation) {
    return operation instanceof ExploredOperation own ? own.isDenied()
        : denied.containsKey(operation instanceof LookedFor ? ANY_LOOK : operation);
  }

  void deny(Operation operation) {
    if (operation instanceof ExploredOperation own) {
      own.deny();
    } else {
      denied.put(operation instanceof LookedFor ? ANY_LOOK : operation, true);
    }
  }

  /** Records that a call has seen nothing; returns whether calls have looked for the same in vain before. */
  boolean missAgain(ChoicePoint point) {
    if (point.operations == null) {
      return !missedEnvelopes.add(envelope(point));
    }
    boolean again = true;
    for (Operation operation : point.operations) {
      Operation key = operation instanceof LookedFor ? ANY_LOOK : operation;
      again &= operation == null || missedOperations.put(key, true) != null;
    }
    return again;
  }

  /** Records that a probe has found something. */
  void found(ChoicePoint point) {
    missedEnvelopes.remove(envelope(point));
    deniedEnvelopes.remove(envelope(point));
  }

  /** Records that a call is told to see nothing, also of what has not come yet. */
  void denyLater(ChoicePoint point) {
    if (point.operations == null) {
      deniedEnvelopes.add(envelope(point));
      return;
    }
    for (Operation operation : point.operations) {
      if (operation != null) {
        deny(operation);
      }
    }
  }

  /** Returns whether an earlier probe was told to see nothing, and none has found anything since. */
  boolean isDenied(ChoicePoint probe) {
    return deniedEnvelopes.contains(envelope(probe));
  }

  private static RankCall envelope(ChoicePoint point) {
    return new RankCall("", point.pattern.peer, point.pattern.tag, point.pattern.context, 0);
  }

  // ---- progress

  void register(Operation operation) {
    if (!operation.isDone()) {
      registered.add(new Registered(operation, frame != null ? frame : clock));
    }
  }

  /** Adds a send that no call has completed yet. */
  void isLeaving(ExploredSend send) {
    leaving.add(send);
  }

  /** Lets operations make no progress; null for none. */
  void hold(Operation[] operations) {
    held = operations;
  }

  /** Returns whether an operation, or one that it is a step of, makes no progress now. */
  private boolean isHeld(Operation operation) {
    if (held != null) {
      for (Operation each : held) {
        for (Operation of = operation; of != null; of = of.parent()) {
          if (of == each) {
            return true;
          }
        }
      }
    }
    return false;
  }

  void isReady(ExploredReceive receive) {
    ready.add(receive);
    awake = true;
  }

  /** Completes what no call looks at, and advances what is registered, until nothing moves. */
  void progress() {
    boolean moved = true;
    while (moved) {
      moved = deliverUnattended();
      for (int i = 0; i < registered.size(); i++) {
        Registered entry = registered.get(i);
        moved |= !isHeld(entry.operation) && advance(entry.operation, entry.started);
      }
      registered.removeIf(entry -> entry.operation.isDone());
    }
    watched.replaceAll((operation, past) -> past == null && operation.isDone() ? collected(operation) : past);
  }

  private boolean deliverUnattended() {
    boolean moved = false;
    for (int i = 0; i < ready.size(); i++) {
      ExploredReceive receive = ready.get(i);
      if (!receive.isUnattended() && scheduler.isOfProgram(this, receive.context) || isHeld(receive)) {
        continue;
      }
      ready.remove(i--);
      for (Operation of = receive.parent(); of != null; of = of.parent()) {
        ofParts.merge(of, receive.past(), Past::and);
      }
      if (!scheduler.isOfProgram(this, receive.context)) {
        hide(receive);
      }
      receive.deliver();
      moved = true;
    }
    for (int i = 0; i < leaving.size(); i++) {
      ExploredSend send = leaving.get(i);
      if (send.isDone()) {
        leaving.remove(i--);
      } else if (send.parent() != null && send.isReady() && !isHeld(send)) {
        leaving.remove(i--);
        for (Operation of = send.parent(); of != null; of = of.parent()) {
          ofParts.merge(of, send.past(), Past::and);
          sendsOfParts.computeIfAbsent(of, k -> new ArrayList<>()).add(send);
        }
        send.deliver();
        moved = true;
      }
    }
    return moved;
  }

  /** Advances an operation in the past in which it was started. */
  private boolean advance(Operation operation, Past started) {
    Past outer = frame;
    frame = started;
    try {
      return !operation.isDone() && operation.advance();
    } finally {
      frame = outer;
    }
  }

  /** Advances an operation that a call of the program waits for or tests. */
  void advance(Operation operation) {
    if (operation.isDone() || operation instanceof ExploredOperation || isHeld(operation)) {
      return;
    }
    for (Registered entry : registered) {
      if (entry.operation == operation) {
        return; // progress does
      }
    }
    boolean moved = true;
    while (moved && !operation.isDone()) {
      moved = operation.advance();
    }
  }

  /** Returns whether an operation could be reported as complete. */
  static boolean isReady(Operation operation) {
    return operation.isDone() || operation instanceof ExploredOperation own && own.isReady();
  }

  /** Completes an operation that is ready: the program sees it. */
  void complete(Operation operation) {
    if (operation instanceof ExploredOperation own) {
      boolean ofProgram = scheduler.isOfProgram(this, operation.matchingContext());
      if (!operation.isDone()) {
        ready.remove(operation);
        own.deliver();
      }
      if (!ofProgram && frame == null) {
        if (own instanceof ExploredReceive receive && own.past() != null) {
          hide(receive);
        }
        see(hidden(operation.matchingContext()));
      }
      if (own.past() != null) { // a cancelled one has none
        see(own.past());
      }
      if (own instanceof ExploredSend send) {
        countCompleted(send);
      }
    } else {
      Past past = pastOf(operation);
      see(past == null ? Past.NONE : past);
      List<ExploredSend> sends = sendsOfParts.remove(operation);
      if (sends != null) {
        sends.forEach(this::countCompleted);
      }
      if (operation instanceof LookedFor) {
        denied.remove(ANY_LOOK);
        missedOperations.remove(ANY_LOOK);
      }
    }
  }

  private void countCompleted(ExploredSend send) {
    if (send.message.sendNumber > 0 && send.message.completedAt == 0 && frame == null) {
      send.message.completedAt = ++completions;
      clock = clock.sent(self, completions);
    }
  }

  /** Completes all that is ready, for calls that look at everything. */
  void completeAll() {
    while (!ready.isEmpty()) {
      complete(ready.getFirst());
    }
  }

  // ---- receives

  @Override
  public void withdraw(ExploredReceive receive) {
    posted.remove(receive);
    scheduler.settle(this);
  }

  @Override
  public boolean isChecking() {
    return checking;
  }

  @Override
  public boolean isTooShort(ExploredReceive receive, long capacity) {
    return receive.message().bytes < capacity && scheduler.isExactLength(this, receive.context);
  }

  /** Returns whether nothing is under way in the contexts of a channel. */
  boolean isQuiet(long number) {
    return posted.stream().noneMatch(receive -> Channel.numberOf(receive.context) == number)
        && registered.stream().noneMatch(entry -> entry.operation.matchingContext() >= 0
            && Channel.numberOf(entry.operation.matchingContext()) == number);
  }

  /** Records a call of the program. */
  void record(String name, int peer, int tag, long context, long bytes) {
    RankCall call = new RankCall(name, peer, tag, context, bytes);
    calls.add(call);
    hash = 31 * hash + name.hashCode() + 7 * peer + 13 * tag + 17 * Long.hashCode(context) + 19 * Long.hashCode(bytes);
  }
}
