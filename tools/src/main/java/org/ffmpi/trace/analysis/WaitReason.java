// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.analysis;

/** Why a call waited. */
public enum WaitReason {
  /** It did not, or the reason is not known. */
  NONE("waited"),
  /** The message's send began after the receive was posted. */
  LATE_SENDER("waited for the sender"),
  /** The receive was posted after a send began that cannot end before. */
  LATE_RECEIVER("waited for the receiver"),
  /** A rank whose data a collective call needs entered it later. */
  LATE_RANK("waited for the last rank");

  private final String text;

  WaitReason(String text) {
    this.text = text;
  }

  /**
   * Returns the reason in words.
   *
   * @return a verb and its object
   */
  public String text() {
    return text;
  }
}
