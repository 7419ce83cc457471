// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ffmpi.Info;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** The hints of a window at this rank (MPI-4.1 §12.2.7), as {@link org.ffmpi.Win#info} shows them. Any thread. */
final class WindowHints {
  private static final String NO_LOCKS = "no_locks";
  private static final String ORDERING = "accumulate_ordering";
  private static final String OPS = "accumulate_ops";
  private static final String GRANULARITY = "mpi_accumulate_granularity";
  private static final String SAME_SIZE = "same_size";
  private static final String SAME_DISP_UNIT = "same_disp_unit";
  private static final String NONCONTIG = "alloc_shared_noncontig";

  private static final String ALL_ORDERS = "rar,raw,war,waw";
  private static final List<String> ORDERS = List.of("rar", "raw", "war", "waw");
  private static final String SAME_OP = "same_op";
  private static final List<String> OPS_VALUES = List.of(SAME_OP, "same_op_no_op");

  private volatile Map<String, String> values = Map.of(
      NO_LOCKS, "false", ORDERING, ALL_ORDERS, OPS, "same_op_no_op", GRANULARITY, "0", SAME_SIZE, "false",
      SAME_DISP_UNIT, "false", NONCONTIG, "false");
  private volatile boolean noLocks;
  private volatile boolean sameOp;
  private volatile boolean ordered = true;

  /** Sets hints; ignores keys that are not for windows. Sets none of them when one is wrong. */
  synchronized void add(Map<String, String> given) {
    Map<String, String> next = new HashMap<>(values);
    given.forEach((key, value) -> {
      if (next.containsKey(key)) {
        check(key, value);
        next.put(key, value);
      }
    });
    values = Map.copyOf(next);
    noLocks = Boolean.parseBoolean(next.get(NO_LOCKS));
    sameOp = next.get(OPS).equals(SAME_OP);
    ordered = List.of(next.get(ORDERING).split(",")).containsAll(ORDERS);
  }

  private static void check(String key, String value) {
    switch (key) {
      case ORDERING -> {
        if (!value.equals("none") && !ORDERS.containsAll(List.of(value.split(",", -1)))) {
          throw wrong(key, value, "none, or some of " + ALL_ORDERS);
        }
      }
      case OPS -> {
        if (!OPS_VALUES.contains(value)) {
          throw wrong(key, value, String.join(" and ", OPS_VALUES));
        }
      }
      case GRANULARITY -> {
        if (!value.matches("[0-9]{1,18}")) {
          throw wrong(key, value, "whole numbers from 0");
        }
      }
      default -> {
        if (!value.equals("true") && !value.equals("false")) {
          throw wrong(key, value, "true and false");
        }
      }
    }
  }

  private static MpiException wrong(String key, String value, String allowed) {
    return MpiException.argument(ErrorClass.ERR_INFO_VALUE, key, value, allowed);
  }

  boolean noLocks() {
    return noLocks;
  }

  /** Returns whether accumulates that overlap promise to have one operation, NO_OP not excepted. */
  boolean sameOp() {
    return sameOp;
  }

  /** Returns whether accumulates of one rank at one place are made in its order. */
  boolean ordered() {
    return ordered;
  }

  boolean nonContiguous() {
    return Boolean.parseBoolean(values.get(NONCONTIG));
  }

  Info toInfo() {
    Info info = new Info();
    new TreeMap<>(values).forEach(info::set);
    return info;
  }
}
