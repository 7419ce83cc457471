// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.EpochSource;
import org.ffmpi.spi.ReceiveException;

/**
 * One run of all ranks, one at a time. The rank that has the turn runs until it stands in a call that cannot go on;
 * then the first rank that can go on gets the turn. When none can, {@link Chooser} decides one open choice. Nothing of
 * this is guarded: a turn is handed over by a volatile write, and only the rank that has it touches the state.
 *
 * <p>This file is long because turns, matching and the requests to windows change the same state.
 */
final class Scheduler {
  /** How the message of calls begins after a run has ended. */
  static final String ENDED = "the job has ended: ";

  /** How often ranks may look in vain while nothing else moves, before that is an error. */
  private static final int MOST_LOOKS = 1_000;

  final ExploredRank[] ranks;
  final RunPlan plan;
  final MessageTable picture;
  final Chooser chooser;
  final MessageMemory memory;

  /** The choices of this run, in the order in which they were made. */
  final List<ChoicePoint> choices = new ArrayList<>();

  /** The channels of the ranks by number, to know which belong to windows. */
  private final List<Map<Long, Channel>> channels = new ArrayList<>();

  private volatile ExploredRank turn;
  /** Looks in vain since something moved. */
  private int looks;
  /** How often ranks were let go on that waited for nothing to move, while a script was not over. */
  private int idled;
  /** How many choices had been made when something moved last. */
  private int settled;

  private volatile String ended;
  /** Why no rank can go on. */
  private String standstill;

  /** Why the run depends on more than its choices, or null. */
  private volatile String unexplored;

  private long nextContext = Channel.FIRST_FREE_CONTEXT;
  /** When the turn was handed over last. */
  private volatile long movedAt = System.nanoTime();

  Scheduler(int size, RunPlan plan, MessageMemory memory) {
    this.plan = plan;
    this.memory = memory;
    this.ranks = new ExploredRank[size];
    this.picture = plan.recorded() ? new MessageTable(size) : null;
    for (int i = 0; i < size; i++) {
      ranks[i] = new ExploredRank(i, this);
      channels.add(new HashMap<>());
    }
    this.chooser = new Chooser(this);
    this.turn = ranks[0];
  }

  // ---- turns

  /** Waits for the first turn of a rank. */
  void begin(ExploredRank rank) {
    if (rank.thread == null) {
      rank.thread = Thread.currentThread();
    }
    awaitTurn(rank);
  }

  private void awaitTurn(ExploredRank rank) {
    boolean interrupted = false;
    while (turn != rank) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Blocks a rank until its call is over; throws when the run has ended. */
  void stand(ExploredRank rank, Stand stand) {
    if (rank.isInFrame()) {
      throw new MpiException(ErrorClass.ERR_INTERN, "an operation waits while progress advances it");
    }
    rank.stand = stand;
    try {
      while (true) {
        checkRunning();
        rank.awake = false;
        rank.progress();
        if (stand.isOver()) {
          return;
        }
        if (!rank.awake) {
          handOver(rank);
        }
      }
    } finally {
      rank.stand = null;
      rank.awake = true;
    }
  }

  private void handOver(ExploredRank rank) {
    ExploredRank next = next();
    if (next != rank) {
      give(next);
      awaitTurn(rank);
    }
  }

  private void give(ExploredRank next) {
    movedAt = System.nanoTime();
    turn = next;
    if (next != null && next.thread != null) {
      LockSupport.unpark(next.thread);
    }
  }

  /** Ends the part of a rank. */
  void leave(ExploredRank rank) {
    if (!rank.finished) {
      rank.finished = true;
      give(next());
    }
  }

  /** Returns the rank that gets the turn; null when all have ended. */
  private ExploredRank next() {
    while (true) {
      boolean all = true;
      for (ExploredRank rank : ranks) {
        if (!rank.finished && rank.awake) {
          return rank;
        }
        all &= rank.finished;
      }
      if (all) {
        return null;
      }
      if (chooser.decide() || endMismatched()) {
        moved();
      } else if (!release()) {
        for (ExploredRank rank : ranks) {
          if (rank.stand != null && rank.stand.waitsForProgram()) {
            cannotExplore(StandTexts.ofProgram(rank.self, "that a thread of the program's own completes"));
          }
        }
        standstill = StandTexts.describe(this);
        choices.subList(settled, choices.size()).clear(); // looks in vain, which any run makes that comes here
        end("no rank can go on");
      }
    }
  }

  /** Ends receives in collective calls of which another rank's messages show that it calls something else. */
  private boolean endMismatched() {
    boolean any = false;
    for (ExploredRank rank : ranks) {
      for (ExploredReceive receive : rank.posted.toArray(ExploredReceive[]::new)) {
        ExploredMessage other = receive.context >= 0 ? null : otherCall(rank, receive);
        if (other != null) {
          rank.posted.remove(receive);
          receive.refuse(ReceiveException.ofFailedCall(other.from, other.context, ErrorClass.ERR_COUNT), other.past);
          rank.isReady(receive);
          any = true;
        }
      }
    }
    return any;
  }

  private static ExploredMessage otherCall(ExploredRank rank, ExploredReceive receive) {
    for (ExploredMessage message : rank.waiting) {
      if (message.context < 0 && message.context != receive.context && message.tag == receive.tag
          && Channel.callOf(message.context) == Channel.callOf(receive.context)) {
        return message;
      }
    }
    return null;
  }

  /** Lets the ranks go on that only look; false when they have looked in vain too often, or none looks. */
  private boolean release() {
    int before = ++looks;
    if (before > MOST_LOOKS) {
      return false;
    }
    int settledBefore = settled;
    boolean any = chooser.decideRepeated();
    for (ExploredRank rank : ranks) {
      if (!rank.finished && rank.stand != null && rank.stand.polls()) {
        if (rank.stand.point != null) {
          chooser.miss(rank.stand.point);
        }
        rank.stand.released = true;
        rank.awake = true;
        any = true;
      }
    }
    looks = before;
    settled = settledBefore;
    return any;
  }

  /** Releases the ranks that make progress alone; returns whether any does. */
  boolean releaseIdle() {
    boolean any = false;
    for (ExploredRank rank : ranks) {
      if (!rank.finished && rank.stand != null && rank.stand.idles && idled < MOST_LOOKS) {
        rank.stand.released = true;
        rank.awake = true;
        any = true;
      }
    }
    idled += any ? 1 : 0;
    return any;
  }

  // ---- end

  void end(String reason) {
    if (ended == null) {
      ended = reason;
    }
    for (ExploredRank rank : ranks) {
      rank.awake = true;
    }
  }

  String ended() {
    return ended;
  }

  /** Returns why no rank could go on, or null. */
  String standstill() {
    return standstill;
  }

  /** Returns why the orders of this run cannot be explored, or null. */
  String unexplored() {
    return unexplored;
  }

  /** Lets a rank look again, after a thread of the program has completed an operation. */
  void wake(ExploredRank rank) {
    ExploredRank running = turn;
    if (running == null || running.thread != Thread.currentThread()) {
      cannotExplore(StandTexts.ofProgram(rank.self, "that thread " + StandTexts.name(Thread.currentThread())
          + " completes"));
    }
    rank.awake = true;
  }

  /** Ends a run that depends on more than its choices; returns the error of the call. Any thread may call. */
  MpiException cannotExplore(String reason) {
    String text = "orders cannot be explored: " + reason;
    unexplored = unexplored == null ? text : unexplored;
    end(text);
    return new MpiException(ErrorClass.ERR_UNSUPPORTED_OPERATION, text);
  }

  void checkRunning() {
    if (ended != null) {
      throw new MpiException(ErrorClass.ERR_PROC_ABORTED, ENDED + ended);
    }
  }

  /** Returns the rank that has the turn, and since when in nanoseconds; called by the thread that waits for the run. */
  ExploredRank running() {
    return turn;
  }

  long movedAt() {
    return movedAt;
  }

  // ---- contexts

  long claimContexts(int count) {
    long first = nextContext;
    nextContext += (long) count * Channel.CONTEXTS;
    return first;
  }

  void open(ExploredRank rank, Channel channel) {
    channels.get(rank.self).put(channel.pointToPoint(), channel);
  }

  /** Returns the channel of a context at a rank; at another one while the rank has not opened it; or null. */
  Channel channel(ExploredRank rank, long context) {
    long number = Channel.numberOf(context);
    Channel own = channels.get(rank.self).get(number);
    for (int i = 0; own == null && i < channels.size(); i++) {
      own = channels.get(i).get(number);
    }
    return own;
  }

  /** Returns whether a context is of the program's own messages. */
  boolean isOfProgram(ExploredRank rank, long context) {
    if (context < 0 || !Channel.isNumbered(context) || context % Channel.CONTEXTS != 0) {
      return false;
    }
    Channel channel = channel(rank, context);
    return channel != null && channel.epochs() == null; // without a channel are the partitions of messages
  }

  boolean isOfWindow(ExploredRank rank, long context) {
    Channel channel = context < 0 || !Channel.isNumbered(context) ? null : channel(rank, context);
    return channel != null && channel.epochs() != null;
  }

  boolean isExactLength(ExploredRank rank, long context) {
    Channel channel = channel(rank, context);
    return channel != null && channel.isExactLength();
  }

  // ---- matching

  /** Adds a message at its receiver. */
  void arrive(ExploredMessage message) {
    ExploredRank to = ranks[message.to];
    if (isOfProgram(to, message.context)) {
      to.messages.add(message);
    }
    if (isOfWindow(to, message.context)
        && channel(to, message.context).epochs().isOrdered(message.context, message.tag, message.data)) {
      message.place = new ChoicePoint(message, to.requests.merge(message.from, 1, Integer::sum) - 1);
    }
    to.waiting.add(message);
    to.awake = true;
    settle(to);
  }

  /** Withdraws a message that no receive has taken; returns whether that was so. */
  boolean withdraw(ExploredMessage message) {
    return ranks[message.to].waiting.remove(message);
  }

  /** Posts a receive. */
  void post(ExploredRank rank, ExploredReceive receive) {
    rank.posted.add(receive);
    if (isOfProgram(rank, receive.context)) {
      rank.receives.add(receive);
    }
    settle(rank);
  }

  /** Matches what can be matched in one way only. */
  void settle(ExploredRank rank) {
    for (int i = 0; i < rank.posted.size(); i++) {
      ExploredReceive receive = rank.posted.get(i);
      boolean any = receive.peer == Constants.ANY_SOURCE;
      if (any && receive.point != null) {
        continue;
      }
      ExploredMessage message = any ? firstOf(rank, receive) : candidate(rank, receive, receive.peer);
      if (message != null) {
        match(rank, receive, message);
        i = -1; // later receives may go on now
      }
    }
  }

  /** Returns the first message that fits and is no request whose place is a choice, nor behind one of its sender. */
  private static ExploredMessage firstOf(ExploredRank rank, ExploredReceive receive) {
    BitSet held = new BitSet();
    for (ExploredMessage message : rank.waiting) {
      if (receive.accepts(message) && !held.get(message.from)) {
        if (message.place == null) {
          return message;
        }
        held.set(message.from);
      }
    }
    return null;
  }

  /**
   * Returns the requests to windows that a rank can serve next, one of each sender and window.
   *
   * @param withRepeated also those that could not but get what they got before
   */
  List<ChoicePoint> requests(ExploredRank rank, boolean withRepeated) {
    List<ChoicePoint> first = new ArrayList<>();
    for (ExploredReceive receive : rank.posted) {
      if (receive.peer == Constants.ANY_SOURCE && receive.point == null) {
        BitSet held = new BitSet();
        for (ExploredMessage message : rank.waiting) {
          if (receive.accepts(message) && !held.get(message.from)) {
            held.set(message.from);
            if (message.place != null && !first.contains(message.place)
                && (withRepeated || !repeatsTooOften(message.place))) {
              first.add(message.place);
            }
          }
        }
      }
    }
    return first;
  }

  /** Returns the requests of other ranks that have been served, and which a request conflicts with. */
  List<ChoicePoint> conflicting(ChoicePoint request) {
    ExploredMessage message = request.message;
    EpochSource window = channel(ranks[message.to], message.context).epochs();
    return servedOf(request).stream()
        .filter(other -> other.message.from != message.from && window.conflict(other.message.data, message.data)
            && !(other.vain && !other.reads && isSame(window, other, request))) // both in vain, or a third one between
        .toList();
  }

  /** Returns whether a request asks again and again for the same, while nothing that it conflicts with is served. */
  private boolean repeatsTooOften(ChoicePoint request) {
    ChoicePoint last = repeated(request);
    return last != null && last.isLastOfRepeats() && repeats(last, conflicting(request));
  }

  /** Returns whether a request that is served after others can get nothing but what it got before. */
  static boolean repeats(ChoicePoint last, List<ChoicePoint> before) {
    return last.vain && before.stream().allMatch(other -> other.vain && !other.reads || last.before.contains(other));
  }

  /** Returns the last vain request of a rank that asked for the same, or null. */
  private ChoicePoint repeated(ChoicePoint request) {
    EpochSource window = channel(ranks[request.rank], request.message.context).epochs();
    List<ChoicePoint> served = servedOf(request);
    for (int i = served.size() - 1; i >= 0; i--) {
      ChoicePoint earlier = served.get(i);
      if (earlier.message.from == request.message.from) {
        if (!earlier.vain) {
          return null;
        }
        if (isSame(window, earlier, request)) {
          return earlier;
        }
      }
    }
    return null;
  }

  private static boolean isSame(EpochSource window, ChoicePoint first, ChoicePoint second) {
    return window.isSame(first.message.data, first.message.bytes, second.message.data, second.message.bytes);
  }

  private List<ChoicePoint> servedOf(ChoicePoint request) {
    return ranks[request.rank].served
        .computeIfAbsent(Channel.numberOf(request.message.context), k -> new ArrayList<>());
  }

  /** Serves a request. */
  void serve(ChoicePoint request, String result) {
    ExploredRank rank = ranks[request.rank];
    ExploredMessage message = request.message;
    Past reach = message.past;
    for (ChoicePoint earlier : servedOf(request)) {
      if (earlier.message.from == message.from) {
        reach = reach.and(earlier.past.after(earlier.number));
      }
    }
    request.reach = reach;
    request.before = conflicting(request);
    request.repeated = repeated(request);
    request.repeats = request.repeated != null && repeats(request.repeated, request.before)
        ? request.repeated.repeats + 1 : 0;
    request.vain = channel(rank, message.context).epochs().isLook(message.data);
    request.reads = request.vain;
    Past past = reach;
    for (ChoicePoint earlier : request.before) {
      past = past.and(earlier.past.after(earlier.number));
    }
    chooser.decided(request, result, past);
    servedOf(request).add(request);
    ExploredReceive service =
        rank.posted.stream().filter(posted -> posted.accepts(message)).findFirst().orElseThrow();
    past = past.after(request.number);
    rank.posted.remove(service);
    service.match(message, past);
    take(rank, message, service.order, past);
    rank.isReady(service);
    settle(rank);
  }

  /** Returns the message of a sender that a receive or probe can take now, or null. */
  static ExploredMessage candidate(ExploredRank rank, ExploredReceive pattern, int from) {
    for (ExploredMessage message : rank.waiting) {
      if (message.from == from && pattern.accepts(message)) {
        return isClaimed(rank, pattern, message) ? null : message;
      }
    }
    return null;
  }

  /** Returns whether an earlier receive may still take a message. */
  private static boolean isClaimed(ExploredRank rank, ExploredReceive pattern, ExploredMessage message) {
    for (ExploredReceive earlier : rank.posted) {
      if (earlier.order >= pattern.order) {
        return false;
      }
      if (earlier.accepts(message)) {
        return true;
      }
    }
    return false;
  }

  /** Returns what a match depends on: the message, and the earlier receives that might have taken it. */
  static Past pastOfMatch(ExploredRank rank, ExploredReceive pattern, ExploredMessage message) {
    Past past = pattern.posted.and(message.past);
    for (ExploredReceive earlier : rank.receives) {
      if (earlier.order >= pattern.order) {
        break;
      }
      if (earlier.past() != null && earlier.accepts(message)) {
        past = past.and(earlier.past());
      }
    }
    return past;
  }

  void match(ExploredRank rank, ExploredReceive receive, ExploredMessage message) {
    Past past = pastOfMatch(rank, receive, message);
    if (receive.point != null) {
      chooser.decided(receive.point, ChoicePoint.sender(message.from), past);
      past = past.after(receive.point.number);
    }
    rank.posted.remove(receive);
    receive.match(message, past);
    take(rank, message, receive.order, past);
    rank.isReady(receive);
    if (picture != null && isOfProgram(rank, message.context)) {
      picture.matched(message, receive);
    }
  }

  /** Removes a message from matching. */
  void take(ExploredRank rank, ExploredMessage message, int order, Past past) {
    rank.waiting.remove(message);
    message.taker = order;
    message.matched = past;
    moved();
    if (message.send != null && !message.send.isBuffered()) {
      ranks[message.from].awake = true;
    }
  }

  /** Counts something that moved without a choice. */
  void moved() {
    looks = 0;
    settled = choices.size();
  }
}
