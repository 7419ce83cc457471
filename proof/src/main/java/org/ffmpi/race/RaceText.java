// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

/** The sentences about races, with both accesses, their places, and the way out. Any thread. */
final class RaceText {
  private RaceText() {}

  /** Describes two calls that have one buffer. */
  static String ofUses(BufferUse earlier, BufferUse later, long[] where) {
    return earlier.site + " " + verb(earlier.writes) + " " + (where[1] - where[0])
        + " bytes of a buffer until " + earlier.until + "; before that, " + later.site + " "
        + (later.writes ? "writes to" : "reads") + " them: give each call a buffer of its own, or complete the first";
  }

  /** Describes a load or store of a buffer that a call has. */
  static String ofTouch(BufferUse use, boolean stores, String site) {
    return use.site + " " + verb(use.writes) + " a buffer until " + use.until + "; it is "
        + (stores ? "stored to" : "loaded from") + " at " + site.substring(site.indexOf(" at ") + 4)
        + " before that: move the " + (stores ? "store" : "load") + " behind it, or use another buffer";
  }

  private static String verb(boolean writes) {
    return writes ? "writes" : "reads";
  }

  /** Describes two accesses to a part of a window that nothing orders. */
  static String ofAccesses(
      SeenAccess a, int rankOfA, SeenAccess b, int rankOfB, long first, long end, int target, Object window) {
    boolean isOpen = a.end == SeenAccess.OPEN;
    String types = a.unit != b.unit || a.representation != b.representation ? ", and they combine different types" : "";
    boolean atomic = a.op != null && b.op != null;
    String text = a.site + " (rank " + rankOfA + ") and " + b.site + " (rank " + rankOfB + ") both use bytes " + first
        + " to " + (end - 1) + " of rank " + target + "'s part of " + window + ", and ";
    if (rankOfA == rankOfB) {
      text += "the first is not complete when the second begins";
    } else {
      text += "nothing orders them";
      text += isOpen && !a.isLocal() ? ": the first is not complete when the second begins" : "";
    }
    return text + (atomic ? types : "") + wayOut(a, b, rankOfA == rankOfB, atomic);
  }

  private static String wayOut(SeenAccess a, SeenAccess b, boolean sameRank, boolean atomic) {
    if (atomic) {
      return "; use one type and one operation, or complete one of them and let the other follow a message, a barrier"
          + " or another epoch";
    }
    if (sameRank) {
      return "; put a flush, or the end of the epoch, between them";
    }
    String call = a.isLocal() ? b.site : a.site;
    return "; complete " + call.substring(0, call.indexOf(" at ") < 0 ? call.length() : call.indexOf(" at "))
        + " (fence, flush, unlock, or complete and wait), then let the other follow a message, a barrier or another"
        + " epoch";
  }
}
