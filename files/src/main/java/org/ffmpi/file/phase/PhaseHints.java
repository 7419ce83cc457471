// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.phase;

/**
 * The hints of collective accesses.
 *
 * @param buffering whether the ranks exchange data
 * @param nodes how many ranks access the file; 0 for all
 * @param bufferBytes bytes of one access
 */
public record PhaseHints(Buffering buffering, int nodes, long bufferBytes) {
  /** Whether the ranks exchange data. */
  public enum Buffering {
    /** Where their views interleave. */
    AUTOMATIC,
    /** Always. */
    ALWAYS,
    /** Never. */
    NEVER
  }
}
