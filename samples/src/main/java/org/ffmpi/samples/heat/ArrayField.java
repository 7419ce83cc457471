// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import org.ffmpi.Buf;

/** A field on the Java heap with one array per row. */
final class ArrayField extends Field {
  private final double[] left;
  private final double[] right;
  private double[][] now;
  private double[][] next;

  ArrayField(Block block) {
    super(block);
    int size = block.size();
    left = new double[size];
    right = new double[size];
    now = new double[block.rows() + 2][size];
    next = new double[block.rows() + 2][size];
    setEdges(edges(now), edges(next));
  }

  private static Edges edges(double[][] rows) {
    int last = rows.length - 2;
    return new Edges(Buf.of(rows[0]), Buf.of(rows[1]), Buf.of(rows[last]), Buf.of(rows[last + 1]));
  }

  @Override
  void advance(int first, int last) {
    int size = block().size();
    for (int i = first; i <= last; i++) {
      Stencil.shift(now[i], left, right, size);
      Stencil.row(now[i - 1], now[i], now[i + 1], left, right, next[i], size);
    }
  }

  @Override
  void flipCells() {
    double[][] rows = now;
    now = next;
    next = rows;
  }

  @Override
  void read(int row, double[] into) {
    System.arraycopy(now[row], 0, into, 0, into.length);
  }

  @Override
  void write(int row, double[] from) {
    System.arraycopy(from, 0, now[row], 0, from.length);
  }
}
