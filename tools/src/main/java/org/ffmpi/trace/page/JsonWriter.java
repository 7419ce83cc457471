// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.page;

/** Writes JSON that may stand inside a script element of a page. Commas are its own affair. */
final class JsonWriter {
  private final StringBuilder text = new StringBuilder();
  private boolean first = true;

  JsonWriter object(Runnable members) {
    return nested('{', members, '}');
  }

  JsonWriter array(Runnable elements) {
    return nested('[', elements, ']');
  }

  /** Writes the name of a member, whose value follows. */
  JsonWriter name(String name) {
    value(name);
    text.append(':');
    first = true;
    return this;
  }

  JsonWriter value(long number) {
    comma();
    text.append(number);
    return this;
  }

  JsonWriter value(String string) {
    comma();
    if (string == null) {
      text.append("null");
      return this;
    }
    text.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      // '<' could end the script element, '&' is left alone by browsers there but not by other readers of HTML
      if (c < ' ' || c == '"' || c == '\\' || c == '<' || c == '&' || c == '\u2028' || c == '\u2029') {
        text.append(String.format("\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
    return this;
  }

  private JsonWriter nested(char open, Runnable inside, char close) {
    comma();
    text.append(open);
    first = true;
    inside.run();
    text.append(close);
    first = false;
    return this;
  }

  private void comma() {
    if (!first) {
      text.append(',');
    }
    first = false;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
