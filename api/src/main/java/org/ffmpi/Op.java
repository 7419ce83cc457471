// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.reduce.PredefinedOp;
import org.ffmpi.datatype.reduce.ReduceKernel;
import org.ffmpi.datatype.reduce.Reduction;
import org.ffmpi.datatype.reduce.ReductionLoop;
import org.ffmpi.spi.CountedMemory;

/**
 * A reduction operation ({@code MPI_Op}, MPI-4.1 §6.9). Immutable; any thread and any world may use it.
 *
 * {@snippet :
 * world.allreduce(Buf.of(mine), Buf.of(sum), Op.SUM);
 * world.allreduce(Buf.of(error), Op.MAX);               // in place
 * }
 *
 * <p>Which operations go with which types is the standard's table (MPI-4.1 §6.9.2); the others are refused with ERR_OP.
 *
 * @param <T> what one element is in Java; {@code Object} for the predefined operations, which serve many types
 */
@Standard({"MPI_Op"})
public final class Op<T> {
  /** {@code MPI_MAX}: the greater one. */
  @Standard({"MPI_MAX"})
  public static final Op<Object> MAX = new Op<>(PredefinedOp.MAX);

  /** {@code MPI_MIN}: the smaller one. */
  @Standard({"MPI_MIN"})
  public static final Op<Object> MIN = new Op<>(PredefinedOp.MIN);

  /** {@code MPI_SUM}: the sum; integers wrap round. */
  @Standard({"MPI_SUM"})
  public static final Op<Object> SUM = new Op<>(PredefinedOp.SUM);

  /** {@code MPI_PROD}: the product; integers wrap round. */
  @Standard({"MPI_PROD"})
  public static final Op<Object> PROD = new Op<>(PredefinedOp.PROD);

  /** {@code MPI_LAND}: 1 when both are not 0, otherwise 0. */
  @Standard({"MPI_LAND"})
  public static final Op<Object> LAND = new Op<>(PredefinedOp.LAND);

  /** {@code MPI_LOR}: 1 when one or both are not 0, otherwise 0. */
  @Standard({"MPI_LOR"})
  public static final Op<Object> LOR = new Op<>(PredefinedOp.LOR);

  /** {@code MPI_LXOR}: 1 when exactly one is not 0, otherwise 0. */
  @Standard({"MPI_LXOR"})
  public static final Op<Object> LXOR = new Op<>(PredefinedOp.LXOR);

  /** {@code MPI_BAND}: and, bit by bit. */
  @Standard({"MPI_BAND"})
  public static final Op<Object> BAND = new Op<>(PredefinedOp.BAND);

  /** {@code MPI_BOR}: or, bit by bit. */
  @Standard({"MPI_BOR"})
  public static final Op<Object> BOR = new Op<>(PredefinedOp.BOR);

  /** {@code MPI_BXOR}: exclusive or, bit by bit. */
  @Standard({"MPI_BXOR"})
  public static final Op<Object> BXOR = new Op<>(PredefinedOp.BXOR);

  /** {@code MPI_MAXLOC}: the pair with the greater value; of equal values the one with the lower index. */
  @Standard({"MPI_MAXLOC"})
  public static final Op<Object> MAXLOC = new Op<>(PredefinedOp.MAXLOC);

  /** {@code MPI_MINLOC}: the pair with the smaller value; of equal values the one with the lower index. */
  @Standard({"MPI_MINLOC"})
  public static final Op<Object> MINLOC = new Op<>(PredefinedOp.MINLOC);

  private final PredefinedOp predefined;

  private Op(PredefinedOp predefined) {
    this.predefined = predefined;
  }

  /**
   * Returns what computes this operation on elements of a type.
   *
   * @param type a committed datatype
   * @return the kernel
   * @throws MpiException ERR_OP when the operation is not defined for the type, ERR_TYPE when the type is null
   */
  public ReduceKernel kernel(Datatype<?> type) {
    if (type == null) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "type", null, "a datatype");
    }
    return Reduction.kernel(predefined, type);
  }

  /**
   * Combines the elements of two local buffers ({@code MPI_Reduce_local}, MPI-4.1 §6.9.8): each element of
   * {@code inout} becomes the result for it and the element of {@code in} in the same place, which is the left operand.
   * Local and never blocking; the buffers may lie in memory of any kind.
   *
   * @param <E> what one element is in Java
   * @param in left operands; not changed
   * @param inout right operands and results, as many and of the same type; must not overlap {@code in}
   * @throws MpiException ERR_OP when the operation is not defined for the type; ERR_COUNT or ERR_TYPE when counts or
   *     types differ; ERR_BUFFER when a buffer is null, the in-place marker or cannot be used, {@code inout} is
   *     read-only, or the two overlap; ERR_TYPE when the type is not committed or freed
   */
  @Standard({"MPI_Reduce_local", "MPI_Reduce_local_c"})
  public <E extends T> void reduceLocal(Buf<E> in, Buf<E> inout) {
    MpiException wrong = in != null && in.isInPlace()
        ? in.unusable("in", false)
        : Collective.checkReduction("in", in, "inout", inout, this);
    if (wrong != null) {
      throw wrong;
    }
    try (CountedMemory.Lease _ = in.lease(); CountedMemory.Lease _ = inout.lease()) {
      ReductionLoop.reduce(
          kernel(inout.type()), inout.plan(), in.memoryKind(), in.memoryOwner(), in.memoryOffset(),
          inout.memoryKind(), inout.memoryOwner(), inout.memoryOffset(), inout.count());
    } catch (IllegalStateException | WrongThreadException e) { // an arena was closed in between
      throw Failures.translate(e);
    }
  }

  /**
   * Tells whether the order of the operands does not matter ({@code MPI_Op_commutative}, MPI-4.1 §6.9.7).
   *
   * @return true when commutative; results are combined in rank order otherwise
   */
  @Standard({"MPI_Op_commutative"})
  public boolean isCommutative() {
    return predefined.isCommutative();
  }

  /**
   * Returns the operation's name.
   *
   * @return the standard's name, for example {@code MPI_SUM}
   */
  public String name() {
    return predefined.mpiName();
  }

  /**
   * Returns the name, for messages.
   *
   * @return the operation's name
   */
  @Override
  public String toString() {
    return name();
  }
}
