// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** The state that all streams of one rank share in a replay. Any thread; never waits. */
final class ReplayPlace {
  private final String folder;
  private final int rank;
  private final boolean whole;
  /** The first call that differs from the recording; all later choices fail for it. */
  private volatile String otherCall;

  /**
   * Creates the place of a rank.
   *
   * @param whole whether the rank left its job in good order when it was recorded
   */
  ReplayPlace(String folder, int rank, boolean whole) {
    this.folder = folder;
    this.rank = rank;
    this.whole = whole;
  }

  boolean isWhole() {
    return whole;
  }

  /** Ends the replay because a call is another one than was recorded; returns the error. */
  MpiException otherCall(long event, String recorded, String came) {
    otherCall = "replay of " + folder + ": rank " + rank + " makes another call than when it was recorded, at its"
        + " event " + event + ": recorded was " + recorded + ", now comes " + came;
    return new MpiException(ErrorClass.ERR_OTHER, otherCall);
  }

  /** Ends the replay because a call cannot have its recorded outcome; returns the error. */
  MpiException otherOutcome(AwaitedOutcome awaited, String now) {
    otherCall = "replay of " + folder + ": rank " + rank + " cannot get what it got when it was recorded, at its event "
        + awaited.event() + ": recorded was " + awaited.describe() + "; " + now;
    return new MpiException(ErrorClass.ERR_OTHER, otherCall);
  }

  /** Returns what differs from the recording; null before something does. */
  String difference() {
    return otherCall;
  }

  void checkNoOtherCall() {
    if (otherCall != null) {
      throw new MpiException(ErrorClass.ERR_OTHER, otherCall);
    }
  }

  boolean hasOtherCall() {
    return otherCall != null;
  }

  /** Prints one line. */
  void report(String text) {
    System.err.print("ffmpi: replay of " + folder + ": rank " + rank + ": " + text + "\n"); // in one piece
    System.err.flush();
  }
}
