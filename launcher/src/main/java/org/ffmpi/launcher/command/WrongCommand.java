// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.command;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The error of a job that names a program, a rank or a module that does not exist. A command line with this mistake has
 * the same exit code as one that cannot be read.
 */
public final class WrongCommand extends MpiException {
  private static final long serialVersionUID = 1;

  /** Creates the error with one sentence for the user. */
  public WrongCommand(ErrorClass errorClass, String sentence) {
    super(errorClass, sentence);
  }

  /** Creates the error of an option's value; the parameters are those of {@link MpiException#argument}. */
  public static WrongCommand ofValue(String option, Object value, String allowed) {
    return new WrongCommand(ErrorClass.ERR_ARG, option + " = " + value + ": allowed are " + allowed);
  }

  /** Returns the text of the exception that programs know. */
  @Override
  public String toString() {
    return MpiException.class.getName() + ": " + getMessage();
  }
}
