// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import org.ffmpi.base.Setting;
import org.ffmpi.base.Setting.Scope;

/** The settings of recordings; those that ask for one are in {@link org.ffmpi.spi.RunSettings}. */
public final class TraceSettings {
  /** Values of {@link #JFR_DETAIL}. */
  public enum Detail {
    /** Calls that take long. */
    USUAL,
    /** Every call. */
    ALL
  }

  /** {@code ffmpi.trace.records}: how many calls a rank keeps. */
  public static final Setting<Integer> RECORDS =
      Setting.ofInt("ffmpi.trace.records", 1 << 18, 1 << 6, 1 << 24, Scope.JOB,
          "how many calls each rank keeps for the page of --trace, rounded up to a power of two, in 64 bytes each; the"
              + " oldest are dropped");

  /** {@code ffmpi.jfr.detail}: which calls a flight recording of {@code --jfr} has. */
  public static final Setting<Detail> JFR_DETAIL =
      Setting.ofChoice("ffmpi.jfr.detail", Detail.USUAL, Scope.JOB,
          "which calls the recordings of --jfr have: usual, those above the thresholds of ffmpi.jfc, or all, by"
              + " ffmpi-detailed.jfc");

  private TraceSettings() {}
}
