// SPDX-License-Identifier: Apache-2.0
/**
 * Datatypes: how they are built, compared and taken apart, and the plans they are compiled to.
 *
 * <p>A {@link org.ffmpi.datatype.Datatype} is an identity over an immutable {@link org.ffmpi.datatype.TypeTree}.
 * Committing lowers the tree to a {@link org.ffmpi.datatype.plan.Plan}:
 *
 * <pre>
 *   Datatype        identity: name, attributes, committed or not, freed or not
 *      │
 *      ├──► TypeTree     Named │ DerivedTree, a call of a constructor with its arguments as given
 *      │       │   bounds()      where elements begin and end
 *      │       │   signature()   basic types in order, compared by hash
 *      │       │   shape()       bytes in order, without types
 *      │       │      │  PlanCompiler: normalise, choose
 *      └──► Plan ◄────┘          pack, unpack, transfer; resumable at any byte
 * </pre>
 *
 * <p>Message order is typemap order and is never sorted. Equal size and extent do not make a type contiguous. Kernels
 * work on absolute addresses and on Java arrays through {@link org.ffmpi.base.raw.Memory}, never on {@code
 * MemorySegment} parameters: a shared method that has seen several kinds of segment becomes slow for all of them.
 */
package org.ffmpi.datatype;
