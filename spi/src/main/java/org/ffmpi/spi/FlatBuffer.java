// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.ReduceKernel;

/**
 * A buffer as an argument of {@link Engine} is {@code (kind, owner, offset)}, as {@code org.ffmpi.base.raw.Memory}
 * defines it, with {@code count} elements of a {@code plan}. Reused for call after call; absent between calls, and
 * where an argument is not significant. Used by one thread at a time.
 */
@SuppressWarnings("exports") // plans cross this port only between our own modules, to which their package is exported
public final class FlatBuffer {
  private int kind;
  private Object owner;
  private long offset;
  private long count;

  /**
   * Kept while the buffer is absent: the next call mostly has the same plan, and storing a reference costs a barrier.
   */
  private Plan plan;

  private boolean present;

  /** Creates an absent buffer. */
  public FlatBuffer() {}

  /**
   * Describes a buffer.
   *
   * @param kind memory kind of the buffer
   * @param owner segment or array that the buffer lies in
   * @param offset first byte of the buffer, by the rules of {@code kind}
   * @param count number of elements
   * @param plan committed plan of the element type
   */
  public void set(int kind, Object owner, long offset, long count, Plan plan) {
    this.kind = kind;
    this.owner = owner;
    this.offset = offset;
    this.count = count;
    if (this.plan != plan) {
      this.plan = plan;
    }
    present = true;
  }

  /** Makes the buffer absent. */
  public void clear() {
    owner = null;
    present = false;
  }

  /**
   * Returns whether there is a buffer.
   *
   * @return false between calls and where the argument is not significant or in place
   */
  public boolean isPresent() {
    return present;
  }

  /**
   * Returns the kind of memory.
   *
   * @return one of the kinds of {@code org.ffmpi.base.raw.Memory}
   */
  public int kind() {
    return kind;
  }

  /**
   * Returns the owner of the memory.
   *
   * @return the array, or what keeps off-heap memory alive
   */
  public Object owner() {
    return owner;
  }

  /**
   * Returns where the buffer begins.
   *
   * @return an address or a number of bytes, by the kind
   */
  public long offset() {
    return offset;
  }

  /**
   * Returns the number of elements.
   *
   * @return 0 or more
   */
  public long count() {
    return count;
  }

  /**
   * Returns the plan of the element type.
   *
   * @return the plan, or null when the buffer is absent
   */
  public Plan plan() {
    return present ? plan : null;
  }

  /**
   * Copies bytes out of the packed stream of the buffer, which is present.
   *
   * @param from the first byte of the stream
   * @param bytes how many
   * @param to absolute address
   */
  public void read(long from, long bytes, long to) {
    plan.pack(kind, owner, offset, count, from, bytes, to);
  }

  /**
   * Copies bytes into the packed stream of the buffer, which is present.
   *
   * @param from the first byte of the stream
   * @param bytes how many
   * @param source absolute address
   */
  public void write(long from, long bytes, long source) {
    plan.unpack(source, kind, owner, offset, count, from, bytes);
  }

  /**
   * Combines the first elements of the buffer, which is present, with others.
   *
   * @param kernel the operation
   * @param left absolute address of the left operands
   * @param elements how many
   */
  public void combine(ReduceKernel kernel, long left, long elements) {
    kernel.reduce(left, owner, kind, offset, elements);
  }

  /**
   * Describes the same buffer as another one, or none.
   *
   * @param other the buffer
   */
  void copy(FlatBuffer other) {
    set(other.kind, other.owner, other.offset, other.count, other.plan);
    present = other.present;
  }

  /**
   * Returns the number of packed bytes of all elements; the buffer is present.
   *
   * @return bytes
   */
  public long packedBytes() {
    return plan.packedBytes(count);
  }
}
