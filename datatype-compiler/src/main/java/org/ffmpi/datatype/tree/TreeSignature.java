// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import org.ffmpi.datatype.plan.StreamSignature;

/**
 * A type's signature as plans carry it to the engines. Found when it is first asked for: only checked messages do.
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
