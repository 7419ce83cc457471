// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.util.List;
import java.util.Map;

/**
 * How one rank is started.
 *
 * @param rank its rank in the job
 * @param command program and arguments
 * @param environment variables to set, on top of the launcher's own environment
 * @param unwanted a line of its standard output that is not passed on; null for none
 */
record RankPlan(int rank, List<String> command, Map<String, String> environment, String unwanted) {}
