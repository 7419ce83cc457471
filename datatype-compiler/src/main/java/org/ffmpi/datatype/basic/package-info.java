// SPDX-License-Identifier: Apache-2.0
/**
 * Predefined types, and classes that the other rooms share: {@link org.ffmpi.datatype.basic.Basic} lists the predefined
 * types, {@link org.ffmpi.datatype.basic.Element} their representations in memory, {@link
 * org.ffmpi.datatype.basic.Bounds} the numbers that follow from a typemap. This room knows no other room of the module.
 */
package org.ffmpi.datatype.basic;
