// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A comment of a Java source. Comments of one line each that follow each other are one comment.
 *
 * @param text its words, without the signs of comments and with one blank for each line break
 * @param line the first line
 * @param starts where each of its lines starts in the text
 * @param ofType whether it is the Javadoc of a type
 */
record Comment(String text, int line, List<Integer> starts, boolean ofType) {
  private static final Pattern TOKEN = Pattern.compile(
      "\"\"\"(?s:.*?[^\\\\])??\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])+'"
          + "|(?<block>/\\*(?s:.*?)\\*/)|(?<lines>//[^\n]*(?:\n[ \t]*//[^\n]*)*)");

  private static final String STRING = "\"(?:\\\\.|[^\"\\\\])*\"";
  private static final Pattern TYPE = Pattern.compile(
      "\\s*(?:@(?!interface)[\\w.]+(?:\\((?:[^()\"]++|" + STRING + "|\\((?:[^()\"]++|" + STRING + ")*+\\))*+\\))?\\s*)*"
          + "(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed|strictfp)\\s+)*"
          + "(?:class|interface|record|enum|@interface)\\s+\\w");

  private static final Pattern SIGNS = Pattern.compile("^[ \t]*(?:/\\*\\*?|//+|\\*(?!/))?[ \t]?|[ \t]*\\*/$|[ \t]+$");

  /** Returns the comments of a source, the licence apart. */
  static List<Comment> of(String source) {
    List<Comment> found = new ArrayList<>();
    Matcher token = TOKEN.matcher(source);
    while (token.find()) {
      String raw = token.group("block") != null ? token.group("block") : token.group("lines");
      if (raw != null && !raw.startsWith("// SPDX")) {
        StringBuilder text = new StringBuilder();
        List<Integer> starts = new ArrayList<>();
        for (String line : raw.split("\n")) {
          text.append(text.isEmpty() ? "" : " ");
          starts.add(text.length());
          text.append(SIGNS.matcher(line).replaceAll("").strip());
        }
        int line = 1 + (int) source.substring(0, token.start()).chars().filter(c -> c == '\n').count();
        boolean ofType = raw.startsWith("/**") && TYPE.matcher(source).region(token.end(), source.length()).lookingAt();
        found.add(new Comment(text.toString(), line, starts, ofType));
      }
    }
    return found;
  }

  /** Returns the line of a place in the text. */
  int lineOf(int place) {
    int index = 0;
    while (index + 1 < starts.size() && starts.get(index + 1) <= place) {
      index++;
    }
    return line + index;
  }
}
