// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.check;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.ffmpi.base.hook.Lifetimes;
import org.ffmpi.spi.CallPlace;

/**
 * The objects that a rank has made and not freed, each with the line that made it. An object that has become garbage
 * counts as not freed. Any thread makes and frees objects; the thread that finalizes reports.
 */
public final class RankLifetimes extends Lifetimes {
  private static final String REQUEST = "request";
  private static final String MESSAGE = "message";
  private static final String FILE = "file";
  private static final String PERSISTENT = "persistent request";

  /** What the standard wants to be over before a rank finalizes. */
  private static final Set<String> ERRORS = Set.of(REQUEST, MESSAGE, FILE);

  /** The facts about an object. */
  private static final class Known extends WeakReference<Object> {
    final int hash;
    final String kind;
    final CallPlace place;

    /** The facts about an active persistent request as an inactive one; otherwise null. */
    Known origin;

    Known(Object object, String kind, CallPlace place, ReferenceQueue<Object> queue) {
      super(object, queue);
      this.hash = System.identityHashCode(object);
      this.kind = kind;
      this.place = place;
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      return this == other || other instanceof Known known && known.get() != null && known.get() == get();
    }
  }

  private final int rank;
  /** The engine that checks, and the exchange of its messages; null where only objects are noted. */
  private final CheckEngine engine;

  /** What the layer below has to report; null for nothing. */
  private final Lifetimes below;

  private final LeftMessages messages;
  private final Consumer<CheckReport.Finding> sink;
  private final Map<Known, Known> open = new ConcurrentHashMap<>();
  private final ReferenceQueue<Object> garbage = new ReferenceQueue<>();

  /** Sentences about objects that have become garbage, each with their number. */
  private final Map<String, AtomicLong> lost = new ConcurrentHashMap<>();

  /**
   * Creates the lifetimes of a rank whose messages are looked after elsewhere.
   *
   * @param rank the rank
   * @param sink gets what is left, as in {@link CheckReport#send}
   */
  public RankLifetimes(int rank, Consumer<CheckReport.Finding> sink) {
    this(rank, null, null, null, sink);
  }

  RankLifetimes(
      CheckEngine engine, Lifetimes below, LeftMessages messages, Consumer<CheckReport.Finding> sink) {
    this(engine.self(), engine, below, messages, sink);
  }

  private RankLifetimes(
      int rank, CheckEngine engine, Lifetimes below, LeftMessages messages, Consumer<CheckReport.Finding> sink) {
    this.rank = rank;
    this.engine = engine;
    this.below = below;
    this.messages = messages;
    this.sink = sink;
  }

  CheckEngine engine() {
    return engine;
  }

  @Override
  protected void onMade(Object object, String kind) {
    collect();
    CallPlace place = CallPlace.ofThisThread();
    if (isOfProgram(kind, place)) {
      Known known = new Known(object, kind, place, garbage);
      Known before = open.remove(known);
      if (before == null) {
        open.put(known, known);
      } else { // a persistent request: active now, and inactive before, or the other way round
        known.origin = before;
        Known now = before.origin == null ? known : before.origin;
        open.put(now, now);
      }
    }
  }

  /** Other calls of the library make objects of their own. */
  private static boolean isOfProgram(String kind, CallPlace place) {
    return place != CallPlace.NOWHERE
        && (!kind.equals("datatype") || place.call().equals("MPI_Type_commit") && place.isDirect());
  }

  @Override
  protected void onFreed(Object object) {
    open.remove(new Known(object, "", CallPlace.NOWHERE, null));
  }

  private void collect() {
    for (Object next = garbage.poll(); next != null; next = garbage.poll()) {
      Known known = (Known) next;
      if (open.remove(known) != null) {
        lost.computeIfAbsent(known.kind + "\n" + sentence(known), text -> new AtomicLong()).incrementAndGet();
      }
    }
  }

  private static String sentence(Known known) {
    return switch (known.kind) {
      case REQUEST -> known.place + " was never completed: no wait, test or free of its request has";
      case PERSISTENT -> "the persistent request made by " + known.place + " was not freed";
      case MESSAGE -> "the message matched by " + known.place + " was not received: no mrecv of it";
      case FILE -> "the file opened by " + known.place + " was not closed";
      default -> "the " + known.kind + " made by " + known.place + " was not freed";
    };
  }

  @Override
  public boolean exchange(long nanos) {
    return messages == null || messages.exchange(nanos);
  }

  @Override
  public RuntimeException report() {
    collect();
    Map<String, AtomicLong> all = new TreeMap<>(lost);
    for (Known known : open.keySet()) {
      all.computeIfAbsent(known.kind + "\n" + sentence(known), text -> new AtomicLong()).incrementAndGet();
    }
    List<CheckReport.Finding> findings = new ArrayList<>();
    if (messages != null) {
      engine.unsafe().sentences().forEach(text -> findings.add(new CheckReport.Finding(rank, MESSAGE, true, text)));
      messages.found().forEach(text -> findings.add(new CheckReport.Finding(rank, MESSAGE, true, text)));
    }
    all.forEach((text, count) -> {
      String kind = text.substring(0, text.indexOf('\n'));
      String times = count.get() == 1 ? "" : " (" + count + " times)";
      findings.add(new CheckReport.Finding(
          rank, kind, ERRORS.contains(kind), text.substring(kind.length() + 1) + times));
    });
    RuntimeException error = CheckReport.report(findings, sink);
    RuntimeException other = below == null ? null : below.report();
    if (error != null && other != null) {
      other.addSuppressed(error);
    }
    return other == null ? error : other;
  }
}
