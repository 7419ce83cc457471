// SPDX-License-Identifier: Apache-2.0

/**
 * The code that both dialects of Java MPI use: the one job of the process and errors without a communicator, buffers
 * from memory with a count and a type, arguments in arrays, requests behind those of an array, texts of errors. It uses
 * the public API of ffmpi alone. No signature of a dialect mentions these types: a program is compiled against its
 * dialect's jar and nothing else.
 */
package org.ffmpi.dialect;
