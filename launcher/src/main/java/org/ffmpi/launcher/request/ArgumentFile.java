// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The java command's files of arguments, and the way in which it splits their text into words. */
public final class ArgumentFile {
  private ArgumentFile() {}

  /** Reads a file and splits its text. */
  static List<String> read(Path file) throws UsageException {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw new UsageException("argument file " + file + " cannot be read: " + e.getMessage());
    }
    return split(text);
  }

  /**
   * Splits a text at white space.
   *
   * @param text words; quotes hold those together that contain spaces
   */
  public static List<String> split(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = null;
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != 0 && c == '\\' && i + 1 < text.length()) {
        word.append(text.charAt(++i));
      } else if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word.append(c);
        }
      } else if (c == '#' && word == null) {
        while (i + 1 < text.length() && text.charAt(i + 1) != '\n') {
          i++;
        }
      } else if (Character.isWhitespace(c)) {
        if (word != null) {
          words.add(word.toString());
          word = null;
        }
      } else {
        word = word == null ? new StringBuilder() : word;
        if (c == '"' || c == '\'') {
          quote = c;
        } else {
          word.append(c);
        }
      }
    }
    if (word != null) {
      words.add(word.toString());
    }
    return words;
  }
}
