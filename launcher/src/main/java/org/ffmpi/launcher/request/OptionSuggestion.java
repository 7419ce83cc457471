// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.Setting;

/** The known option that is nearest to an unknown one, for error messages. */
final class OptionSuggestion {
  private static final int FAR = 3;

  private OptionSuggestion() {}

  /** Returns {@code " (did you mean --x?)"}, or nothing when no option is near. */
  static String hint(String flag) {
    List<String> known =
        new ArrayList<>(
            List.of("--sample", "--train", "--prepare", "--algorithms", "--completion", "--help", "--version",
                RankOptions.FLAG));
    for (Setting<?> setting : Setting.all()) {
      known.add(setting.flag());
    }
    String best = null;
    int least = FAR;
    for (String candidate : known) {
      int d = distance(flag, candidate);
      if (d < least) {
        least = d;
        best = candidate;
      }
    }
    return best == null ? "" : " (did you mean " + best + "?)";
  }

  /** Edits that turn one word into the other: Levenshtein's distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
