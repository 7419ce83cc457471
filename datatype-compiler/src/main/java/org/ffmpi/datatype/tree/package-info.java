// SPDX-License-Identifier: Apache-2.0
/**
 * Immutable type trees. A {@link org.ffmpi.datatype.tree.TypeTree} is a predefined type or a {@link
 * org.ffmpi.datatype.tree.DerivedTree}: one call of a constructor, with its arguments as the program gave them. Each
 * constructor is a record in a file of its own, under the sealed {@link org.ffmpi.datatype.tree.TypeConstructor}. A
 * record checks its arguments and computes bounds, signature and shape; the node keeps the results.
 *
 * <p>{@link org.ffmpi.datatype.tree.TypeDescription} and {@link org.ffmpi.datatype.tree.TypePrinter} turn a tree into
 * text. Trees share nodes and may describe typemaps of exponential length, so no code here expands one. Of {@code
 * org.ffmpi.datatype} a tree names only the combiner, the order and the distribution.
 */
package org.ffmpi.datatype.tree;
