// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

/**
 * A message of the program that has come and that no receive has matched.
 *
 * @param peer its sender
 * @param context its matching context
 * @param tag its tag
 * @param bytes its length
 */
public record LeftMessage(int peer, long context, int tag, long bytes) {}
