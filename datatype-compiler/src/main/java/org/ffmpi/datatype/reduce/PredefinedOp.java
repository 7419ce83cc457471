// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import static org.ffmpi.datatype.basic.ReductionGroup.BYTE;
import static org.ffmpi.datatype.basic.ReductionGroup.COMPLEX;
import static org.ffmpi.datatype.basic.ReductionGroup.C_INTEGER;
import static org.ffmpi.datatype.basic.ReductionGroup.FLOATING_POINT;
import static org.ffmpi.datatype.basic.ReductionGroup.FORTRAN_INTEGER;
import static org.ffmpi.datatype.basic.ReductionGroup.LOGICAL;
import static org.ffmpi.datatype.basic.ReductionGroup.MULTI_LANGUAGE;
import static org.ffmpi.datatype.basic.ReductionGroup.PAIR;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.basic.ReductionGroup;

/**
 * The predefined reduction operations (MPI-4.1 §6.9.2 and §6.9.4) and the groups of types each is valid for. Codes are
 * those of the MPI-5 binary interface.
 */
public enum PredefinedOp {
  /** Maximum. */
  MAX(35, C_INTEGER, FORTRAN_INTEGER, FLOATING_POINT, MULTI_LANGUAGE),
  /** Minimum. */
  MIN(34, C_INTEGER, FORTRAN_INTEGER, FLOATING_POINT, MULTI_LANGUAGE),
  /** Sum. */
  SUM(33, C_INTEGER, FORTRAN_INTEGER, FLOATING_POINT, COMPLEX, MULTI_LANGUAGE),
  /** Product. */
  PROD(36, C_INTEGER, FORTRAN_INTEGER, FLOATING_POINT, COMPLEX, MULTI_LANGUAGE),
  /** Logical and: any value but 0 is true, the result is 0 or 1. */
  LAND(48, C_INTEGER, LOGICAL),
  /** Bit-wise and. */
  BAND(40, C_INTEGER, FORTRAN_INTEGER, BYTE, MULTI_LANGUAGE),
  /** Logical or: any value but 0 is true, the result is 0 or 1. */
  LOR(49, C_INTEGER, LOGICAL),
  /** Bit-wise or. */
  BOR(41, C_INTEGER, FORTRAN_INTEGER, BYTE, MULTI_LANGUAGE),
  /** Logical exclusive or: any value but 0 is true, the result is 0 or 1. */
  LXOR(50, C_INTEGER, LOGICAL),
  /** Bit-wise exclusive or. */
  BXOR(42, C_INTEGER, FORTRAN_INTEGER, BYTE, MULTI_LANGUAGE),
  /** Maximum and its index; of equal values the lower index. */
  MAXLOC(57, PAIR),
  /** Minimum and its index; of equal values the lower index. */
  MINLOC(56, PAIR),
  /** Replaces the target in one-sided accumulate operations; not for reductions. */
  REPLACE(60),
  /** Leaves the target alone in one-sided fetching operations; not for reductions. */
  NO_OP(61);

  private final int code;
  private final Set<ReductionGroup> groups;

  PredefinedOp(int code, ReductionGroup... groups) {
    this.code = code;
    EnumSet<ReductionGroup> set = EnumSet.noneOf(ReductionGroup.class);
    Collections.addAll(set, groups);
    this.groups = Collections.unmodifiableSet(set);
  }

  /**
   * Returns the name MPI gives the operation.
   *
   * @return for example {@code MPI_SUM}
   */
  public String mpiName() {
    return "MPI_" + name();
  }

  /**
   * Returns the number of the operation's handle in the MPI-5 binary interface.
   *
   * @return the code
   */
  public int code() {
    return code;
  }

  /**
   * Returns whether the operation is commutative.
   *
   * @return true for all but REPLACE and NO_OP
   */
  public boolean isCommutative() {
    return isReduction();
  }

  /**
   * Returns whether the operation may be used in reductions.
   *
   * @return false for REPLACE and NO_OP, which are for one-sided operations only
   */
  public boolean isReduction() {
    return !groups.isEmpty();
  }

  /**
   * Returns the groups of types that reductions with this operation allow.
   *
   * @return an unmodifiable set; empty when {@link #isReduction} is false
   */
  public Set<ReductionGroup> groups() {
    return groups;
  }

  /**
   * Returns whether the standard allows a reduction of a type with this operation.
   *
   * @param basic a predefined type
   * @return true when allowed
   */
  public boolean isValidFor(Basic basic) {
    return groups.contains(basic.reductionGroup());
  }
}
