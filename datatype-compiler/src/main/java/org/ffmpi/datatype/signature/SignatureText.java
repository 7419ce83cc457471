// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.signature;

import java.util.List;
import java.util.Map;
import org.ffmpi.datatype.basic.Basic;

/**
 * Writes the basic types of a message in one line, which is cut where it becomes long. Elements that an array of Java
 * can hold get its word as well, as in {@code long[3] (INT64_T)}.
 */
final class SignatureText {
  private static final int LIMIT = 240;

  /** The words that programs write for the elements of their arrays. */
  private static final Map<String, String> WORDS = Map.of(
      "DOUBLE", "double", "FLOAT", "float", "INT32_T", "int", "INT64_T", "long", "INT16_T", "short", "UINT16_T", "char",
      "INT8_T", "byte", "C_BOOL", "boolean");

  private final StringBuilder text = new StringBuilder();

  private SignatureText() {}

  static String of(Signature signature, long count) {
    if (signature.elements() == 0 || count == 0) {
      return "nothing";
    }
    String ofArray = ofArray(signature, count);
    if (ofArray != null) {
      return ofArray;
    }
    SignatureText writer = new SignatureText();
    writer.write(signature, count);
    String whole = writer.text.toString();
    return whole.length() <= LIMIT ? whole : whole.substring(0, LIMIT) + "…";
  }

  /** Returns the text of elements that an array of Java can hold; null for others. */
  private static String ofArray(Signature signature, long count) {
    Signature inner = signature;
    long elements = count;
    while (inner.form() instanceof Signature.Repeat(long times, Signature body)) {
      elements = saturatedProduct(elements, times);
      inner = body;
    }
    if (!(inner.form() instanceof Signature.Leaf(Basic basic))) {
      return null;
    }
    String name = nameOf(basic);
    String word = WORDS.get(name);
    return word == null ? null : word + (elements > 1 ? "[" + elements + "]" : "") + " (" + name + ")";
  }

  private static String nameOf(Basic basic) {
    return basic.mpiName().substring("MPI_".length());
  }

  private void write(Signature signature, long count) {
    if (text.length() > LIMIT) {
      return;
    }
    if (signature.form() instanceof Signature.Repeat(long inner, Signature body)) {
      write(body, saturatedProduct(inner, count));
      return;
    }
    if (count > 1) {
      text.append(count).append(" x ");
    }
    if (signature.form() instanceof Signature.Sequence(List<Signature> parts, _, _, _)) {
      text.append(count > 1 ? "(" : "");
      for (int i = 0; i < parts.size() && text.length() <= LIMIT; i++) {
        text.append(i == 0 ? "" : ", ");
        write(parts.get(i), 1);
      }
      text.append(count > 1 ? ")" : "");
    } else if (signature.form() instanceof Signature.Leaf(Basic basic)) {
      text.append(nameOf(basic));
    }
  }

  private static long saturatedProduct(long a, long b) {
    return Math.multiplyHigh(a, b) == 0 && a * b >= 0 ? a * b : Long.MAX_VALUE;
  }
}
