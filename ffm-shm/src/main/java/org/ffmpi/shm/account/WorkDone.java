// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.account;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.raw.Raw;

/**
 * The part of its work that the program of a rank has done, as it has reported.
 *
 * @param rank the rank
 * @param what what it is doing
 * @param done how much of it is done
 * @param total how much there is; 0 when that is not known
 * @param since when it began, as {@link System#nanoTime} counts
 * @param at when it reported this
 */
public record WorkDone(int rank, String what, long done, long total, long since, long at) {
  /** Attempts to read: a rank that is killed while it writes never ends it. */
  private static final int TRIES = 1_000;

  /**
   * Reads what a rank has reported. The numbers are not trusted.
   *
   * @param rank the rank
   * @param page address of the rank's page
   * @return what it has reported; null when it has reported nothing, or died while it wrote
   */
  public static WorkDone read(int rank, long page) {
    long work = page + WorkLayout.PLACE;
    for (int i = 0; i < TRIES; i++) {
      int version = WorkLayout.getAcquireVersion(work);
      if (version == 0) {
        return null;
      }
      if ((version & 1) == 0) {
        long total = Math.max(0, WorkLayout.getOpaqueTotal(work));
        long done = Math.clamp(WorkLayout.getOpaqueDone(work), 0, total == 0 ? Long.MAX_VALUE : total);
        long since = WorkLayout.getOpaqueSince(work);
        long at = WorkLayout.getOpaqueAt(work);
        String what = AccountBlock.readText(work + WorkLayout.WHAT_OFFSET, WorkLayout.WHAT_BYTES);
        Raw.fullFence();
        if (WorkLayout.getOpaqueVersion(work) == version) {
          return new WorkDone(rank, what, done, total, since, at);
        }
      }
      Thread.onSpinWait();
    }
    return null;
  }

  /** Returns whether all of it is done. */
  public boolean isComplete() {
    return total > 0 && done == total;
  }

  /** Returns the part that is done, from 0 to 1; the number itself where the total is not known. */
  public double part() {
    return total > 0 ? (double) done / total : done;
  }

  /** Returns a list of what all ranks have reported, by the addresses of their pages. */
  public static List<WorkDone> of(long[] pages) {
    List<WorkDone> all = new ArrayList<>();
    for (int rank = 0; rank < pages.length; rank++) {
      WorkDone work = read(rank, pages[rank]);
      if (work != null) {
        all.add(work);
      }
    }
    return all;
  }
}
