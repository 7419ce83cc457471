// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.analysis;

import org.ffmpi.trace.model.CallKind;
import org.ffmpi.trace.model.TracedCall;

/**
 * The amounts that each rank sent to each, by messages of the program; what collective calls move is not in it.
 *
 * @param messages numbers of messages, a row for each sender's lane, a column for each receiver's
 * @param bytes their bytes
 */
public record SentBytes(long[][] messages, long[][] bytes) {
  static SentBytes of(JobLanes lanes) {
    int size = lanes.size();
    SentBytes sent = new SentBytes(new long[size][size], new long[size][size]);
    for (int lane = 0; lane < size; lane++) {
      JobLane own = lanes.get(lane);
      for (int i = 0; i < own.size(); i++) {
        TracedCall call = own.call(i);
        boolean sends = call.kind() == CallKind.SEND || call.kind() == CallKind.ISEND;
        int receiver = sends ? lanes.of(call.peer()) : -1;
        if (receiver >= 0) {
          sent.messages[lane][receiver]++;
          sent.bytes[lane][receiver] += call.bytes();
        }
      }
    }
    return sent;
  }
}
