// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The accesses to one part of a window that are not known to lie before all that is to come. Compares each new one with
 * them. Any thread.
 */
final class PartShadow {
  /** Number of accesses from which on old ones are looked for. */
  private static final int MANY = 64;

  /** Most accesses that are kept. The oldest complete ones are forgotten beyond that. */
  private static final int MOST = 2_000;

  /** Two accesses that contradict each other and are in no order. */
  record Conflict(SeenAccess earlier, SeenAccess later, long first, long end) {}

  /** The same memory as a part of another window; its position there is this one's and the shift. */
  private record Shared(PartShadow shadow, long shift) {}

  private record Kept(SeenAccess access, Spans.Place place) {}

  private final BooleanSupplier sameOp;
  private final BooleanSupplier ordered;
  private final List<Shared> shared = new CopyOnWriteArrayList<>();
  /** All but the loads and stores that are still extended. */
  private final Spans<SeenAccess> accesses = new Spans<>();
  /** Accesses of other processes that are not complete. */
  private final List<SeenAccess> open = new ArrayList<>();
  /** The last access of one place of the program, by rank and place. */
  private final Map<String, Kept> last = new HashMap<>();
  /** The loads or stores of one place of the program, by rank and place, that are still extended. */
  private final Map<String, SeenAccess> locals = new HashMap<>();
  /** Pairs of places that have been reported. */
  private final Set<String> reported = new HashSet<>();
  private int limit = MANY;

  PartShadow(BooleanSupplier sameOp, BooleanSupplier ordered) {
    this.sameOp = sameOp;
    this.ordered = ordered;
  }

  /** Notes that a part of another window is memory of this one, too. */
  void share(PartShadow other, long shift) {
    shared.add(new Shared(other, shift));
    other.shared.add(new Shared(this, -shift));
  }

  /** Notes that the window is closed. */
  void close() {
    shared.forEach(other -> other.shadow.shared.removeIf(back -> back.shadow == this));
    shared.clear();
  }

  /** Adds an access and returns what it contradicts, or null. */
  Conflict add(SeenAccess access) {
    addUnchecked(access);
    return check(access, access.bytes);
  }

  /** Adds an access that is compared later, unless it stands here already as far as others are concerned. */
  synchronized void addUnchecked(SeenAccess access) {
    if (access.isLocal()) {
      keep(access);
      return;
    }
    String key = access.peer + " " + access.kind + access.site;
    Kept known = last.get(key);
    if (known != null && access.repeats(known.access)) {
      if (known.access.end != SeenAccess.OPEN) {
        accesses.remove(known.place); // what is not after the earlier one is not after this one either
      } else if (access.kind != SeenAccess.Kind.GET && !access.fetches) {
        return; // both end at once, since no request completes them
      }
    }
    last.put(key, new Kept(access, keep(access)));
  }

  private Spans.Place keep(SeenAccess access) {
    return accesses.add(access.bytes.first(), access.bytes.end(), access);
  }

  /** Adds an access of which another process has told, to be compared later. */
  synchronized void addTold(SeenAccess access) {
    addUnchecked(access);
    if (access.end == SeenAccess.OPEN) {
      open.add(access);
    }
  }

  /** Adds bytes to the loads or stores of one place; returns their access, or null when it has these bytes already. */
  synchronized SeenAccess local(SeenAccess.Kind kind, int peer, RunSet bytes, long[] clock, String site) {
    String key = peer + " " + kind + site;
    SeenAccess known = locals.get(key);
    if (known == null || known.clock != clock) {
      if (known != null) {
        keep(known);
      }
      known = SeenAccess.local(kind, peer, new RunSet(), clock, false, site);
      locals.put(key, known);
    } else if (known.bytes.contains(bytes.first(), bytes.end())) {
      return null;
    }
    known.bytes.add(bytes.first(), bytes.end());
    return known;
  }

  /** Compares some of the bytes of an access with the others; returns what it contradicts, or null. */
  Conflict check(SeenAccess access, RunSet bytes) {
    Conflict found = checkHere(access, bytes);
    for (Shared other : access.isLocal() ? List.<Shared>of() : shared) { // loads and stores are known to all windows
      found = found != null ? found : checkThere(access, other);
    }
    return found;
  }

  /** Compares an access with those through another window, where not even accumulates are compatible. */
  private Conflict checkThere(SeenAccess access, Shared other) {
    RunSet there = access.bytes.shifted(other.shift);
    SeenAccess probe = access.writing(there);
    Conflict found = other.shadow.checkRemote(probe);
    return found == null || isReported(found.earlier, access) ? null
        : new Conflict(found.earlier, access, found.first - other.shift, found.end - other.shift);
  }

  private synchronized boolean isReported(SeenAccess earlier, SeenAccess later) {
    return reported.contains(key(earlier, later));
  }

  private synchronized Conflict checkRemote(SeenAccess probe) {
    return find(probe.bytes, other -> other.isLocal() ? null : conflict(probe, other, true, false));
  }

  private synchronized Conflict checkHere(SeenAccess access, RunSet bytes) {
    SeenAccess probe = bytes == access.bytes ? access : new SeenAccess(
        access.kind, access.op, access.representation, access.unit, access.fetches, access.peer, bytes, access.clock,
        access.end, access.site);
    boolean same = sameOp.getAsBoolean();
    boolean inOrder = ordered.getAsBoolean();
    Conflict found = find(bytes, other -> other == access || reported.contains(key(other, access)) ? null
        : conflict(probe, other, same, inOrder));
    return found == null ? null : new Conflict(found.earlier, access, found.first, found.end);
  }

  private static Conflict conflict(SeenAccess probe, SeenAccess other, boolean sameOp, boolean ordered) {
    long[] where = other.isBefore(probe) || probe.isBefore(other) ? null : probe.contradicts(other, sameOp, ordered);
    return where == null ? null : new Conflict(other, probe, where[0], where[1]);
  }

  /** Returns the first conflict of some bytes with an access, or null. */
  private Conflict find(RunSet bytes, Function<SeenAccess, Conflict> comparison) {
    for (SeenAccess other : locals.values()) {
      Conflict found = comparison.apply(other);
      if (found != null) {
        return found;
      }
    }
    SeenAccess other = accesses.find(bytes.first(), bytes.end(), each -> comparison.apply(each) != null);
    return other == null ? null : comparison.apply(other);
  }

  private static String key(SeenAccess a, SeenAccess b) {
    return a.site + '\n' + b.site;
  }

  /** Returns whether the places of a conflict have not been reported yet, and notes that they have. */
  synchronized boolean report(Conflict conflict) {
    return reported.add(key(conflict.earlier, conflict.later));
  }

  /** Forgets an access that has not been made. */
  synchronized void remove(SeenAccess access) {
    accesses.removeIf(each -> each == access);
    last.values().removeIf(kept -> kept.access == access);
  }

  /** Notes that accesses of another process are complete since a moment: those with some starts. */
  synchronized void complete(int peer, long moment, RunSet starts) {
    open.removeIf(access -> {
      boolean isComplete = access.peer == peer && starts.contains(access.start(), access.start() + 1);
      if (isComplete) {
        access.end = moment;
      }
      return isComplete;
    });
  }

  /**
   * Forgets accesses that lie before all that the ranks of the window do from now on.
   *
   * @param known what each of these ranks is known to know
   */
  synchronized void prune(List<long[]> known) {
    if (accesses.size() + locals.size() < limit) {
      return;
    }
    Predicate<SeenAccess> isOver =
        access -> known.stream().allMatch(clock -> access.end <= clock[access.peer]);
    accesses.removeIf(isOver);
    locals.values().removeIf(isOver);
    accesses.removeOldest(MOST, access -> access.end != SeenAccess.OPEN);
    last.values().removeIf(kept -> kept.access.end != SeenAccess.OPEN);
    limit = Math.max(MANY, 2 * (accesses.size() + locals.size()));
  }
}
