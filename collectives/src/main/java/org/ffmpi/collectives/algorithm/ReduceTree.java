// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.collectives.schedule.Slice;

/**
 * Writer of one rank's steps of a reduction up a tree, in pieces. A partial result combines those of the children in
 * their order, each as the right operand.
 */
final class ReduceTree {
  /** Stands for the parent of the rank at the top. */
  static final int NONE = -1;

  private final CallShape shape;
  private final ScheduleBuilder builder;
  private final int top;
  private final int parent;
  private final int[] children;
  private final long piece;
  private final int pieces;
  private final Slice[] ring;
  private Accumulator sum;

  /**
   * Creates a writer.
   *
   * @param top the rank at the top, which hands the result to the root
   * @param parent the rank above this one, or {@link #NONE}
   * @param children the ranks below this one
   */
  ReduceTree(CallShape shape, ScheduleBuilder builder, int top, int parent, int[] children) {
    this.shape = shape;
    this.builder = builder;
    this.top = top;
    this.parent = parent;
    this.children = children;
    this.piece = builder.segment(shape.units());
    this.pieces = Math.toIntExact((shape.units() + piece - 1) / piece);
    // One place for each child's piece in use, for those received ahead, and for a result on its way up.
    this.ring = new Slice[Math.min(children.length + Algorithm.AHEAD + 1, children.length * pieces)];
  }

  void write() {
    int items = children.length * pieces;
    for (int i = 0; i < items + Algorithm.AHEAD; i++) {
      if (i < items) {
        builder.receive(children[i % children.length], place(i));
      }
      if (i >= Algorithm.AHEAD) {
        combine(i - Algorithm.AHEAD);
      }
    }
    if (children.length == 0) {
      for (int p = 0; p < pieces; p++) {
        passOn(p, contribution(p));
      }
    }
  }

  private void combine(int item) {
    int p = item / children.length;
    int child = item % children.length;
    if (child == 0) {
      sum = new Accumulator(builder, contribution(p), shape.inPlace());
    }
    sum.expect(false, shape.ordered(), null);
    sum.combineAll(place(item));
    if (child == children.length - 1) {
      passOn(p, sum.at());
    }
  }

  private void passOn(int p, Slice result) {
    if (parent != NONE) {
      builder.send(parent, result);
      if (shape.isRoot()) {
        builder.receive(top, part(p, true));
      }
    } else if (shape.isRoot()) {
      builder.copy(result, part(p, true));
    } else {
      builder.send(shape.root(), result);
    }
  }

  /** Returns where item's piece is received: at the root the last child's in the result's own place. */
  private Slice place(int item) {
    boolean last = item % children.length == children.length - 1;
    int p = item / children.length;
    if (last && parent == NONE && shape.isRoot() && !shape.inPlace()) {
      return part(p, true);
    }
    int index = item % ring.length;
    if (ring[index] == null) {
      ring[index] = builder.scratch(piece);
    }
    return ring[index].part(0, length(p));
  }

  private Slice contribution(int p) {
    return part(p, shape.inPlace());
  }

  private Slice part(int p, boolean ofReceiveBuffer) {
    return ofReceiveBuffer
        ? builder.receiveBuffer(p * piece, length(p))
        : builder.sendBuffer(p * piece, length(p));
  }

  private long length(int p) {
    return Math.min(piece, shape.units() - p * piece);
  }
}
