// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

/**
 * The port through which windows and files report their calls to an observer of the engine. The thread that makes a
 * call reports its beginning and its end. Never waits.
 */
public interface CallObserver {
  /** The rank of calls that have no target. */
  int NO_TARGET = -1;

  /** The kinds of calls. */
  enum Kind {
    /** A call on a window. */
    WINDOW,
    /** A call on a file. */
    FILE
  }

  /**
   * Names the channel of a window or file, whose messages and collective calls are not the program's.
   *
   * @param channel a new channel
   */
  void opened(Channel channel);

  /**
   * Reports the beginning of a call.
   *
   * @param kind what it is made on
   * @param call name of the method
   * @param channel channel of the window or file
   * @param target rank of the part that is accessed, or {@link #NO_TARGET}
   * @param bytes bytes that it moves; 0 for other calls
   * @return a number for {@link #end}
   */
  long begin(Kind kind, String call, Channel channel, int target, long bytes);

  /**
   * Reports the end of a call, also of one that fails.
   *
   * @param begun what {@link #begin} returned
   */
  void end(long begun);
}
