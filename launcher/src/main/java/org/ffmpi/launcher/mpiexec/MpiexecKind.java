// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.mpiexec;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The launchers of C MPIs whose command lines are known, and the options of each for what all of them can do. */
enum MpiexecKind {
  /** Open MPI's, those that stand on PRRTE included: hosts have slots, variables are named to reach other nodes. */
  OPEN_MPI {
    @Override
    List<String> variable(String name, String value) {
      return List.of("-x", name + "=" + value);
    }

    @Override
    List<String> hosts(List<Hosts.Share> shares) {
      return List.of("--host", Hosts.joined(shares, ":", ","));
    }

    @Override
    List<String> hostfile(String file) {
      return List.of("--hostfile", file);
    }

    @Override
    List<String> variables(List<String> names) {
      List<String> words = new ArrayList<>();
      for (String name : names) {
        words.add("-x");
        words.add(name);
      }
      return words;
    }

    @Override
    List<String> tagOutput(int version) {
      return version >= FIRST_WITH_PRRTE ? List.of("--output", "tag") : List.of("--tag-output");
    }
  },

  /** Hydra, the launcher of MPICH and of MPIs made from it, Intel's among them: all variables reach all nodes. */
  HYDRA {
    @Override
    List<String> variable(String name, String value) {
      return List.of("-env", name, value);
    }

    @Override
    List<String> hosts(List<Hosts.Share> shares) {
      return List.of("-hosts", Hosts.joined(shares, ":", ","));
    }

    @Override
    boolean sharesHosts() {
      return true;
    }

    @Override
    List<String> hostfile(String file) {
      return List.of("-f", file);
    }

    @Override
    List<String> variables(List<String> names) {
      return List.of();
    }

    @Override
    List<String> tagOutput(int version) {
      return List.of("-prepend-rank");
    }
  },

  /** Slurm's, which starts the processes of one program. */
  SRUN {
    @Override
    List<String> variable(String name, String value) {
      return List.of("--export=ALL," + name + "=" + value);
    }

    @Override
    List<String> hosts(List<Hosts.Share> shares) {
      return List.of("--distribution=arbitrary", "--nodelist=" + Hosts.joined(shares, "*", ","));
    }

    @Override
    List<String> hostfile(String file) {
      return List.of("--nodefile=" + file);
    }

    @Override
    List<String> variables(List<String> names) {
      return List.of();
    }

    @Override
    List<String> tagOutput(int version) {
      return List.of("--label");
    }

    @Override
    boolean runsSeveralPrograms() {
      return false;
    }
  };

  /** The major version of Open MPI whose launcher is made of PRRTE. */
  private static final int FIRST_WITH_PRRTE = 5;

  private static final Pattern VERSION = Pattern.compile("\\b(\\d+)\\.\\d+");

  /** Names the hosts of a program's ranks. */
  abstract List<String> hosts(List<Hosts.Share> shares);

  /** Names a file of hosts, in the launcher's own format. */
  abstract List<String> hostfile(String file);

  /** Has variables of the environment reach the ranks of other nodes. */
  abstract List<String> variables(List<String> names);

  /** Sets a variable of the environment of a program's ranks. */
  abstract List<String> variable(String name, String value);

  /** Has each line of output begin with its rank. */
  abstract List<String> tagOutput(int version);

  /** Returns whether hosts are named once, for all programs. */
  boolean sharesHosts() {
    return false;
  }

  /** Returns whether programs can follow one another after a colon. */
  boolean runsSeveralPrograms() {
    return true;
  }

  /**
   * Recognizes a launcher by the output of {@code --version}.
   *
   * @param text the output
   * @return its kind, or null when it is none of these
   */
  static MpiexecKind of(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.contains("open mpi") || lower.contains("openrte") || lower.contains("prrte")) {
      return OPEN_MPI;
    }
    if (lower.contains("hydra") || lower.contains("intel(r) mpi")) {
      return HYDRA;
    }
    return lower.startsWith("slurm ") ? SRUN : null;
  }

  /** Returns the first number of the version in the output of {@code --version}; 0 without one. */
  static int majorVersion(String text) {
    Matcher matcher = VERSION.matcher(text);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
  }
}
