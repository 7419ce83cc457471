// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import java.util.List;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Settings;

/** What users can choose about the compilation of datatypes. */
public final class PlanSettings {
  /** When classes are generated for datatypes that are used much. */
  public enum Generate {
    /** On a thread of their own, while the shared loops serve. */
    BACKGROUND,
    /** At the first use, by the thread that uses the type. */
    SYNC,
    /** Never. */
    OFF
  }

  /** Words and no enum: those settings link more call sites, for which a type's first use would have to wait. */
  static final Setting<String> GENERATE =
      Setting.ofChoice(
          "ffmpi.datatype.generate", "background", List.of("background", "sync", "off"), Setting.Scope.RANK,
          "when code is generated for datatypes that no shared loop fits: in the background, at first use, never");

  private PlanSettings() {}

  /** Returns what a user has set. */
  public static Generate generate(Settings settings) {
    return switch (GENERATE.get(settings)) {
      case "sync" -> Generate.SYNC;
      case "off" -> Generate.OFF;
      default -> Generate.BACKGROUND;
    };
  }
}
