// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.diagnosis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.ffmpi.shm.account.RankAccount;
import org.ffmpi.shm.account.RankAccount.Communicator;
import org.ffmpi.shm.account.RankAccount.Kind;
import org.ffmpi.shm.account.RankAccount.Message;
import org.ffmpi.shm.account.RankAccount.Wait;
import org.ffmpi.shm.diagnosis.JobState.RankFacts;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;

/** Puts waits into words, with the rank's action and the missing counterpart. */
final class WaitText {
  private final JobState job;
  private final EpochText epochs;

  WaitText(JobState job, long now) {
    this.job = job;
    this.epochs = new EpochText(job, now);
  }

  // ---- small words

  static String ranks(List<Integer> ranks) {
    List<String> runs = new ArrayList<>();
    for (int i = 0; i < ranks.size(); ) {
      int end = i;
      while (end + 1 < ranks.size() && ranks.get(end + 1) == ranks.get(end) + 1) {
        end++;
      }
      if (end - i >= 3) {
        runs.add(ranks.get(i) + " to " + ranks.get(end));
      } else {
        for (int k = i; k <= end; k++) {
          runs.add(ranks.get(k).toString());
        }
      }
      i = end + 1;
    }
    return (ranks.size() == 1 ? "rank " : "ranks ") + list(runs);
  }

  static String list(List<String> parts) {
    return parts.size() < 2 ? String.join("", parts)
        : String.join(", ", parts.subList(0, parts.size() - 1)) + " and " + parts.getLast();
  }

  static String bytes(long bytes) {
    for (int shift = 40; shift > 0; shift -= 10) {
      if (bytes >= 1L << shift && (bytes & (1L << shift) - 1) == 0) {
        return (bytes >> shift) + " " + "KMGT".charAt(shift / 10 - 1) + "iB";
      }
    }
    return bytes + (bytes == 1 ? " byte" : " bytes");
  }

  static String seconds(long nanos) {
    return nanos < 10_000_000_000L
        ? String.format(Locale.ROOT, "%.1f s", nanos / 1e9)
        : nanos / 1_000_000_000 + " s";
  }

  private static String tag(int tag) {
    return tag < 0 ? "any tag" : "tag " + tag;
  }

  private static String peer(int rank, int peer) {
    return peer < 0 ? "any rank" : peer == rank ? "itself" : "rank " + peer;
  }

  /** Returns the name of a communicator at a rank. */
  String communicator(int rank, long context) {
    long number = Channel.numberOf(context);
    RankAccount account = job.ranks().get(rank).account();
    Communicator c = account == null ? null : account.communicator(number);
    if (c != null && !c.name().isEmpty()) {
      return c.name();
    }
    return "communicator " + number / Channel.CONTEXTS + (c == null ? "" : " of " + c.size() + " ranks");
  }

  /** Returns the name of the call that a wait is in, and the line of the program, with a comma; may be empty. */
  static String call(Wait wait) {
    String at = wait.line().isEmpty() ? "" : "at " + wait.line();
    String both = wait.call() + (wait.call().isEmpty() || at.isEmpty() ? "" : " ") + at;
    return both.isEmpty() ? "" : both + ", ";
  }

  // ---- collective calls

  static boolean isOfCall(Wait wait) {
    return wait.kind() == Kind.COLLECTIVE;
  }

  /** Returns whether two waits are in collective calls with the same number on the same communicator. */
  static boolean isSameCall(Wait a, Wait b) {
    return isOfCall(a) && isOfCall(b) && a.tag() == b.tag()
        && Channel.callOf(a.context()) == Channel.callOf(b.context());
  }

  /** Returns the MPI name of the operation that a wait is in, with its root. */
  static String operation(Wait wait) {
    Collective[] all = Collective.values();
    if (wait.collective() < 0 || wait.collective() >= all.length) {
      return wait.call().isEmpty() ? "a collective call" : wait.call();
    }
    // Several calls of the standard are one operation, and some consist of several: the program's call comes first.
    String label = all[wait.collective()].label().replace('-', '_');
    boolean isCalled = wait.call().startsWith("MPI_") && !wait.call().matches("MPI_(Wait|Test).*");
    String name =
        isCalled ? wait.call() : "MPI_" + label.substring(0, 1).toUpperCase(Locale.ROOT) + label.substring(1);
    boolean isRooted = wait.root() >= 0 && name.toLowerCase(Locale.ROOT).contains(label);
    return name + (isRooted ? " with root " + wait.root() : "");
  }

  String callNumber(int rank, Wait wait) {
    RankAccount account = job.ranks().get(rank).account();
    Communicator c = account == null ? null : account.communicator(Channel.numberOf(wait.context()));
    return "collective call " + (wait.tag() + 1L - (c == null ? 0 : c.own())) + " on "
        + communicator(rank, wait.context());
  }

  // ---- what a rank does

  /** Describes the subject of a wait, with a verb at the front. */
  String action(int rank, Wait wait) {
    String on = wait.context() < 0 && !isOfCall(wait) ? "" : " on " + communicator(rank, wait.context());
    return switch (wait.kind()) {
      case SEND -> "sends " + bytes(wait.bytes()) + " to " + peer(rank, wait.peer()) + " with " + tag(wait.tag()) + on;
      case RECEIVE -> "receives from " + peer(rank, wait.peer()) + " with " + tag(wait.tag()) + on;
      case PROBE -> "probes for a message from " + peer(rank, wait.peer()) + " with " + tag(wait.tag()) + on;
      case COLLECTIVE -> "is in " + operation(wait) + " (" + callNumber(rank, wait) + ")";
      case ANY -> "waits for one of several requests" + queues(rank);
      case FLUSH -> "waits for the end of its sends" + queues(rank);
      case LOCK, POST, COMPLETES -> epochs.action(rank, wait) + " on " + communicator(rank, wait.context());
      case OTHER -> (wait.call().isEmpty() ? "waits" : "waits in " + wait.call()) + queues(rank);
    };
  }

  /** Lists the sends and receives under way at a rank whose wait does not name them. */
  private String queues(int rank) {
    RankAccount account = job.ranks().get(rank).account();
    List<String> parts = new ArrayList<>();
    for (Message m : account.sends()) {
      parts.add(!isOfProgram(m.context())
          ? "a message of the library's own to " + peer(rank, m.peer())
          : "a send of " + bytes(m.bytes()) + " to " + peer(rank, m.peer()) + " with " + tag(m.tag()) + " on "
          + communicator(rank, m.context()) + missingReceive(rank, m.peer(), m.tag(), m.context()));
    }
    for (Message m : account.receives()) {
      parts.add(!isOfProgram(m.context())
          ? "a message of the library's own from " + peer(rank, m.peer())
          : "a receive from " + peer(rank, m.peer()) + " with " + tag(m.tag()) + " on "
          + communicator(rank, m.context()) + missingMessage(rank, m.peer(), m.tag(), m.context()));
    }
    return parts.isEmpty() ? "" : ": " + list(parts);
  }

  /** Describes the missing counterpart of a wait in brackets; may be empty. */
  String missing(int rank, Wait wait) {
    return switch (wait.kind()) {
      case SEND -> missingReceive(rank, wait.peer(), wait.tag(), wait.context());
      case RECEIVE, PROBE -> missingMessage(rank, wait.peer(), wait.tag(), wait.context());
      case LOCK, POST, COMPLETES -> epochs.missing(rank, wait);
      default -> "";
    };
  }

  // ---- missing receives

  private String missingReceive(int rank, int peer, int tag, long context) {
    if (peer < 0 || peer >= job.ranks().size()) {
      return "";
    }
    RankFacts other = job.ranks().get(peer);
    String departure = departure(other);
    if (!departure.isEmpty()) {
      return " (" + departure + ")";
    }
    if (!other.waits()) {
      return " (not received yet: " + name(rank, peer) + elsewhere(other) + ")";
    }
    RankAccount theirs = other.account();
    for (Message m : theirs.receives()) {
      if (m.context() == context && (m.peer() < 0 || m.peer() == rank) && (m.tag() < 0 || m.tag() == tag)) {
        return "";
      }
    }
    return " (no such receive" + nearReceive(rank, peer, tag, context, wanted(theirs)) + ")";
  }

  /** Returns the messages that a rank receives or probes for. */
  private static List<Message> wanted(RankAccount account) {
    List<Message> wanted = new ArrayList<>(account.receives());
    for (Wait w : account.waits()) {
      if (w.kind() == Kind.PROBE) {
        wanted.add(new Message(w.peer(), w.tag(), w.context(), w.bytes()));
      }
    }
    return wanted;
  }

  private String nearReceive(int rank, int peer, int tag, long context, List<Message> wanted) {
    String who = name(rank, peer);
    for (Message m : wanted) {
      boolean fromHere = m.peer() < 0 || m.peer() == rank;
      boolean sameTag = m.tag() < 0 || m.tag() == tag;
      if (m.context() == context && fromHere) {
        return ": " + who + " receives with " + tag(m.tag());
      }
      if (m.context() == context && sameTag) {
        return ": " + who + " receives that tag from " + peer(peer, m.peer());
      }
      if (fromHere && sameTag && isOfProgram(m.context()) && isOfProgram(context)) {
        return ": " + who + " receives it on " + communicator(peer, m.context());
      }
    }
    return "";
  }

  private static boolean isOfProgram(long context) {
    return context == Channel.numberOf(context);
  }

  // ---- missing messages

  private String missingMessage(int rank, int peer, int tag, long context) {
    String near = nearMessage(rank, peer, tag, context);
    if (peer < 0 || peer >= job.ranks().size()) {
      return " (no such message" + near + ")";
    }
    RankFacts other = job.ranks().get(peer);
    String departure = departure(other);
    if (!departure.isEmpty()) {
      return " (" + departure + near.replaceFirst(": ", ", and ") + ")";
    }
    if (!other.waits()) {
      return " (not sent yet" + (near.isEmpty() ? ": " + name(rank, peer) + elsewhere(other) : near) + ")";
    }
    return " (no such message" + near + ")";
  }

  private String nearMessage(int rank, int peer, int tag, long context) {
    for (Message m : job.ranks().get(rank).account().unexpected()) {
      boolean fromThere = peer < 0 || m.peer() == peer;
      boolean sameTag = tag < 0 || m.tag() == tag;
      if (m.context() == context && fromThere) {
        return ": " + name(rank, m.peer()) + " has sent one with " + tag(m.tag());
      }
      if (m.context() == context && sameTag) {
        return ": one with that tag has come from " + name(rank, m.peer());
      }
      if (fromThere && sameTag && isOfProgram(m.context()) && isOfProgram(context)) {
        return ": " + name(rank, m.peer()) + " has sent it on " + communicator(rank, m.context());
      }
    }
    return "";
  }

  // ---- other ranks

  /** Returns what a rank does that is in no call. */
  static String elsewhere(RankFacts rank) {
    return rank.standsElsewhere() ? " waits outside of MPI" : " computes";
  }

  private static String name(int rank, int other) {
    return other == rank ? "the rank itself" : "rank " + other;
  }

  /** Describes a rank that does not take part yet or any more; empty for others. */
  static String departure(RankFacts rank) {
    return switch (rank.stage()) {
      case OUTSIDE -> "rank " + rank.rank() + " has not called MPI_Init";
      case FINALIZED -> "rank " + rank.rank() + " has finalized";
      case DEAD -> "rank " + rank.rank() + " has died";
      default -> "";
    };
  }
}
