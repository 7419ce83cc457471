// SPDX-License-Identifier: Apache-2.0
/**
 * The datatype compiler: from the shape of an element to the plan that moves elements, and the kernels it moves them
 * with. For engines and collectives; programs use {@link org.ffmpi.datatype.plan.Plan#toString} at most.
 *
 * <pre>
 *   ByteShape       what a type tree is lowered to: runs of bytes, repeated and strewn, in typemap order
 *     │ Lowering, Patterns      drop what is empty, join neighbours, fuse loops, write small parts out as lists
 *     ▼
 *   Pattern     normal form: Block, Loop, EqualRunsPattern, RunsPattern, Scatter, Sequence
 *     │ PlanCache               equal pattern, place and extent: the same plan as before
 *     ▼
 *   Compiled    the pattern that is repeated endlessly, and what is found out about it later
 *     ▼
 *   Plan        ContiguousPlan (stream and memory look the same) or NestPlan
 *     │ Pattern.range           part of a copy, whole copies, part of a copy, at each level
 *     ▼
 *   Mover       one direction: pack, unpack, or copy from memory of the same pattern
 *     ▼
 *   Copier      loops over blocks, grids and lists; one class for each kind of memory
 * </pre>
 *
 * <p>A pattern's order is that of the typemap, never sorted: only what follows one another in the stream and in memory
 * is joined. Loops are never written out as lists unless the list is short; a list in the shape stays a list.
 *
 * <p>From plan to plan ({@code Transfers}) there are four ways: equal patterns go through the pattern, nests of loops
 * whose counts divide one another become one nest with two strides at each level, units that fit together again soon
 * become a list of moves, and for the rest two cursors go from run to run.
 *
 * <p>Loops of vectors take over from plain ones behind a {@code VectorGate}: after a rehearsal in the background, since
 * they are slow until the JVM has compiled them at its best.
 *
 * <p>{@code FlatPlan} writes patterns down for peers, {@code OverlapSearch} looks for bytes named twice.
 */
package org.ffmpi.datatype.plan;
