// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.signature;

import java.util.List;
import org.ffmpi.datatype.basic.Basic;

/** Walks through a signature, joins neighbouring runs of one basic type, and hands them to a visitor. */
final class SignatureRuns {
  private final Signature.Visitor visitor;
  private Basic basic;
  private long copies;

  SignatureRuns(Signature.Visitor visitor) {
    this.visitor = visitor;
  }

  void add(Signature signature, long count) {
    switch (signature.form()) {
      case Signature.Leaf(Basic next) -> {
        if (next != basic) {
          finish();
          basic = next;
        }
        copies += count;
      }
      case Signature.Repeat(long inner, Signature body) -> {
        if (body.form() instanceof Signature.Leaf) {
          add(body, inner * count);
        } else {
          for (long i = 0; i < count; i++) {
            for (long j = 0; j < inner; j++) {
              add(body, 1);
            }
          }
        }
      }
      case Signature.Sequence(List<Signature> parts, _, _, _) -> {
        for (long i = 0; i < count; i++) {
          for (Signature part : parts) {
            add(part, 1);
          }
        }
      }
    }
  }

  void finish() {
    if (copies > 0) {
      visitor.run(basic, copies);
      copies = 0;
    }
  }
}
