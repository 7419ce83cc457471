// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

/**
 * An operation that treats an element's components alike, as a sum of complex numbers is a sum of twice as many reals.
 */
final class ComponentKernel implements ReduceKernel {
  private final ReduceKernel kernel;
  private final int components;

  ComponentKernel(ReduceKernel kernel, int components) {
    this.kernel = kernel;
    this.components = components;
  }

  @Override
  public void reduce(long in, long inout, long count) {
    kernel.reduce(in, inout, count * components);
  }

  @Override
  public void reduce(long in, Object array, int arrayKind, long byteOffset, long count) {
    kernel.reduce(in, array, arrayKind, byteOffset, count * components);
  }

  @Override
  public void combine(long left, long right, long out, long count) {
    kernel.combine(left, right, out, count * components);
  }
}
