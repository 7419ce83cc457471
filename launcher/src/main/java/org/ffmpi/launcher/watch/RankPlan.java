// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import java.util.List;
import java.util.Map;

/**
 * The command and environment that one rank is started with.
 *
 * @param rank its rank in the job
 * @param command program and arguments
 * @param environment variables to set, on top of the launcher's own environment
 * @param directory the folder that it begins in; null for the launcher's own
 * @param unwanted a line of its standard output that is not passed on; null for none
 */
public record RankPlan(
    int rank, List<String> command, Map<String, String> environment, String directory, String unwanted) {}
