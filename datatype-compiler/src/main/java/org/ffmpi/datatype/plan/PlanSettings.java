// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import org.ffmpi.base.Setting;

/** What users can choose about the compilation of datatypes. */
final class PlanSettings {
  /** When classes are generated for datatypes that are used much. */
  enum Generate {
    /** On a thread of their own, while the shared loops serve. */
    BACKGROUND,
    /** At the first use, by the thread that uses the type. */
    SYNC,
    /** Never. */
    OFF
  }

  static final Setting<Generate> GENERATE =
      Setting.ofChoice(
          "ffmpi.datatype.generate", Generate.BACKGROUND, Setting.Scope.RANK,
          "when code is generated for datatypes that no shared loop fits: in the background, at first use, never");

  private PlanSettings() {}
}
