// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.tree.TypeTree;

/**
 * The naive interpreter of typemaps with which plans are compared. It computes the place in memory of each byte of the
 * stream.
 */
final class TypemapOracle {
  private final List<Long> byteDisplacements = new ArrayList<>();
  private final long extent;

  private TypemapOracle(long extent) {
    this.extent = extent;
  }

  static TypemapOracle of(Datatype<?> type) {
    TypemapOracle oracle = new TypemapOracle(type.extent());
    if (!(TypeHandle.of(type).tree() instanceof TypeTree.Named(Basic basic))) {
      throw new AssertionError("not a predefined type: " + type);
    }
    basic.element().parts().forEach(p -> oracle.add(p.displacement(), p.size()));
    return oracle;
  }

  static TypemapOracle of(long extent, long[] displacements, long[] lengths) {
    TypemapOracle oracle = new TypemapOracle(extent);
    for (int i = 0; i < lengths.length; i++) {
      oracle.add(displacements[i], lengths[i]);
    }
    return oracle;
  }

  private void add(long displacement, long length) {
    for (long i = 0; i < length; i++) {
      byteDisplacements.add(displacement + i);
    }
  }

  int size() {
    return byteDisplacements.size();
  }

  /** Returns the displacement from the first element's address of byte {@code position} of the stream. */
  int displacement(int position) {
    return (int) (position / size() * extent + byteDisplacements.get(position % size()));
  }
}
