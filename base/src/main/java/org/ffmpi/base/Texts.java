// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

/** Cuts texts that are longer than the standard or a reader allows. Any thread may call. */
public final class Texts {
  /** The longest value that a message repeats in full: that of a name. */
  private static final int LONGEST_VALUE = Constants.MAX_OBJECT_NAME;

  private static final String CUT = "...";

  private Texts() {}

  /**
   * Returns the beginning of a text. A character of two {@code char}s is not split.
   *
   * @param text the text
   * @param most the most {@code char}s of the result
   * @return the text itself when it is short enough
   */
  public static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most);
  }

  /**
   * Returns the name of an object as the standard keeps it: its first {@code MAX_OBJECT_NAME} - 1 characters.
   *
   * @param name the name that the program has given
   * @return the name to keep
   * @throws MpiException ERR_ARG when the name is null
   */
  public static String objectName(String name) {
    if (name == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "name", null, "texts; the empty one removes the name");
    }
    return cut(name, Constants.MAX_OBJECT_NAME - 1);
  }

  /**
   * Returns a value as messages show it: in full when it is short, otherwise its beginning and its length.
   *
   * @param value any value, or null
   * @return a text of bounded length
   */
  public static String shown(Object value) {
    String text = String.valueOf(value);
    return text.length() <= LONGEST_VALUE
        ? text
        : cut(text, LONGEST_VALUE) + CUT + " (" + text.length() + " characters)";
  }
}
