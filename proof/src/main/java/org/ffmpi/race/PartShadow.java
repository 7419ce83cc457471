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

/**
 * The accesses to one part of a window that are not known to lie before all that is to come. Compares each new one with
 * them. Any thread.
 */
final class PartShadow {
  /** Number of accesses from which on old ones are looked for. */
  private static final int MANY = 64;

  /** Most accesses that are kept. The oldest complete ones are forgotten beyond that. */
  private static final int MOST = 20_000;

  /** Two accesses that contradict each other and are in no order. */
  record Conflict(SeenAccess earlier, SeenAccess later, long first, long end) {}

  /** The same memory as a part of another window; its position there is this one's and the shift. */
  private record Shared(PartShadow shadow, long shift) {}

  private final BooleanSupplier sameOp;
  private final BooleanSupplier ordered;
  private final List<Shared> shared = new CopyOnWriteArrayList<>();
  private final List<SeenAccess> accesses = new ArrayList<>();
  /** The last access of one place of the program that has no result, by rank and place. */
  private final Map<String, SeenAccess> repeated = new HashMap<>();
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
    if (!access.isLocal() && !access.fetches) {
      String key = access.peer + " " + access.kind + access.site;
      SeenAccess known = repeated.get(key);
      if (known != null && access.repeats(known)) {
        return;
      }
      repeated.put(key, access);
    }
    accesses.add(access);
  }

  /** Adds bytes to the loads or stores of one place; returns their access, or null when it has these bytes already. */
  synchronized SeenAccess local(SeenAccess.Kind kind, int peer, RunSet bytes, long[] clock, String site) {
    String key = peer + " " + kind + site;
    SeenAccess known = locals.get(key);
    if (known == null || known.clock != clock) {
      known = SeenAccess.local(kind, peer, new RunSet(), clock, false, site);
      locals.put(key, known);
      accesses.add(known);
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
    for (SeenAccess other : accesses) {
      long[] where = other.isLocal() || other.isBefore(probe) || probe.isBefore(other) ? null
          : probe.contradicts(other, true, false);
      if (where != null) {
        return new Conflict(other, probe, where[0], where[1]);
      }
    }
    return null;
  }

  private synchronized Conflict checkHere(SeenAccess access, RunSet bytes) {
    SeenAccess probe = bytes == access.bytes ? access : new SeenAccess(
        access.kind, access.op, access.representation, access.unit, access.fetches, access.peer, bytes, access.clock,
        access.end, access.site);
    for (SeenAccess other : accesses) {
      if (other == access || other.bytes.isEmpty() || other.isBefore(probe) || probe.isBefore(other)) {
        continue;
      }
      long[] where = probe.contradicts(other, sameOp.getAsBoolean(), ordered.getAsBoolean());
      if (where != null && !reported.contains(key(other, access))) {
        return new Conflict(other, access, where[0], where[1]);
      }
    }
    return null;
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
    accesses.remove(access);
    repeated.values().remove(access);
  }

  /** Notes that accesses of a rank are complete since a moment: those with some starts. */
  synchronized void complete(int peer, long moment, RunSet starts) {
    for (SeenAccess access : accesses) {
      if (access.peer == peer && !access.isLocal() && access.end == SeenAccess.OPEN
          && starts.contains(access.start(), access.start() + 1)) {
        access.end = moment;
      }
    }
  }

  /**
   * Forgets accesses that lie before all that the ranks of the window do from now on.
   *
   * @param known what each of these ranks is known to know
   */
  synchronized void prune(List<long[]> known) {
    if (accesses.size() < limit) {
      return;
    }
    accesses.removeIf(access -> known.stream().allMatch(clock -> access.end <= clock[access.peer]));
    Set<SeenAccess> kept = new HashSet<>(accesses);
    locals.values().retainAll(kept);
    repeated.values().retainAll(kept);
    for (int i = 0; i < accesses.size() && accesses.size() > MOST; i++) {
      if (accesses.get(i).end != SeenAccess.OPEN) {
        accesses.remove(i--);
      }
    }
    limit = Math.max(MANY, 2 * accesses.size());
  }
}
