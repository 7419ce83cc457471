// SPDX-License-Identifier: Apache-2.0
/**
 * Type signatures: the sequence of basic types in an element, and the hash by which two sides of a message compare
 * theirs ({@link org.ffmpi.datatype.signature.Signature}).
 */
package org.ffmpi.datatype.signature;
