// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.model;

import java.util.List;

/**
 * A communicator that a rank had.
 *
 * @param comm its number; communicators without a common rank may have the same one
 * @param name the name that the program or the library gave it, empty for none
 * @param members its ranks as peers of the world, in the order of their ranks; of both groups where it lies between two
 */
public record TracedGroup(long comm, String name, List<Integer> members) {}
