// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file;

import org.ffmpi.base.MpiException;

/**
 * A split collective call between its two halves (MPI-4.1 §14.4.5). The first half does all the work, as the standard
 * allows.
 *
 * @param name the name of its first half
 * @param bytes what it has read or written
 * @param failure its error, or null
 */
record SplitCall(String name, long bytes, MpiException failure) {}
