// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.basic.ReductionGroup;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.plan.PlanCompiler;
import org.ffmpi.datatype.tree.ReductionUnit;

/**
 * The elements that one-sided accumulating calls combine (MPI-4.1 §12.3.4), which are of the one predefined type that a
 * type is made of. A code names the same unit in every process. Immutable; any thread may use it.
 */
public final class AccumulateUnit {
  private static final int NO_INDEX = -1;
  private static final Basic[] BASICS = Basic.values();
  private static final int INDEX_SHIFT = 16;
  /** Bit of the representation of units with an index. */
  private static final int PAIRS = 128;

  /**
   * The units of predefined types with a name. Threads may race to make the same one; all such are equal and immutable.
   */
  private static final AccumulateUnit[] SINGLES = new AccumulateUnit[BASICS.length];

  private final ReductionUnit unit;
  private final Plan plan;

  private AccumulateUnit(ReductionUnit unit) {
    this.unit = unit;
    this.plan = PlanCompiler.compile(unit.shape(), unit.bounds().extent());
  }

  /**
   * Finds the unit of a type.
   *
   * @param type a committed type
   * @return the unit
   * @throws MpiException ERR_TYPE when the type has data of several predefined types, or none
   */
  public static AccumulateUnit of(Datatype<?> type) {
    return of(TypeHandle.of(type).reductionUnit().orElseThrow(() -> MpiException.argument(
        ErrorClass.ERR_TYPE, "type", type, "types whose data are all of one predefined type")));
  }

  private static AccumulateUnit of(ReductionUnit unit) {
    if (!(unit instanceof ReductionUnit.Single(Basic basic))) {
      return new AccumulateUnit(unit);
    }
    AccumulateUnit known = SINGLES[basic.ordinal()];
    if (known == null) {
      known = new AccumulateUnit(unit);
      SINGLES[basic.ordinal()] = known;
    }
    return known;
  }

  /**
   * Returns the unit that another process has named.
   *
   * @param code what {@link #code} returned there; not trusted
   * @return the unit
   * @throws MpiException ERR_INTERN when there is none such
   */
  public static AccumulateUnit ofCode(int code) {
    int value = code & (1 << INDEX_SHIFT) - 1;
    int index = code >> INDEX_SHIFT;
    if (value >= BASICS.length || index < NO_INDEX || index >= BASICS.length) {
      throw new MpiException(ErrorClass.ERR_INTERN, "accumulated type: no predefined type has the code " + code);
    }
    return of(index == NO_INDEX
        ? new ReductionUnit.Single(BASICS[value])
        : new ReductionUnit.Pair(BASICS[value], BASICS[index]));
  }

  /**
   * Returns a number that names this unit in every process of the job.
   *
   * @return the code
   */
  public int code() {
    return switch (unit) {
      case ReductionUnit.Single(Basic basic) -> NO_INDEX << INDEX_SHIFT | basic.ordinal();
      case ReductionUnit.Pair pair -> pair.index().ordinal() << INDEX_SHIFT | pair.value().ordinal();
    };
  }

  /**
   * Returns a number that units of one representation in memory have in common, such as C's {@code long} and a 64-bit
   * integer.
   *
   * @return less than 256
   */
  public int representation() {
    return switch (unit) {
      case ReductionUnit.Single(Basic basic) -> basic.element().ordinal();
      case ReductionUnit.Pair pair -> PAIRS | pair.value().element().ordinal();
    };
  }

  /**
   * Returns whether sums and products of these elements are rounded.
   *
   * @return true for floating-point and complex numbers
   */
  public boolean isRounded() {
    return unit instanceof ReductionUnit.Single(Basic basic) && switch (basic.reductionGroup()) {
      case FLOATING_POINT, COMPLEX -> true;
      default -> false;
    };
  }

  /**
   * Returns the bytes of a unit's data.
   *
   * @return bytes in a packed stream
   */
  public long size() {
    return plan.size();
  }

  /**
   * Returns the distance of units in memory, as kernels expect them.
   *
   * @return bytes
   */
  public long extent() {
    return plan.extent();
  }

  /**
   * Returns whether units lie in memory as in a stream.
   *
   * @return false for pairs with a gap
   */
  public boolean isDense() {
    return plan.isContiguous();
  }

  /**
   * Returns the plan of a unit.
   *
   * @return the plan
   */
  public Plan plan() {
    return plan;
  }

  /**
   * Returns the kernel that combines units that lie {@link #extent} apart.
   *
   * @param op a predefined operation
   * @return the kernel; null for REPLACE and NO_OP, which are defined for all types
   * @throws MpiException ERR_OP when the operation is not defined for the type
   */
  public ReduceKernel kernel(PredefinedOp op) {
    return op.isReduction() ? ReduceKernels.ofUnit(op, unit) : null;
  }

  /**
   * Returns the kernel that combines single units.
   *
   * @param op a predefined operation that is defined for the unit
   * @return the kernel; null when there is only that of {@link #kernel(PredefinedOp)}
   */
  public WordKernel wordKernel(PredefinedOp op) {
    return unit instanceof ReductionUnit.Single(Basic basic) ? WordKernel.of(op, basic.element()) : null;
  }

  /**
   * Returns whether the standard allows compare-and-swap of a unit (MPI-4.1 §12.3.4): integers, logicals and bytes.
   *
   * @return true when allowed
   */
  public boolean isComparable() {
    if (!(unit instanceof ReductionUnit.Single(Basic basic))) {
      return false;
    }
    ReductionGroup group = basic.reductionGroup();
    return group == ReductionGroup.C_INTEGER || group == ReductionGroup.FORTRAN_INTEGER
        || group == ReductionGroup.LOGICAL || group == ReductionGroup.MULTI_LANGUAGE || group == ReductionGroup.BYTE;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AccumulateUnit that && unit.equals(that.unit);
  }

  @Override
  public int hashCode() {
    return unit.hashCode();
  }

  @Override
  public String toString() {
    return switch (unit) {
      case ReductionUnit.Single(Basic basic) -> basic.mpiName();
      case ReductionUnit.Pair pair -> "pair of " + pair.value().mpiName() + " and " + pair.index().mpiName();
    };
  }
}
