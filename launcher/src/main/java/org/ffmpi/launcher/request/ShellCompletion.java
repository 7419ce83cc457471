// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.ffmpi.base.Setting;

/** The script that completes the options of {@code mpirun}, and their values, in a shell. */
public final class ShellCompletion {
  private static final String BASH = "bash";
  private static final String ZSH = "zsh";

  /** Values that are words, not descriptions of numbers and paths. */
  private static final Pattern WORDS = Pattern.compile("[a-z0-9-]+(, [a-z0-9-]+)*");

  private static final String IN_ZSH = "autoload -U +X bashcompinit && bashcompinit\n";

  /** The options come first, then lines of a {@code case} with the values of each option. */
  private static final String SCRIPT =
      """
      # Completes the options of ffmpi's mpirun and their values; file names elsewhere.
      _ffmpi_mpirun() {
        local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words= i
        if [ "$word" = = ]; then
          word=
        elif [ "$previous" = = ]; then
          previous=${COMP_WORDS[COMP_CWORD-2]}
        fi
        COMPREPLY=()
        for ((i = 1; i < COMP_CWORD; i++)); do
          case ${COMP_WORDS[i]} in
            *.java) return ;;
            -jar | -m | --sample) [ $((i + 1)) = $COMP_CWORD ] || return ;;
          esac
        done
        case $previous in
      %s    *) case $word in
            -*) words='%s' ;;
          esac ;;
        esac
        COMPREPLY=($(compgen -W "$words" -- "$word"))
      }
      complete -o default -F _ffmpi_mpirun mpirun
      """;

  private ShellCompletion() {}

  /**
   * Returns the script for a shell.
   *
   * @param shell {@code bash} or {@code zsh}
   * @throws UsageException for another one
   */
  public static String of(String shell) throws UsageException {
    return switch (shell) {
      case BASH -> script();
      case ZSH -> IN_ZSH + script();
      default -> throw new UsageException("--completion " + shell + ": allowed are " + BASH + " and " + ZSH);
    };
  }

  private static String script() {
    LaunchSettings.loadAll();
    TreeSet<String> options =
        new TreeSet<>(
            List.of(
                "-n", "-cp", "-jar", "-m", "--sample", "--train", "--prepare", "--algorithms", "--completion", "--help",
                "--version", RankOptions.FLAG));
    TreeMap<String, String> values = new TreeMap<>();
    values.put("--sample", samples());
    values.put("--completion", BASH + " " + ZSH);
    for (Setting<?> setting : Setting.all()) {
      if (LaunchSettings.isForUsers(setting)) {
        options.add(setting.flag());
        boolean standsAlone = setting.defaultValue() instanceof Boolean;
        if (!standsAlone && WORDS.matcher(setting.allowed()).matches()) {
          values.put(setting.flag(), setting.allowed().replace(",", ""));
        }
      }
    }
    List<String> helped = new ArrayList<>(List.of("all"));
    options.stream().filter(option -> option.startsWith("--")).map(option -> option.substring(2)).forEach(helped::add);
    values.put("--help", String.join(" ", helped));
    StringBuilder cases = new StringBuilder();
    for (Map.Entry<String, String> one : values.entrySet()) {
      cases.append("    ").append(one.getKey()).append(") words='").append(one.getValue()).append("' ;;\n");
    }
    return SCRIPT.formatted(cases, String.join(" ", options));
  }

  /** Returns the names of the samples, where they are. */
  private static String samples() {
    try {
      return String.join(" ", Samples.names());
    } catch (UsageException e) {
      return "";
    }
  }
}
