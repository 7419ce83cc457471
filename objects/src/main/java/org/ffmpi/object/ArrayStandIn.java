// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.io.Serializable;

/**
 * The object that Java's serialization writes in place of a long array of primitives, which travels beside the bytes.
 *
 * @param number number of the array, as {@link ValueWriter#addBeside} returned it
 */
record ArrayStandIn(int number) implements Serializable {}
