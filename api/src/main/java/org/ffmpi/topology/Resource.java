// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.topology;

import java.util.Optional;

/**
 * The kinds of hardware that a machine is made of, as far as ranks may share it, from the whole to the smallest. Names
 * are those of the library hwloc, which MPI programs know.
 */
public enum Resource {
  /** The whole machine. */
  MACHINE("Machine"),
  /** A processor package, in its socket. */
  PACKAGE("Package"),
  /** Processors with memory of their own. */
  NUMA_NODE("NUMANode"),
  /** Processors that share a third-level cache. */
  L3_CACHE("L3Cache"),
  /** Processors that share a second-level cache. */
  L2_CACHE("L2Cache"),
  /** Processors that share a first-level data cache. */
  L1_CACHE("L1Cache"),
  /** A core, with one hardware thread or more. */
  CORE("Core"),
  /** A hardware thread, which the kernel counts as a processor. */
  PU("PU");

  private static final String SCHEME = "hwloc://";

  private final String name;

  Resource(String name) {
    this.name = name;
  }

  /**
   * Returns the name of this kind in programs.
   *
   * @return a URI such as {@code hwloc://L3Cache}
   */
  public String uri() {
    return SCHEME + name;
  }

  /**
   * Finds a kind by its name.
   *
   * @param name as {@link #uri} writes it, or without the scheme; capitals or not
   * @return the kind, or empty for other names
   */
  public static Optional<Resource> named(String name) {
    for (Resource resource : values()) {
      if (resource.uri().equalsIgnoreCase(name) || resource.name.equalsIgnoreCase(name)) {
        return Optional.of(resource);
      }
    }
    return Optional.empty();
  }
}
