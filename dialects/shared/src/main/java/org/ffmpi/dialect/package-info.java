// SPDX-License-Identifier: Apache-2.0

/**
 * What the dialects of Java MPI have in common: the one job of the process, memory with a count and a type, arrays of
 * arguments, requests in arrays, errors. Uses the public API of ffmpi alone. No signature of a dialect mentions these
 * types: a program is compiled against its dialect's jar and nothing else.
 */
package org.ffmpi.dialect;
