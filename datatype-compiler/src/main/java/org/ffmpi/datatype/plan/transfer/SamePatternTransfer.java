// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.transfer;

import org.ffmpi.datatype.plan.kernel.Copiers;
import org.ffmpi.datatype.plan.pattern.EndlessPattern;

/** The transfer between sides that repeat the same pattern, perhaps at different distances. */
final class SamePatternTransfer extends Transfer {
  SamePatternTransfer(EndlessPattern source, EndlessPattern target) {
    super(source, target);
  }

  @Override
  public void move(int kind, long src, Object array, long at, long from, long bytes) {
    target.unit.range(
        Copiers.copying(kind), array, at + target.displacement, target.unitStride, target.hot, from, bytes,
        src + source.displacement, source.unitStride);
  }
}
