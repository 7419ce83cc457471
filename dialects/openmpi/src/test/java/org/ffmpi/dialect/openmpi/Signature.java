// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A row of the list of what programs can name: a class, or a member of it in a form that reflection can produce. */
record Signature(String className, String kind, String text) {
  static List<Signature> all() {
    try (InputStream list = Signature.class.getResourceAsStream("/openmpi-signatures.tsv")) {
      return new String(list.readAllBytes(), StandardCharsets.UTF_8).lines().skip(1).map(Signature::parse).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Signature parse(String line) {
    String[] words = line.split("\t");
    return new Signature(words[0], words[1], words[2]);
  }
}
