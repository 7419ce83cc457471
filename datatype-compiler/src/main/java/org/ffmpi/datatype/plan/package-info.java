// SPDX-License-Identifier: Apache-2.0
/**
 * The datatype compiler, which turns the shape of an element into the plan that moves elements, for engines and
 * collectives. Programs use {@link org.ffmpi.datatype.plan.Plan#toString} at most.
 *
 * <pre>
 *   ByteShape        lowered form of a type tree: runs of bytes, repeated and scattered, in typemap order
 *     │ Lowering, Patterns      drop empty parts, join neighbours, fuse loops, write small parts out as lists
 *     ▼
 *   Pattern          normal form: block, loop, list of runs, scattered rows, sequence
 *     │ PlanCache               equal pattern, place and extent: the same plan as before
 *     ▼
 *   EndlessPattern   the pattern as it repeats; PlanCore adds facts computed later
 *     ▼
 *   Plan             ContiguousPlan (stream and memory look the same) or NestPlan
 *     │ Pattern.range           part of a copy, whole copies, part of a copy, at each level
 *     ▼
 *   Copier           loops over blocks, grids and lists: one direction, one kind of memory
 * </pre>
 *
 * <p>The rooms below: {@code pattern} (the normal form, and its port to copiers), {@code kernel} (the copiers), {@code
 * codegen} (classes generated for one pattern), {@code transfer} (from one plan to another). {@code FlatPlan} writes
 * patterns as bytes for peers; {@code OverlapSearch} finds bytes that elements name twice.
 */
package org.ffmpi.datatype.plan;
