// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.basic.Longs;
import org.ffmpi.datatype.basic.TypeArguments;
import org.ffmpi.datatype.plan.pattern.ByteShape;

/**
 * The part of a distributed array that one of several processes owns, with the bounds of the whole array ({@code
 * MPI_Type_create_darray}). Processes are numbered along the grid with the last dimension fastest, for both orders of
 * the array.
 */
public record DarrayType(
    int size,
    int rank,
    Longs gsizes,
    List<Datatype.Distribution> distribs,
    Longs dargs,
    Longs psizes,
    Datatype.Order order,
    TypeTree old)
    implements TypeConstructor.OfOne {
  public DarrayType {
    ArrayGrid.checkDimensions("gsizes", gsizes);
    TypeArguments.sameLength("distribs", distribs.size(), "gsizes", gsizes.length());
    TypeArguments.sameLength("dargs", dargs.length(), "gsizes", gsizes.length());
    TypeArguments.sameLength("psizes", psizes.length(), "gsizes", gsizes.length());
    if (size < 1) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "size", size, "positive numbers of processes");
    }
    TypeArguments.inRange("rank", rank, 0, size - 1);
    checkGrid(size, psizes);
    for (int d = 0; d < gsizes.length(); d++) {
      OwnedBlocks.check(d, distribs.get(d), dargs.get(d), gsizes.get(d), psizes.get(d));
    }
  }

  private static void checkGrid(int size, Longs psizes) {
    long processes = 1;
    for (int d = 0; d < psizes.length(); d++) {
      if (psizes.get(d) < 1) {
        throw MpiException.argument(ErrorClass.ERR_ARG, "psizes[" + d + "]", psizes.get(d), "positive sizes");
      }
      // Capped above the largest allowed value: the product of ints may not fit in a long.
      processes = Math.min(processes * psizes.get(d), 1L + Integer.MAX_VALUE);
    }
    if (processes != size) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, "psizes", psizes, "sizes whose product is the number of processes, " + size);
    }
  }

  @Override
  public Combiner combiner() {
    return Combiner.DARRAY;
  }

  @Override
  public Bounds bounds() {
    OwnedBlocks[] owned = ownedBlocks();
    ArrayGrid grid = ArrayGrid.of("gsizes", gsizes, order, old.bounds());
    return grid.bounds(d -> owned[d].indices(), d -> owned[d].firstIndex(), d -> owned[d].lastIndex());
  }

  @Override
  public ByteShape shape() {
    OwnedBlocks[] owned = ownedBlocks();
    ArrayGrid grid = ArrayGrid.of("gsizes", gsizes, order, old.bounds());
    ByteShape shape = old.shape();
    for (int d : grid.fastestFirst()) {
      shape = owned[d].shape(grid.stride(d), shape);
    }
    return shape;
  }

  public OwnedBlocks[] ownedBlocks() {
    OwnedBlocks[] owned = new OwnedBlocks[gsizes.length()];
    long below = size;
    long rest = rank;
    for (int d = 0; d < owned.length; d++) {
      below /= psizes.get(d);
      long position = rest / below;
      rest %= below;
      owned[d] = OwnedBlocks.of(distribs.get(d), dargs.get(d), gsizes.get(d), psizes.get(d), position);
    }
    return owned;
  }
}
