// SPDX-License-Identifier: Apache-2.0
/**
 * The parts of the sample {@link org.ffmpi.samples.Cg}.
 *
 * <pre>
 *   ConjugateGradient  the method: products, persistent allreduces
 *     Halo             the entries that a rank needs of the others, found once, exchanged by persistent messages
 *     SparseRows       a rank's rows of the matrix
 *   MatrixMarket, Poisson   the sources of matrices
 * </pre>
 */
package org.ffmpi.samples.cg;
