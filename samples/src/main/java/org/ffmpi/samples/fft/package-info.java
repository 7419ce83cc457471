// SPDX-License-Identifier: Apache-2.0
/**
 * The parts of the sample {@link org.ffmpi.samples.Fft}.
 *
 * <pre>
 *   SlabTransform    the transform of a square whose rows are distributed; the transpose
 *     RowTransform   the transform of one row
 *   Mirror           the square to be transformed
 * </pre>
 */
package org.ffmpi.samples.fft;
