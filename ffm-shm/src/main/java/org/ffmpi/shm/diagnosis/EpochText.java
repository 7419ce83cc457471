// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.diagnosis;

import java.util.List;
import java.util.function.Predicate;
import org.ffmpi.shm.account.RankAccount.Epoch;
import org.ffmpi.shm.account.RankAccount.Kind;
import org.ffmpi.shm.account.RankAccount.Wait;
import org.ffmpi.shm.diagnosis.JobState.RankFacts;
import org.ffmpi.spi.EpochSource;
import org.ffmpi.spi.WaitNote;

/**
 * Puts waits of windows into words, with the ranks that hold a lock or have not made the call that is waited for. What
 * a rank holds is known while it waits in a call, or while its program has a known place.
 */
final class EpochText {
  private final JobState job;
  private final long now;

  EpochText(JobState job, long now) {
    this.job = job;
    this.now = now;
  }

  /** Describes the subject of a wait, without its window. */
  String action(int rank, Wait wait) {
    return switch (wait.kind()) {
      case LOCK -> "waits for the " + (wait.tag() == WaitNote.EXCLUSIVE ? "exclusive "
          : wait.tag() == WaitNote.SHARED ? "shared " : "") + "lock of " + name(rank, wait.peer());
      case POST -> "waits for the post of " + name(rank, wait.peer());
      default -> wait.peer() >= 0 ? "waits for the end of the access epoch of " + name(rank, wait.peer())
          : "waits for the end of " + wait.tag() + (wait.tag() == 1 ? " access epoch" : " access epochs");
    };
  }

  /** Describes the missing counterpart of a wait in brackets; may be empty. */
  String missing(int rank, Wait wait) {
    return switch (wait.kind()) {
      case LOCK -> missingRelease(rank, wait);
      case POST -> missingPost(rank, wait);
      default -> missingComplete(rank, wait);
    };
  }

  /** Returns the rank on which a wait depends, or -1. */
  int blockedOn(int rank, Wait wait) {
    return switch (wait.kind()) {
      case LOCK -> {
        List<Integer> holders = holders(rank, wait);
        yield !holders.isEmpty() ? holders.getFirst() : firstOf(queuedBefore(rank, wait));
      }
      case POST -> wait.peer();
      default -> {
        List<Integer> inside = inside(rank, wait);
        List<Integer> outside = outside(rank, wait);
        yield inside.isEmpty() ? firstOf(outside) : inside.getFirst();
      }
    };
  }

  private static int firstOf(List<Integer> ranks) {
    return ranks.isEmpty() ? -1 : ranks.getFirst();
  }

  // ---- locks

  private String missingRelease(int rank, Wait wait) {
    List<Integer> holders = holders(rank, wait);
    if (holders.size() == 1) {
      RankFacts holder = job.ranks().get(holders.getFirst());
      return " (rank " + holder.rank() + " has held it for " + WaitText.seconds(holder.currentFor(now)) + " at least)";
    }
    if (!holders.isEmpty()) {
      return " (" + WaitText.ranks(holders) + " hold it)";
    }
    List<Integer> before = queuedBefore(rank, wait);
    if (!before.isEmpty()) {
      return " (after " + WaitText.ranks(before) + ", which " + (before.size() == 1 ? "waits" : "wait")
          + " for it exclusively)";
    }
    List<Integer> computing = ranks(other -> other.rank() != rank && other.isInside() && !other.isCurrent());
    return computing.isEmpty() ? "" : " (held by no rank that waits; " + WaitText.ranks(computing)
        + (computing.size() == 1 ? " computes)" : " compute)");
  }

  /** Returns the ranks that hold the lock in a way that excludes the wait. */
  private List<Integer> holders(int rank, Wait wait) {
    return ranks(other -> other.rank() != rank && other.isCurrent() && other.account().epochs().stream().anyMatch(
        e -> e.context() == wait.context() && (e.peer() < 0 || e.peer() == wait.peer())
            && (e.kind() == EpochSource.Kind.EXCLUSIVE
                || e.kind() == EpochSource.Kind.SHARED && wait.tag() != WaitNote.SHARED)));
  }

  /** Returns the ranks that wait for the same lock exclusively, where the wait is for a shared one. */
  private List<Integer> queuedBefore(int rank, Wait wait) {
    return ranks(other -> wait.tag() == WaitNote.SHARED && other.rank() != rank && other.waits()
        && other.account().waits().stream().anyMatch(
            w -> w.kind() == Kind.LOCK && w.context() == wait.context() && w.peer() == wait.peer()
                && w.tag() == WaitNote.EXCLUSIVE && w.since() - wait.since() < 0));
  }

  // ---- post and complete

  private String missingPost(int rank, Wait wait) {
    if (!isRank(wait.peer())) {
      return "";
    }
    RankFacts other = job.ranks().get(wait.peer());
    String departure = WaitText.departure(other);
    if (!departure.isEmpty()) {
      return " (" + departure + ")";
    }
    if (!other.isCurrent()) {
      return " (not posted yet: " + name(rank, wait.peer()) + WaitText.elsewhere(other) + ")";
    }
    return has(other, wait.context(), EpochSource.Kind.POST, rank) ? ""
        : " (" + name(rank, wait.peer()) + " has not called MPI_Win_post for it)";
  }

  private String missingComplete(int rank, Wait wait) {
    List<Integer> inside = inside(rank, wait);
    if (!inside.isEmpty()) {
      return " (" + WaitText.ranks(inside) + (inside.size() == 1 ? " has" : " have")
          + " not called MPI_Win_complete)";
    }
    List<Integer> outside = outside(rank, wait);
    return outside.isEmpty() ? "" : " (" + WaitText.ranks(outside) + (outside.size() == 1 ? " has" : " have")
        + " called neither MPI_Win_start nor MPI_Win_complete)";
  }

  /** Returns the ranks that are in an access epoch to the part of the waiting rank. */
  private List<Integer> inside(int rank, Wait wait) {
    return ranks(other -> isOrigin(rank, wait, other.rank()) && other.isCurrent()
        && has(other, wait.context(), EpochSource.Kind.START, rank));
  }

  /** Returns the origins that have begun no epoch, where all are missing; of others some may have ended theirs. */
  private List<Integer> outside(int rank, Wait wait) {
    List<Integer> origins = ranks(other -> isOrigin(rank, wait, other.rank()));
    return wait.peer() < 0 && wait.tag() != origins.size() ? List.of()
        : origins.stream()
            .filter(o -> !has(job.ranks().get(o), wait.context(), EpochSource.Kind.START, rank)
                || !job.ranks().get(o).isCurrent())
            .toList();
  }

  private boolean isOrigin(int rank, Wait wait, int other) {
    return wait.peer() >= 0 ? wait.peer() == other
        : has(job.ranks().get(rank), wait.context(), EpochSource.Kind.POST, other);
  }

  // ---- ranks

  private List<Integer> ranks(Predicate<RankFacts> which) {
    return job.ranks().stream().filter(which).map(RankFacts::rank).toList();
  }

  private boolean isRank(int peer) {
    return peer >= 0 && peer < job.ranks().size();
  }

  private static boolean has(RankFacts rank, long context, EpochSource.Kind kind, int peer) {
    return rank.account() != null && rank.account().epochs().contains(new Epoch(context, peer, kind));
  }

  private static String name(int rank, int other) {
    return other == rank ? "the rank itself" : other < 0 ? "a rank" : "rank " + other;
  }
}
