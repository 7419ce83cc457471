// SPDX-License-Identifier: Apache-2.0
/**
 * Objects as messages. A value becomes bytes and arrays ({@link org.ffmpi.object.ValueWriter},
 * {@link org.ffmpi.object.OutgoingObject}), travels as one short message and perhaps parts that follow it, and becomes
 * a value again ({@link org.ffmpi.object.IncomingObject}, {@link org.ffmpi.object.ValueReader}).
 *
 * <p>The first message, the <em>head</em>, is never longer than {@link org.ffmpi.object.OutgoingObject#HEAD} bytes, so
 * that a receive can be posted without knowing what will come, and matches as any other. It tells which parts follow:
 * the rest of the bytes, and each long array of primitives as a message straight from the sender's array into a new
 * one. Parts travel in a context of their own, with a number that the sender takes for each object as their tag. Their
 * memory is allocated when they have been matched, and are as long as the head says.
 */
package org.ffmpi.object;
