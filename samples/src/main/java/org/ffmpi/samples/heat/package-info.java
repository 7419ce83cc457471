// SPDX-License-Identifier: Apache-2.0
/**
 * The parts of the sample {@link org.ffmpi.samples.Heat}.
 *
 * <pre>
 *   HeatProgram       reads clocks, prints, decides whether the result is good
 *     HeatSolver      time steps: halo exchange overlapped with computing
 *       Neighbours    the ranks around a block
 *       Field         the temperatures of one rank's Block, in one of three kinds of memory, or on a grid
 *         Stencil     the arithmetic, in one place for all of them
 *     SineModes       the exact solution and the error that the scheme may have
 *     Picture         colours of cells
 * </pre>
 */
package org.ffmpi.samples.heat;
