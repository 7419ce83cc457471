// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

/**
 * What one run of one implementation said about one point.
 *
 * @param point what was measured
 * @param unit unit of the values
 * @param values one per repetition
 * @param foreignPercent CPU time others used meanwhile, in per cent of one core
 * @param good whether that was little enough
 */
record Sample(Point point, String unit, double[] values, double foreignPercent, boolean good) {}
