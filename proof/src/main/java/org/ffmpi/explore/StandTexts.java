// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.Locale;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.WaitNote;

/** The words for a state in which no rank can go on. */
final class StandTexts {
  private StandTexts() {}

  /** Describes a generalized request that another thread completes. */
  static String ofProgram(int rank, String which) {
    return "rank " + rank + " has a generalized request " + which
        + ", and the order of its threads would be another choice; allowed is the rank's own thread";
  }

  /** Returns the name of a thread. */
  static String name(Thread thread) {
    return thread.getName().isEmpty() ? (thread.isVirtual() ? "a virtual one" : "another one") : thread.getName();
  }

  /** Describes what each rank waits for, a line for each. */
  static String describe(Scheduler scheduler) {
    StringBuilder text = new StringBuilder();
    for (ExploredRank rank : scheduler.ranks) {
      text.append("rank ").append(rank.self);
      if (rank.finished) {
        text.append(" has ended\n");
      } else if (rank.stand == null) {
        text.append(" runs\n");
      } else {
        text.append(rank.stand.polls() ? " looks again and again" : " waits").append(" in ")
            .append(what(scheduler, rank, rank.stand));
        text.append(rank.stand.place == null ? "" : " (" + CallTexts.place(rank.stand.place) + ")").append('\n');
      }
    }
    return text.toString();
  }

  private static String what(Scheduler scheduler, ExploredRank rank, Stand stand) {
    WaitNote note = new WaitNote();
    if (stand.subject() != null) {
      stand.subject().describe(note);
      Channel channel = note.context() < 0 ? null : scheduler.channel(rank, note.context());
      if (channel != null && !scheduler.isOfProgram(rank, note.context())) {
        channel.describeCall(note.context(), note.tag(), note);
        if (channel.epochs() != null) {
          channel.epochs().describe(note);
        }
      }
    }
    return switch (note.kind()) {
      case SEND -> "a send to rank " + note.peer() +CallTexts.tag(note.tag()) + ", which no receive takes";
      case RECEIVE -> "a receive " + CallTexts.envelope(note.peer(), note.tag()) + ", for which there is no message";
      case PROBE -> "a probe " + CallTexts.envelope(note.peer(), note.tag()) + ", for which there is no message";
      case ANY -> "a " + stand.call + " for one of several requests, of which none can be complete";
      case COLLECTIVE -> note.collective() == null ? "a collective call"
          : note.collective().name().toLowerCase(Locale.ROOT) + ", in which others are missing";
      case LOCK -> "the lock of a window" + (note.peer() < 0 ? "" : " at rank " + note.peer());
      case POST -> "the start of an epoch, for the post of rank " + note.peer();
      case COMPLETES -> "the end of an exposure epoch, for the complete of other ranks";
      default -> stand.point != null && stand.polls() ? "a " + stand.call + " that sees nothing" : "a " + stand.call;
    };
  }
}
