// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import org.ffmpi.base.raw.Memory;

/** Elements without gaps that follow one another: the stream is the memory. */
final class ContiguousPlan extends Plan {
  ContiguousPlan(long size, long extent, long trueLowerBound) {
    super(size, extent, trueLowerBound, size);
  }

  @Override
  public boolean isContiguous() {
    return true;
  }

  @Override
  public void pack(int kind, Object owner, long offset, long count, long from, long bytes, long dst) {
    Memory.read(kind, owner, offset + trueLowerBound() + from, dst, bytes);
  }

  @Override
  public void unpack(long src, int kind, Object owner, long offset, long count, long from, long bytes) {
    Memory.write(kind, owner, offset + trueLowerBound() + from, src, bytes);
  }

  @Override
  void transferTo(
      Plan target, long src, long srcCount,
      int kind, Object owner, long offset, long count,
      long from, long bytes) {
    target.unpack(src + trueLowerBound() + from, kind, owner, offset, count, from, bytes);
  }

  @Override
  public String toString() {
    return "contiguous " + size() + (trueLowerBound() == 0 ? "" : " at " + trueLowerBound());
  }
}
