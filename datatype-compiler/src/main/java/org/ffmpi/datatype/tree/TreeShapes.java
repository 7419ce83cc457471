// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.datatype.basic.Element;
import org.ffmpi.datatype.basic.Longs;
import org.ffmpi.datatype.plan.pattern.ByteShape;

/** Builds the shapes that several constructors have in common. */
public final class TreeShapes {
  /** The shape of each representation; null until it is made. A benign race: threads make equal ones. */
  private static final ByteShape[] ELEMENTS = new ByteShape[Element.values().length];

  private TreeShapes() {}

  /** Returns the bytes of an element of a predefined type. */
  static ByteShape of(Element element) {
    ByteShape known = ELEMENTS[element.ordinal()];
    if (known == null) {
      List<ByteShape> runs = new ArrayList<>();
      for (Element.Part part : element.parts()) {
        runs.add(new ByteShape.Run(part.displacement(), part.size()));
      }
      known = runs.size() == 1 ? runs.getFirst() : new ByteShape.Sequence(runs);
      ELEMENTS[element.ordinal()] = known;
    }
    return known;
  }

  /** Copies at equal distances; one that lies where its body lies is the body. */
  static ByteShape repeat(long displacement, long count, long stride, ByteShape body) {
    return count == 1 && displacement == 0 ? body : new ByteShape.Repeat(displacement, count, stride, body);
  }

  /** Blocks of copies side by side, the blocks at equal distances. */
  static ByteShape blocks(long count, long blocklength, long strideBytes, long extent, ByteShape body) {
    return repeat(0, count, strideBytes, repeat(0, blocklength, extent, body));
  }

  /** Blocks of different length at displacements in bytes. */
  static ByteShape scatter(long[] displacements, long[] blocklengths, long extent, ByteShape body) {
    return new ByteShape.Scatter(displacements, blocklengths, extent, body);
  }

  /** Blocks of one length at displacements in bytes. */
  static ByteShape scatter(long[] displacements, long blocklength, long extent, ByteShape body) {
    long[] blocklengths = new long[displacements.length];
    Arrays.fill(blocklengths, blocklength);
    return scatter(displacements, blocklengths, extent, body);
  }

  /** Displacements in elements as bytes. That of an empty block does not matter and may be out of range: 0. */
  public static long[] inBytes(Longs displacements, Longs blocklengths, long extent) {
    long[] bytes = new long[displacements.length()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = blocklengths.get(i) == 0 ? 0 : displacements.get(i) * extent;
    }
    return bytes;
  }

  /** The same for blocks of one length. */
  public static long[] inBytes(Longs displacements, long blocklength, long extent) {
    long[] bytes = new long[displacements.length()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = blocklength == 0 ? 0 : displacements.get(i) * extent;
    }
    return bytes;
  }
}
