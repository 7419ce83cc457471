// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.transfer;

import org.ffmpi.datatype.plan.pattern.EndlessPattern;

/** A copy from memory that one plan describes to memory that another one describes, without a stream between. */
public abstract sealed class Transfer permits SamePatternTransfer, NestTransfer, TableTransfer, RunTransfer {
  final EndlessPattern source;
  final EndlessPattern target;

  Transfer(EndlessPattern source, EndlessPattern target) {
    this.source = source;
    this.target = target;
  }

  /**
   * Copies bytes {@code from} to {@code from + bytes} of the stream that both sides have in common.
   *
   * @param kind kind of the target's memory, not confined
   * @param src absolute address of the source's first element
   * @param array the target's array or segment
   * @param at where the target's first element lies
   * @param from first byte of the stream
   * @param bytes how many; not 0
   */
  public abstract void move(int kind, long src, Object array, long at, long from, long bytes);
}
