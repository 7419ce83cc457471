// SPDX-License-Identifier: Apache-2.0
/**
 * The datatype compiler: from the shape of an element to the plan that moves elements. For engines and collectives;
 * programs use {@link org.ffmpi.datatype.plan.Plan#toString} at most.
 *
 * <pre>
 *   ByteShape        what a type tree is lowered to: runs of bytes, repeated and scattered, in typemap order
 *     │ Lowering, Patterns      drop what is empty, join neighbours, fuse loops, write small parts out as lists
 *     ▼
 *   Pattern          normal form: block, loop, list of runs, scattered rows, sequence
 *     │ PlanCache               equal pattern, place and extent: the same plan as before
 *     ▼
 *   EndlessPattern   the pattern as it repeats; Compiled adds what becomes known about it
 *     ▼
 *   Plan             ContiguousPlan (stream and memory look the same) or NestPlan
 *     │ Pattern.range           part of a copy, whole copies, part of a copy, at each level
 *     ▼
 *   Copier           loops over blocks, grids and lists: one direction, one kind of memory
 * </pre>
 *
 * <p>The rooms below: {@code pattern} (the normal form, and what it asks of a copier), {@code kernel} (the copiers),
 * {@code codegen} (classes generated for one pattern), {@code transfer} (from one plan to another). {@code FlatPlan}
 * writes patterns down for peers; {@code OverlapSearch} looks for bytes that elements name twice.
 */
package org.ffmpi.datatype.plan;
