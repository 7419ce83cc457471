// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

/**
 * One thing to measure: a row of the CSV but for the implementation.
 *
 * @param bench what is timed, such as {@code latency}
 * @param name the case, such as {@code native-clean}
 * @param ranks how many ranks take part
 * @param bytes message size
 */
record Point(String bench, String name, int ranks, long bytes) {}
