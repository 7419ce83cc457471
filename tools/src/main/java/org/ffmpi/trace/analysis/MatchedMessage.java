// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.analysis;

/**
 * A send and the receive that it met.
 *
 * @param sender the sender's lane
 * @param send the send's place among the calls of that lane
 * @param receiver the receiver's lane
 * @param posted the place of the receive, or of the probe that took the message
 * @param completed the place of the call that completed the receive: the same one, or a wait; -1 where none did
 */
public record MatchedMessage(int sender, int send, int receiver, int posted, int completed) {}
