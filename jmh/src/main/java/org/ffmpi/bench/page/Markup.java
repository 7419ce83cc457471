// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.page;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes XML that HTML parsers read in the same way: elements without content have an end tag of their own, but for the
 * void ones and those of SVG.
 */
final class Markup {
  private final StringBuilder out = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  /** Begins an element; attributes are names and values in turn, and a value of null leaves its attribute out. */
  Markup open(String tag, String... attributes) {
    start(tag, attributes);
    out.append('>');
    open.push(tag);
    return this;
  }

  /** Ends the element begun last. */
  Markup close() {
    out.append("</").append(open.pop()).append('>');
    return this;
  }

  /** Ends the element begun last and its line. */
  Markup closeLine() {
    close();
    return line();
  }

  /** Writes an element without content, of SVG or a void one of HTML. */
  Markup leaf(String tag, String... attributes) {
    start(tag, attributes);
    out.append("/>");
    return this;
  }

  /** Writes an element with text in it. */
  Markup text(String tag, String content, String... attributes) {
    return open(tag, attributes).text(content).close();
  }

  Markup text(String content) {
    out.append(escaped(content));
    return this;
  }

  /** Writes text as it is; for style sheets. */
  Markup raw(String content) {
    out.append(content);
    return this;
  }

  Markup line() {
    out.append('\n');
    return this;
  }

  private void start(String tag, String... attributes) {
    out.append('<').append(tag);
    for (int a = 0; a < attributes.length; a += 2) {
      if (attributes[a + 1] != null) {
        out.append(' ').append(attributes[a]).append("=\"").append(escaped(attributes[a + 1])).append('"');
      }
    }
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
  }

  /** Returns the text; all elements have ended. */
  @Override
  public String toString() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("open elements: " + open);
    }
    return out.toString();
  }
}
