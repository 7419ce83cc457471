// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

/**
 * One measurement, a row of the CSV but for the implementation.
 *
 * @param bench the bench, such as {@code latency}
 * @param name the case, such as {@code native-clean}
 * @param ranks how many ranks take part
 * @param bytes message size
 */
record Point(String bench, String name, int ranks, long bytes) {}
