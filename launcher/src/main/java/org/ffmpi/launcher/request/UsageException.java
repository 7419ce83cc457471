// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

/** A command line with a mistake; the message is one sentence for the user. */
public final class UsageException extends Exception {
  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(message);
  }
}
