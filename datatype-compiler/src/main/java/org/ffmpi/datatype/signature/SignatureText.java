// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.signature;

import java.util.List;
import org.ffmpi.datatype.basic.Basic;

/** Writes the basic types of a message by their names, in one line that is cut where it becomes long. */
final class SignatureText {
  private static final int LIMIT = 240;

  private final StringBuilder text = new StringBuilder();

  private SignatureText() {}

  static String of(Signature signature, long count) {
    if (signature.elements() == 0 || count == 0) {
      return "nothing";
    }
    SignatureText writer = new SignatureText();
    writer.write(signature, count);
    String whole = writer.text.toString();
    return whole.length() <= LIMIT ? whole : whole.substring(0, LIMIT) + "…";
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
      text.append(basic.mpiName().substring("MPI_".length()));
    }
  }

  private static long saturatedProduct(long a, long b) {
    return Math.multiplyHigh(a, b) == 0 && a * b >= 0 ? a * b : Long.MAX_VALUE;
  }
}
