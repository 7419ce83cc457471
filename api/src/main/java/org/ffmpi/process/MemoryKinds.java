// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Kinds of memory of buffers, for the info key {@code mpi_memory_alloc_kinds} (MPI-4.1 §11.4.3). */
public final class MemoryKinds {
  /** The info key. */
  public static final String KEY = "mpi_memory_alloc_kinds";

  /** Kinds that are provided without a request. */
  public static final String DEFAULT = "mpi,system";

  private static final Set<String> SUPPORTED = Set.of("mpi", "mpi:alloc_mem", "system");

  private MemoryKinds() {}

  /**
   * Returns the kinds provided for a request: the supported kinds of the request in its order, and then the others that
   * are always provided. Unknown kinds are left out, by which the program sees that they are not supported.
   *
   * @param requested kinds separated by commas, each with its restrictors after colons
   */
  public static String provided(String requested) {
    Set<String> kinds = new LinkedHashSet<>();
    for (String kind : requested.split(",")) {
      String bare = kind.strip();
      if (SUPPORTED.contains(bare)) {
        kinds.add(bare);
      }
    }
    kinds.addAll(List.of(DEFAULT.split(",")));
    return String.join(",", kinds);
  }
}
