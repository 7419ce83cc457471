// SPDX-License-Identifier: Apache-2.0
/**
 * Copy kernels, which are loops over blocks, grids and lists between one kind of the user's memory and native memory.
 *
 * <pre>
 *   Copiers          finds the copier of a kind of memory and a direction
 *     ▼
 *   BytePacker, ByteUnpacker                     Copier: lists of runs, and the array as its type
 *     ▼
 *   BytesToNative                                grids, blocks at equal distances, single blocks
 *     ▼
 *   BytesToNativeBlocks, FloatsToNativeBlocks    plain loops, by words and by elements
 *   BytesToNativeVectors, BytesToNativeTiles     vector loops, behind a VectorGate
 *     ▼
 *   ByteArrays, NativeBytes, FloatArrays, NativeFloats      how a side is reached
 * </pre>
 *
 * <p>A loop is fast only if it sees one kind of memory. So these classes are written once, for {@code byte[]} and, by
 * elements, for {@code float[]}, and the build derives those for other kinds of memory and for the way back: {@code
 * src/generator/java/copies/GenerateCopies.java} replaces names in them and fails when a name is not found. A change of
 * these changes all kernels.
 *
 * <p>Vector accesses stand in the loops themselves: behind a method they would be boxed whenever the JVM has compiled
 * that method by itself before. A {@code VectorGate} opens after a warm-up in the background, since vector loops are
 * slow until the JVM has compiled them at its best.
 */
package org.ffmpi.datatype.plan.kernel;
