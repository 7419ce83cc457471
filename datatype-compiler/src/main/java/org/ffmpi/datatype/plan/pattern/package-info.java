// SPDX-License-Identifier: Apache-2.0
/**
 * The normal form of a type's bytes, and the lowering to it.
 *
 * <p>A pattern's order is that of the typemap, never sorted: only runs that follow one another in the stream and in
 * memory are joined. Loops are written out as lists only when the list is short; a list in the shape stays a list.
 *
 * <p>A pattern hands its loops to a {@code Copier}, which another room implements, and whole copies to a {@code
 * LoopCopier} where one is attached. So this room knows neither kernels nor generated classes.
 */
package org.ffmpi.datatype.plan.pattern;
