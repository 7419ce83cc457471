// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ffmpi.base.MpiException;

/** Texts of errors with the names that a program has for the predefined types. */
public final class ErrorTexts {
  private static final Pattern NAME = Pattern.compile("\\bMPI_[0-9A-Z_]+\\b");

  private ErrorTexts() {}

  /**
   * Replaces the names of types in a text.
   *
   * @param text a text, or null
   * @param names the program's names by those of ffmpi
   * @return the text with the program's names
   */
  public static String translated(String text, Map<String, String> names) {
    return text == null
        ? null
        : NAME.matcher(text).replaceAll(name ->
            Matcher.quoteReplacement(names.getOrDefault(name.group(), name.group())));
  }

  /**
   * Replaces the names of types in the text of an error.
   *
   * @param error an error
   * @param names the program's names by those of ffmpi
   * @return an error with the same codes and stack, or the error itself where it names no such type
   */
  public static MpiException translated(MpiException error, Map<String, String> names) {
    String text = translated(error.getMessage(), names);
    if (error.getClass() != MpiException.class || text == null || text.equals(error.getMessage())) {
      return error;
    }
    MpiException translated = new MpiException(error.errorCode(), error.errorClassCode(), text);
    translated.initCause(error.getCause());
    translated.setStackTrace(error.getStackTrace());
    for (Throwable suppressed : error.getSuppressed()) {
      translated.addSuppressed(suppressed);
    }
    return translated;
  }
}
