// SPDX-License-Identifier: Apache-2.0
/**
 * Reduction operations, predefined and programs' own, and the kernels that carry them out.
 *
 * <p>{@link org.ffmpi.datatype.reduce.ReduceKernels#kernel} finds the {@link org.ffmpi.datatype.reduce.ReduceKernel} of
 * a {@link org.ffmpi.datatype.reduce.PredefinedOp} for a datatype. Kernels are generated at build time, one class per
 * representation with one nested class per operation, by {@code src/generator/java/kernels/GenerateKernels.java}: loops
 * over raw memory, over tiles of arrays, over each kind of Java array, and vector loops that are linked only where the
 * JVM runs with {@code --add-modules jdk.incubator.vector}. All paths give the same bits.
 *
 * <p>Floating-point minimum and maximum follow {@link Math#min(double, double)}: a NaN wins, and -0.0 is less than 0.0,
 * so that the result does not depend on the order of the operands. With MAXLOC and MINLOC a NaN wins, too, and of equal
 * values, the two zeros and two NaNs included, the one with the lower index.
 *
 * <p>Pairs without a name share one kernel that decides element by element how numbers are read. Elements of a derived
 * type that is made of one basic type are combined in place when their runs are long, otherwise gathered in tiles,
 * combined and scattered back. {@link org.ffmpi.datatype.reduce.ReductionLoop} takes both operands from any kind of
 * memory.
 *
 * <p>A program's own {@link org.ffmpi.datatype.UserFunction} always sees native segments of one class, which end with
 * the call: dense elements in place in native memory, all others in tiles that are copied back without their gaps.
 * {@link org.ffmpi.datatype.reduce.UserCalls} records the threads inside one, since MPI must not be called there.
 *
 * <p>128-bit integers are computed with as two words. Java has no type for {@code long double} (80 bits of value on
 * x86-64) and quadruple precision: {@code WideReal} adds and multiplies them, complex numbers of them too, in software,
 * each operation correctly rounded, and {@code WideFormat} has their layout in memory. Padding in their results is 0.
 */
package org.ffmpi.datatype.reduce;
