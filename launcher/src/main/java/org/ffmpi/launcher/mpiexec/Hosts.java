// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.mpiexec;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ffmpi.launcher.request.LaunchSettings;
import org.ffmpi.launcher.request.UsageException;

/**
 * The hosts of a job, as {@code --host} names them: each with the number of its ranks, or without, which leaves them an
 * equal share. C launchers divide ranks among hosts without numbers in different ways, so they get numbers.
 */
final class Hosts {
  private static final Pattern WITH_RANKS = Pattern.compile("(.+):([1-9][0-9]{0,8})");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

  private Hosts() {}

  /**
   * A host and how many ranks, one after the other, run there.
   *
   * @param host its name
   * @param ranks 1 or more
   */
  record Share(String host, int ranks) {}

  /**
   * Spreads the ranks of a job over hosts, in order.
   *
   * @param text names separated by commas, each perhaps with {@code :RANKS}
   * @param ranks the job's
   * @return hosts with ranks; those that get none are left out
   * @throws UsageException when the text names no hosts, or the ranks do not fit
   */
  static List<Share> spread(String text, int ranks) throws UsageException {
    List<String> names = new ArrayList<>();
    List<Integer> wanted = new ArrayList<>();
    long fixed = 0;
    int open = 0;
    for (String part : text.split(",", -1)) {
      Matcher matcher = WITH_RANKS.matcher(part.strip());
      boolean numbered = matcher.matches();
      String name = numbered ? matcher.group(1) : part.strip();
      if (!NAME.matcher(name).matches()) {
        throw new UsageException(
            LaunchSettings.HOST.flag() + " " + text + ": allowed are names of hosts separated by commas, each perhaps"
                + " with its number of ranks, as in n1:4,n2:4");
      }
      names.add(name);
      wanted.add(numbered ? Integer.valueOf(matcher.group(2)) : null);
      fixed += numbered ? wanted.getLast() : 0;
      open += numbered ? 0 : 1;
    }
    if (open == 0 && fixed < ranks) {
      throw new UsageException(
          LaunchSettings.HOST.flag() + " " + text + ": the hosts have room for " + fixed + " ranks, not for " + ranks);
    }
    long rest = Math.max(0, ranks - fixed);
    List<Share> shares = new ArrayList<>();
    int placed = 0;
    for (int i = 0; i < names.size() && placed < ranks; i++) {
      long share = wanted.get(i) != null ? wanted.get(i) : (rest + open - 1) / open;
      if (wanted.get(i) == null) {
        rest -= share;
        open--;
      }
      int here = (int) Math.min(share, ranks - placed);
      if (here > 0) {
        shares.add(new Share(names.get(i), here));
        placed += here;
      }
    }
    return shares;
  }

  /** Returns the part of some shares that ranks from one to before another have. */
  static List<Share> slice(List<Share> shares, int from, int to) {
    List<Share> part = new ArrayList<>();
    int first = 0;
    for (Share share : shares) {
      int end = first + share.ranks;
      int here = Math.min(end, to) - Math.max(first, from);
      if (here > 0) {
        part.add(new Share(share.host, here));
      }
      first = end;
    }
    return part;
  }

  /** Writes shares one after the other. */
  static String joined(List<Share> shares, String beforeRanks, String between) {
    return String.join(between, shares.stream().map(share -> share.host + beforeRanks + share.ranks).toList());
  }
}
