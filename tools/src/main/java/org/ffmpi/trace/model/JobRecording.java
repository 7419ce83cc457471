// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.model;

import java.util.List;

/**
 * The recordings of all ranks of a job.
 *
 * @param command the command line, as a person would write it
 * @param ranks the recordings in the order of their ranks; a rank that left none is missing
 * @param notes sentences for the reader about how it was recorded: the clocks of several nodes, what is missing
 */
public record JobRecording(String command, List<RankRecording> ranks, List<String> notes) {}
