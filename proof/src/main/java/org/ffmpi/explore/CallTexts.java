// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import org.ffmpi.base.Constants;

/** The words for envelopes and lines of the program. */
final class CallTexts {
  private CallTexts() {}

  /** Describes the envelope of a receive. */
  static String envelope(int peer, int tag) {
    return (peer == Constants.ANY_SOURCE ? "from any rank" : "from rank " + peer) + tag(tag);
  }

  /** Describes the tag of a message. */
  static String tag(int tag) {
    return tag == Constants.ANY_TAG ? " with any tag" : " with tag " + tag;
  }

  /** Describes a line of the program. */
  static String place(StackTraceElement frame) {
    return frame.getFileName() + ":" + frame.getLineNumber();
  }
}
