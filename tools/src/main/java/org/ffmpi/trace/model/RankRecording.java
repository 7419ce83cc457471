// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.model;

import java.util.List;

/**
 * The recording of one rank.
 *
 * @param rank its number in the world
 * @param node the number of its node
 * @param clockOffset nanoseconds to add to its times, so that they are those of the first rank's clock
 * @param dropped how many of its oldest calls were overwritten by later ones
 * @param ended whether it recorded its end; false for a rank that was killed
 * @param calls its calls in the order of their starts; those of several threads may overlap
 * @param groups the communicators that it had, as far as they are known
 */
public record RankRecording(
    int rank, int node, long clockOffset, long dropped, boolean ended, List<TracedCall> calls,
    List<TracedGroup> groups) {}
