// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.page;

import org.ffmpi.trace.model.CallKind;

/** The groups of calls that have one colour. The page has the colours, by the same numbers. */
enum CallColor {
  SEND("send"),
  RECEIVE("receive"),
  COMPLETION("wait for requests"),
  COLLECTIVE("collective"),
  STORAGE("window, file"),
  OTHER("other call"),
  /** The part of a call in which it waits for another rank. */
  WAITING("waiting for a rank");

  private final String label;

  CallColor(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  static CallColor of(CallKind kind) {
    return switch (kind) {
      case SEND, ISEND -> SEND;
      case RECV, IRECV, PROBE, MPROBE, MRECV -> RECEIVE;
      case WAIT, TEST -> COMPLETION;
      case COLLECTIVE -> COLLECTIVE;
      case WINDOW, FILE -> STORAGE;
      case INIT, FINALIZE, OTHER -> OTHER;
    };
  }
}
