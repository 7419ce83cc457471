// SPDX-License-Identifier: Apache-2.0
/**
 * The algorithms, each of which turns a call into a schedule. {@code RegionAlgorithm} and {@code PullAlgorithm} are the
 * bases of those in shared memory, {@code LeveledAlgorithm} of those over several nodes; {@code Algorithms} lists all.
 * Knows schedules, and how much fits into a region slot.
 */
package org.ffmpi.collectives.algorithm;
