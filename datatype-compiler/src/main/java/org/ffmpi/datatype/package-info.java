// SPDX-License-Identifier: Apache-2.0
/**
 * Datatypes: how programs build, compare, decode and free them.
 *
 * <p>A {@link org.ffmpi.datatype.Datatype} is an interface. The object behind it is internal: an identity over an
 * immutable tree, which committing lowers to a plan. The rooms of the module:
 *
 * <pre>
 *   Datatype            what programs see: constants, constructors, bounds, elements, decoding
 *      │
 *   handle              the object of a type: name, attributes, committed or not, freed or not
 *      │
 *      ├──► tree        a call of a constructor with its arguments as given
 *      │      │           bounds()      where elements begin and end
 *      │      │           signature()   basic types in order, compared by hash
 *      │      │           shape()       bytes in order, without types
 *      │      │
 *      │      ├──► signature      type signatures
 *      │      └──► basic          predefined types: representation, bounds, group of operations
 *      ├──► carrier     values of elements in Java; records and memory layouts
 *      ├──► plan        compiles shapes; packs, unpacks, transfers; resumable at any byte
 *      └──► reduce      kernels of reduction operations
 *   external32          the representation that is the same on all machines
 * </pre>
 *
 * <p>Message order is typemap order and is never sorted. Equal size and extent do not make a type contiguous. Kernels
 * work on absolute addresses and on Java arrays through {@code org.ffmpi.base.raw.Memory}, never on {@code
 * MemorySegment} parameters: a shared method that has seen several kinds of segment becomes slow for all of them.
 */
package org.ffmpi.datatype;
