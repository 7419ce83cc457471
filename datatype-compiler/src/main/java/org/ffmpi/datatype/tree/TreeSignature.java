// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import org.ffmpi.datatype.plan.StreamSignature;

/**
 * The signature of a type as plans carry it to the engines. Computed on first use, since only checked messages need it.
 *
 * @param tree the type
 */
public record TreeSignature(TypeTree tree) implements StreamSignature {
  @Override
  public long hash(long bytes) {
    return tree.signature().hashOfBytes(bytes);
  }

  @Override
  public boolean matchesAnything() {
    return tree.signature().matchesAnything();
  }

  @Override
  public String text(long bytes) {
    return tree.signature().text(bytes);
  }
}
