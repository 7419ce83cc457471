// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ffmpi.Info;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.file.access.AccessSizes;
import org.ffmpi.file.phase.PhaseHints;
import org.ffmpi.file.phase.PhaseHints.Buffering;

/** The hints of a file at this rank (MPI-4.1 §14.2.8), as {@link org.ffmpi.MpiFile#info} shows them. Any thread. */
final class FileHints {
  private static final String BUFFERING = "collective_buffering";
  private static final String NODES = "cb_nodes";
  private static final String BUFFER = "cb_buffer_size";
  private static final String READS = "ind_rd_buffer_size";
  private static final String WRITES = "ind_wr_buffer_size";
  private static final String STYLE = "access_style";

  private static final Map<String, Buffering> BUFFERINGS =
      Map.of("automatic", Buffering.AUTOMATIC, "true", Buffering.ALWAYS, "false", Buffering.NEVER);
  private static final List<String> STYLES = List.of(
      "read_once", "write_once", "read_mostly", "write_mostly", "sequential", "reverse_sequential", "random");

  private static final long SMALLEST = 4096;

  private volatile Map<String, String> values =
      Map.of(BUFFERING, "automatic", BUFFER, "1048576", READS, "4194304", WRITES, "524288");
  private volatile PhaseHints phases;
  private volatile AccessSizes sizes;

  FileHints() {
    apply();
  }

  /** Sets hints; ignores keys that are not for files. Sets none of them when one is wrong. */
  synchronized void add(Map<String, String> given) {
    Map<String, String> next = new HashMap<>(values);
    given.forEach((key, value) -> {
      if (List.of(BUFFERING, NODES, BUFFER, READS, WRITES, STYLE).contains(key)) {
        check(key, value);
        next.put(key, value);
      }
    });
    values = Map.copyOf(next);
    apply();
  }

  private static void check(String key, String value) {
    switch (key) {
      case BUFFERING -> {
        if (!BUFFERINGS.containsKey(value)) {
          throw wrong(key, value, "automatic, true and false");
        }
      }
      case STYLE -> {
        if (!STYLES.containsAll(List.of(value.replace(" ", "").split(",", -1)))) {
          throw wrong(key, value, "lists of " + String.join(", ", STYLES));
        }
      }
      default -> {
        long smallest = key.equals(NODES) ? 1 : SMALLEST;
        if (!value.matches("[0-9]{1,9}") || Long.parseLong(value) < smallest) {
          throw wrong(key, value, "whole numbers from " + smallest);
        }
      }
    }
  }

  private static MpiException wrong(String key, String value, String allowed) {
    return MpiException.argument(ErrorClass.ERR_INFO_VALUE, key, value, allowed);
  }

  private void apply() {
    String style = values.getOrDefault(STYLE, "");
    phases = new PhaseHints(BUFFERINGS.get(values.get(BUFFERING)), Integer.parseInt(values.getOrDefault(NODES, "0")),
        number(BUFFER));
    sizes = new AccessSizes(
        number(READS), number(WRITES), !style.contains("random") && !style.contains("reverse_sequential"));
  }

  private long number(String key) {
    return Long.parseLong(values.get(key));
  }

  PhaseHints phases() {
    return phases;
  }

  AccessSizes sizes() {
    return sizes;
  }

  Info toInfo() {
    Info info = new Info();
    new TreeMap<>(values).forEach(info::set);
    return info;
  }
}
