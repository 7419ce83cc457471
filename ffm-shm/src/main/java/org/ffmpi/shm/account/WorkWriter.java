// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.account;

import org.ffmpi.base.raw.Raw;

/** Writes the reports of one rank into its page. The caller keeps the page mapped; one thread at a time. */
public final class WorkWriter {
  private final long work;
  private int version;
  private String what;
  private long total = -1;
  private long done;
  private long since;

  /**
   * Creates the writer of a rank.
   *
   * @param page address of the rank's page
   */
  public WorkWriter(long page) {
    this.work = page + WorkLayout.PLACE;
  }

  /**
   * Writes a report. A new name, another total or fewer steps than before begin another piece of work.
   *
   * @param name what the program is doing
   * @param nowDone how much is done
   * @param nowTotal how much there is
   * @param now the time
   */
  public void write(String name, long nowDone, long nowTotal, long now) {
    boolean isSame = name.equals(what);
    if (!isSame || nowTotal != total || nowDone < done) {
      since = now;
    }
    WorkLayout.setOpaqueVersion(work, version + 1);
    Raw.fullFence();
    if (!isSame) {
      AccountBlock.writeText(work + WorkLayout.WHAT_OFFSET, WorkLayout.WHAT_BYTES, name);
      what = name;
    }
    total = nowTotal;
    done = nowDone;
    WorkLayout.setOpaqueNumbers(work, nowDone, nowTotal, since, now);
    version = version == -2 ? 2 : version + 2; // 0 is a rank that has reported nothing
    WorkLayout.setReleaseVersion(work, version);
  }
}
