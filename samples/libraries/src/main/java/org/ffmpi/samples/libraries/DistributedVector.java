// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.libraries;

import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.RealVector;

/**
 * A vector of Hipparchus of which each rank has a part. Sums and multiples are local; products and norms are those of
 * the whole vector, and all ranks compute them together. Its dimension is that of the part.
 */
final class DistributedVector extends ArrayRealVector {
  private static final long serialVersionUID = 1L;

  private final transient IntraComm world;
  private final transient double[] sum = new double[1];
  private final transient Buf<Double> reduced = Buf.of(sum);

  /** Makes a vector over an array, which is not copied. */
  DistributedVector(IntraComm world, double[] part) {
    super(part, false);
    this.world = world;
  }

  @Override
  public DistributedVector copy() {
    return new DistributedVector(world, getDataRef().clone());
  }

  @Override
  public ArrayRealVector combine(double a, double b, RealVector other) {
    return copy().combineToSelf(a, b, other);
  }

  @Override
  public double dotProduct(RealVector other) {
    return overAll(super.dotProduct(other));
  }

  @Override
  public double getNorm() {
    return Math.sqrt(overAll(super.dotProduct(this)));
  }

  private double overAll(double part) {
    sum[0] = part;
    world.allreduce(reduced, Op.SUM);
    return sum[0];
  }
}
