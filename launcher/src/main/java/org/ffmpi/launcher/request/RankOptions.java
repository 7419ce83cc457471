// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

import java.util.ArrayList;
import java.util.List;

/**
 * Options of the JVM for some ranks only, or with the rank in them.
 *
 * @param ranks the ranks that get them
 * @param options each as one argument of the java command; {@value #PLACE} stands for the rank
 */
public record RankOptions(RankSet ranks, List<String> options) {
  /** The option of the command line. */
  public static final String FLAG = "--vmargs-rank";

  private static final String PLACE = "%r";

  /**
   * Reads the option's value.
   *
   * @param text {@code RANKS:OPTIONS}, the options separated by spaces
   * @throws UsageException when it makes no sense
   */
  static RankOptions parse(String text) throws UsageException {
    int colon = text.indexOf(':');
    RankSet ranks = colon < 0 ? null : RankSet.parse(text.substring(0, colon));
    if (ranks == null) {
      throw new UsageException(
          FLAG + " " + text + ": say RANKS:OPTIONS, as in 0:-Xmx4g; RANKS can be " + RankSet.ALLOWED);
    }
    List<String> options = ArgumentFile.split(text.substring(colon + 1));
    if (options.isEmpty()) {
      throw new UsageException(FLAG + " " + text + ": no options of the java command follow the colon");
    }
    for (String option : options) {
      if (!option.startsWith("-")) {
        throw new UsageException(
            FLAG + " " + text + ": " + option + " is no option of the java command; quotes hold one together that has"
                + " spaces");
      }
    }
    return new RankOptions(ranks, options);
  }

  /** Adds the options of one rank. */
  void addTo(List<String> list, int rank) {
    if (ranks.contains(rank)) {
      for (String option : options) {
        list.add(option.replace(PLACE, Integer.toString(rank)));
      }
    }
  }

  /** Returns those of the given options that a rank gets. */
  public static List<String> of(List<RankOptions> given, int rank) {
    List<String> list = new ArrayList<>();
    for (RankOptions some : given) {
      some.addTo(list, rank);
    }
    return list;
  }
}
