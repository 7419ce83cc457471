// SPDX-License-Identifier: Apache-2.0
/**
 * Type signatures. A {@link org.ffmpi.datatype.signature.Signature} is the sequence of basic types in an element, and
 * has a hash by which two sides of a message compare theirs.
 */
package org.ffmpi.datatype.signature;
