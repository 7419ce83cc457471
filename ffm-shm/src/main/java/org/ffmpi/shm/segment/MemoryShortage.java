// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The error of a job whose shared memory is used up. All ranks meet it at about the same time; one report is enough.
 */
public final class MemoryShortage extends MpiException {
  private static final long serialVersionUID = 1;

  /** The settings that make the fixed structures between two ranks smaller. */
  private static final String LESS = "ffmpi.ring.bulk, ffmpi.ring.slots and ffmpi.pipe.bytes to less";

  private MemoryShortage(String message, Throwable cause) {
    super(ErrorClass.ERR_NO_MEM, message, cause);
  }

  /** Returns the error of a segment that has reached its limit. */
  static MemoryShortage ofSegment(long wanted, long left, long limit) {
    return new MemoryShortage(
        "the job's shared memory is used up: " + wanted + " bytes wanted, " + left + " of " + limit
            + " left; set ffmpi.shm.limit to more, or " + LESS + limitOfFiles(), null);
  }

  /** Returns the error of a file that takes no more bytes. */
  static MemoryShortage ofFile(long wanted, Exception cause) {
    String files = limitOfFiles();
    return new MemoryShortage(
        (files.isEmpty() ? "the shared-memory file system is full: " : "the file of the shared memory is full: ")
            + wanted + " bytes wanted (" + cause.getMessage() + "); set ffmpi.shm.directory to a folder with more room,"
            + " or " + LESS + files, cause);
  }

  private static String limitOfFiles() {
    long limit = ProcessLimits.of(ProcessLimits.FILE_SIZE);
    return limit == ProcessLimits.UNLIMITED ? ""
        : "; a file of this process may have " + limit + " bytes, raise that limit (ulimit -f)";
  }

  /** Returns the text of the exception that programs know. */
  @Override
  public String toString() {
    return MpiException.class.getName() + ": " + getMessage();
  }

  /**
   * Returns whether an error comes of a shortage.
   *
   * @param failure any error
   * @return true when it is one, or one is among its causes
   */
  public static boolean isBehind(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < 16; depth++) {
      if (cause instanceof MemoryShortage) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}
