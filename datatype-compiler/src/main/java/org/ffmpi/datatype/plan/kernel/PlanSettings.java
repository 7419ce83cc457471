// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import java.util.List;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Settings;

/** The settings of the compilation of datatypes. */
public final class PlanSettings {
  /** The times at which classes are generated for datatypes in frequent use. */
  public enum Generate {
    /** On a thread of their own, while the shared loops serve. */
    BACKGROUND,
    /** At the first use, by the thread that uses the type. */
    SYNC,
    /** Never. */
    OFF
  }

  /** A setting of words instead of an enum, which would link more call sites and delay a type's first use. */
  static final Setting<String> GENERATE =
      Setting.ofChoice(
          "ffmpi.datatype.generate", "background", List.of("background", "sync", "off"), Setting.Scope.RANK,
          "when code is generated for datatypes that no shared loop fits: in the background, at first use, never");

  private PlanSettings() {}

  /** Returns the user's choice. */
  public static Generate generate(Settings settings) {
    return switch (GENERATE.get(settings)) {
      case "sync" -> Generate.SYNC;
      case "off" -> Generate.OFF;
      default -> Generate.BACKGROUND;
    };
  }
}
