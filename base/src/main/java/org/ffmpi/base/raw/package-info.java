// SPDX-License-Identifier: Apache-2.0
/**
 * Raw memory, for ffmpi's own modules only. {@link org.ffmpi.base.raw.Raw} reads and writes absolute addresses without
 * a check; {@link org.ffmpi.base.raw.Memory} knows what a user's buffer lies in and copies between it and an address
 * safely.
 *
 * <p>Arguments are checked once, at the edge, and turned into a flat descriptor; inside, everything works on
 * {@code long} addresses. This keeps the kernels independent of the kinds of segments a program happens to use, and
 * keeps all code that could crash a JVM in one place.
 */
package org.ffmpi.base.raw;
