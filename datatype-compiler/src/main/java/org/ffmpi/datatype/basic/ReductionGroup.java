// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.basic;

/** The groups of predefined types for which MPI-4.1 §6.9.2 lists the valid operations. */
public enum ReductionGroup {
  /** C integers. */
  C_INTEGER("C integer"),
  /** Fortran integers. */
  FORTRAN_INTEGER("Fortran integer"),
  /** Floating point. */
  FLOATING_POINT("Floating point"),
  /** Logical. */
  LOGICAL("Logical"),
  /** Complex. */
  COMPLEX("Complex"),
  /** Byte. */
  BYTE("Byte"),
  /** Types with a meaning in several languages: addresses, counts and file offsets. */
  MULTI_LANGUAGE("Multi-language types"),
  /** Pairs of value and index. */
  PAIR("MAXLOC/MINLOC pair types"),
  /** Types that take part in no predefined reduction: characters and packed data. */
  NONE("no reduction group");

  private final String title;

  ReductionGroup(String title) {
    this.title = title;
  }

  /**
   * Returns the group's name as messages and tables print it.
   *
   * @return a short English name
   */
  public String title() {
    return title;
  }
}
