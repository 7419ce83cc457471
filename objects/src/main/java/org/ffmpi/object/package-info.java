// SPDX-License-Identifier: Apache-2.0
/**
 * Objects as messages. A value becomes bytes and arrays ({@link org.ffmpi.object.ValueWriter},
 * {@link org.ffmpi.object.OutgoingObject}), travels as one short message and perhaps parts that follow it, and becomes
 * a value again ({@link org.ffmpi.object.IncomingObject}, {@link org.ffmpi.object.ValueReader}).
 *
 * <p>The first message, the <em>head</em>, is never longer than {@link org.ffmpi.object.OutgoingObject#HEAD} bytes, so
 * that a receive can be posted before the size is known, and matches as any other message. It describes the parts that
 * follow: the rest of the bytes, and each long array of primitives as a message straight from the sender's array into a
 * new one. Parts travel in a context of their own; their tag is a number that the sender draws for each object. Their
 * memory is allocated when they have been matched and have the length that the head announced.
 */
package org.ffmpi.object;
