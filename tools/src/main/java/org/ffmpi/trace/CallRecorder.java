// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.ffmpi.spi.CallObserver;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Members;
import org.ffmpi.spi.ProfilingLevel;
import org.ffmpi.trace.model.CallKind;

/**
 * Records the calls of one rank with their places, times and arguments. Used by the layers over engine and collectives,
 * and by windows and files, in any thread of the rank; never waits.
 */
final class CallRecorder implements CallObserver {
  /** Result of a beginning that is not recorded: the program wants no records. */
  static final long NOTHING = -1;

  /** Result of the beginning of a call on a window or file that is a part of another one. */
  private static final long NESTED = -2;

  private static final CallKind[] KINDS = CallKind.values();
  private static final int MOST_GROUPS = 1000;
  private static final int MOST_PLACES = 1 << 15;

  private final TraceBuffer buffer;
  private final CallSites sites = new CallSites();
  private final int[] names = new int[KINDS.length];

  /** The number of each place, a line of the program together with the way of its call; guarded by this. */
  private final Map<Place, Integer> places = new HashMap<>();

  /** The strings of each place. Replaced when it grows, so that readers need no lock. */
  private volatile int[] strings = new int[2];

  private final ProgramContexts contexts = new ProgramContexts();

  /**
   * The thread in a collective call, or in one on a window or file, whose waits and calls are parts of that. A benign
   * race: with several threads in such calls, parts of them may be recorded too.
   */
  private Thread inside;

  /** The communicators whose members are recorded. */
  private final Set<Long> groups = ConcurrentHashMap.newKeySet();

  private record Place(String site, String how) {}

  /** The observer below, or null. */
  private final CallObserver below;

  /** What the observer below has returned for the call that the thread is in. */
  private final ThreadLocal<Long> begunBelow = new ThreadLocal<>();

  CallRecorder(TraceBuffer buffer, CallObserver below) {
    this.buffer = buffer;
    this.below = below;
    for (CallKind kind : KINDS) {
      names[kind.ordinal()] = buffer.string(kind.name().toLowerCase(Locale.ROOT));
    }
  }

  CallObserver below() {
    return below;
  }

  // ---- which calls are the program's

  /** Returns whether messages of a context are the program's own. */
  boolean isOfProgram(long context) {
    return contexts.has(context);
  }

  /** Returns whether a context belongs to a window or file. */
  boolean isHidden(long context) {
    return contexts.isHidden(context);
  }

  @Override
  public void opened(Channel channel) {
    contexts.hide(channel);
    if (below != null) {
      below.opened(channel);
    }
  }

  /** Returns whether the calling thread is in a call whose parts are not recorded. */
  boolean isInside() {
    return inside == Thread.currentThread();
  }

  /** Begins a call whose parts are not recorded; returns what {@link #leave} needs. */
  Thread enter() {
    Thread before = inside;
    inside = Thread.currentThread();
    return before;
  }

  void leave(Thread before) {
    inside = before;
  }

  // ---- communicators

  /** Records the members of a communicator, once. */
  void group(Channel channel, long number) {
    if (groups.size() < MOST_GROUPS && groups.add(number)) {
      buffer.string(TraceLayout.GROUP + number + '|' + channel.name().replace('|', ' ') + '|' + members(channel));
    }
  }

  /** Returns peers in ranges, as in 0-3,7. */
  private static String members(Channel channel) {
    StringBuilder text = new StringBuilder();
    append(text, channel.local());
    if (channel.remote() != channel.local()) {
      append(text, channel.remote());
    }
    return text.toString();
  }

  private static void append(StringBuilder text, Members members) {
    for (int first = 0; first < members.size();) {
      int next = first + 1;
      while (next < members.size() && members.peer(next) == members.peer(next - 1) + 1) {
        next++;
      }
      text.append(text.isEmpty() ? "" : ",").append(members.peer(first));
      if (next > first + 1) {
        text.append('-').append(members.peer(next - 1));
      }
      first = next;
    }
  }

  // ---- records

  /** Returns the name of a kind of call, as a string's number. */
  int name(CallKind kind) {
    return names[kind.ordinal()];
  }

  int string(String text) {
    return buffer.string(text);
  }

  /** Records the beginning of a call with the usual name of its kind, that travels no particular way. */
  long begin(CallKind kind, long comm, int peer, int tag, long bytes) {
    return begin(kind, name(kind), comm, peer, tag, bytes);
  }

  private long begin(CallKind kind, int name, long comm, int peer, int tag, long bytes) {
    long key = CallSites.key(name, comm, peer, tag, bytes);
    int place = guess(key, kind);
    return begin(kind, name, place != CallSites.UNKNOWN ? place : learn(key, kind, ""), comm, peer, tag, bytes);
  }

  /** Returns the place of a call, or {@link CallSites#UNKNOWN} where {@link #learn} has to find it. */
  int guess(long key, CallKind kind) {
    return sites.guess(key, kind.ordinal());
  }

  /**
   * Finds the place of a call.
   *
   * @param how the way of the message, or the algorithm; empty for none
   */
  int learn(long key, CallKind kind, String how) {
    int place = place(new Place(CallSites.look(), how));
    sites.learn(key, kind.ordinal(), place);
    return place;
  }

  /**
   * Records the beginning of a call.
   *
   * @param place where it comes from
   * @return the record's number, for an end
   */
  long begin(CallKind kind, int name, int place, long comm, int peer, int tag, long bytes) {
    if (ProfilingLevel.isOff()) {
      return NOTHING;
    }
    int[] known = strings;
    return buffer.begin(
        kind.ordinal(), System.nanoTime(), name, known[2 * place], known[2 * place + 1], comm, peer, tag, bytes);
  }

  /** Returns the number of a place; 0 stands for those beyond the room for them. */
  private synchronized int place(Place wanted) {
    Integer known = places.get(wanted);
    if (known != null) {
      return known;
    }
    int place = strings.length / 2;
    if (place == MOST_PLACES) {
      return 0;
    }
    int[] more = Arrays.copyOf(strings, strings.length + 2);
    more[2 * place] = wanted.site.isEmpty() ? 0 : buffer.string(wanted.site);
    more[2 * place + 1] = wanted.how.isEmpty() ? 0 : buffer.string(wanted.how);
    strings = more;
    places.put(wanted, place);
    return place;
  }

  void done(long begun) {
    if (begun != NOTHING) {
      buffer.end(begun, System.nanoTime());
    }
  }

  void done(long begun, long request) {
    if (begun != NOTHING) {
      buffer.end(begun, System.nanoTime(), request);
    }
  }

  void done(long begun, long request, int peer, int tag, long bytes) {
    if (begun != NOTHING) {
      buffer.end(begun, System.nanoTime(), request, peer, tag, bytes);
    }
  }

  // ---- windows and files

  @Override
  public long begin(Kind kind, String call, Channel channel, int target, long bytes) {
    if (isInside()) {
      return NESTED;
    }
    enter();
    if (below != null) {
      begunBelow.set(below.begin(kind, call, channel, target, bytes));
    }
    CallKind recorded = kind == Kind.WINDOW ? CallKind.WINDOW : CallKind.FILE;
    int peer = target < 0 ? -1 : channel.peer(target);
    return begin(recorded, string(call), channel.pointToPoint(), peer, 0, bytes);
  }

  @Override
  public void end(long begun) {
    if (begun != NESTED) {
      leave(null);
      done(begun);
      if (below != null) {
        below.end(begunBelow.get());
      }
    }
  }
}
