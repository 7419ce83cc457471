// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import org.ffmpi.datatype.plan.StreamSignature;

/**
 * A type's signature as plans carry it to the engines. Found when it is first asked for: only checked messages do.
 *
 * @param tree the type
 */
record TreeSignature(TypeTree tree) implements StreamSignature {
  /** Equals no hash of a sequence that {@link Signature#hash} gives, by an accident of 64 bits at most. */
  private static final long CUT = 0x7c3a_51d9_e84b_06f1L;

  @Override
  public long hash(long bytes) {
    Signature signature = tree.signature();
    return signature.prefixHash(bytes).orElse(CUT);
  }

  @Override
  public boolean matchesAnything() {
    return tree.signature().isPacked();
  }

  @Override
  public String text(long bytes) {
    Signature signature = tree.signature();
    long size = signature.bytes();
    if (bytes == size || size == 0) {
      return signature.toString();
    }
    return bytes % size == 0 && signature.basic().isPresent()
        ? bytes / (size / signature.elements()) + " x " + signature.basic().get().name()
        : bytes % size == 0
            ? bytes / size + " x (" + signature + ")"
            : "the first " + bytes + " bytes of elements of (" + signature + ")";
  }
}
