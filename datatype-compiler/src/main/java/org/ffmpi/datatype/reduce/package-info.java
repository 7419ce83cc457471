// SPDX-License-Identifier: Apache-2.0
/**
 * Predefined reduction operations and the kernels that carry them out.
 *
 * <p>{@link org.ffmpi.datatype.reduce.Reduction#kernel} finds the {@link org.ffmpi.datatype.reduce.ReduceKernel} of a
 * {@link org.ffmpi.datatype.reduce.PredefinedOp} for a datatype. Kernels are generated at build time, one class per
 * representation with one nested class per operation, by {@code src/generator/java/kernels/GenerateKernels.java}: loops
 * over raw memory, over tiles of arrays, over each kind of Java array, and vector loops that are linked only where the
 * JVM runs with {@code --add-modules jdk.incubator.vector}. All paths give the same bits.
 *
 * <p>Floating-point minimum and maximum follow {@link Math#min(double, double)}: a NaN wins, and -0.0 is less than 0.0,
 * so that the result does not depend on the order of the operands. MAXLOC and MINLOC likewise: a NaN wins, and of equal
 * values, the two zeros and two NaNs included, the lower index.
 */
package org.ffmpi.datatype.reduce;
