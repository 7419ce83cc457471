// SPDX-License-Identifier: Apache-2.0
/**
 * Distributed computations in libraries that own their memory. {@code docs/libraries.md} describes how to run them, and
 * what is copied.
 *
 * <ul>
 *   <li>{@link org.ffmpi.samples.libraries.MatrixProduct}: EJML, a dense product, blocks go round a ring
 *   <li>{@link org.ffmpi.samples.libraries.PowerIteration}: EJML, the largest eigenvalue
 *   <li>{@link org.ffmpi.samples.libraries.PoissonSolver}: Hipparchus, conjugate gradients over distributed vectors
 *   <li>{@link org.ffmpi.samples.libraries.ColumnSum}: Arrow, columns off the Java heap added up in place
 * </ul>
 */
package org.ffmpi.samples.libraries;
