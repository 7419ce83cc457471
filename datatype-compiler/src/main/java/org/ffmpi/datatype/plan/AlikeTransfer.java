// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

/** Both sides repeat the same pattern, perhaps at different distances. */
final class AlikeTransfer extends Transfer {
  AlikeTransfer(Compiled source, Compiled target) {
    super(source, target);
  }

  @Override
  void move(int kind, long src, Object array, long at, long from, long bytes) {
    target.unit.range(
        Copiers.copying(kind), array, at + target.displacement, target.unitStride, target.hot, from, bytes,
        src + source.displacement, source.unitStride);
  }
}
