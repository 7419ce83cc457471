// SPDX-License-Identifier: Apache-2.0
package mpjbuf;

/** The exception of programs that import this one in place of the JDK's. Not checked. */
public class IllegalArgumentException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Creates an error. */
  public IllegalArgumentException() {}

  /**
   * Creates an error.
   *
   * @param message what is wrong
   */
  public IllegalArgumentException(String message) {
    super(message);
  }
}
