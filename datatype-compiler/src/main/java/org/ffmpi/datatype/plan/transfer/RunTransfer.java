// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.transfer;

import java.util.concurrent.atomic.AtomicReference;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.kernel.Copiers;
import org.ffmpi.datatype.plan.pattern.Copier;
import org.ffmpi.datatype.plan.pattern.EndlessPattern;

/**
 * The transfer between any two sides. It copies the common part of the current runs of two cursors, one on each side.
 */
final class RunTransfer extends Transfer {
  private record Cursors(RunCursor source, RunCursor target) {}

  /** Kept from call to call; a second thread at the same time makes its own. */
  private final AtomicReference<Cursors> spare = new AtomicReference<>();

  RunTransfer(EndlessPattern source, EndlessPattern target) {
    super(source, target);
  }

  @Override
  public void move(int kind, long src, Object array, long at, long from, long bytes) {
    Cursors kept = spare.getAndSet(null);
    Cursors cursors = kept != null ? kept : new Cursors(new RunCursor(), new RunCursor());
    cursors.source.seek(source, src, from);
    cursors.target.seek(target, at, from);
    if (kind == Memory.NATIVE) {
      moveNative(cursors.source, cursors.target, bytes);
    } else {
      move(Copiers.unpacking(kind), cursors.source, array, cursors.target, bytes);
    }
    spare.set(cursors);
  }

  /** A method apart from the other kinds, so that copies of short runs are inlined. */
  private static void moveNative(RunCursor source, RunCursor target, long bytes) {
    long left = bytes;
    while (true) {
      long n = Math.min(Math.min(source.length, target.length), left);
      Raw.copy(source.address, target.address, n);
      left -= n;
      if (left == 0) {
        return;
      }
      source.skip(n);
      target.skip(n);
    }
  }

  private static void move(Copier copier, RunCursor source, Object array, RunCursor target, long bytes) {
    long left = bytes;
    while (true) {
      long n = Math.min(Math.min(source.length, target.length), left);
      copier.blocks(array, target.address, n, 1, n, source.address, n);
      left -= n;
      if (left == 0) {
        return;
      }
      source.skip(n);
      target.skip(n);
    }
  }
}
