// SPDX-License-Identifier: Apache-2.0
package mpi;


/** Being written. */
public final class ShiftParms {
  ShiftParms() { }
  public int getRankSource()  { throw new UnsupportedOperationException(); }
  public int getRankDest()  { throw new UnsupportedOperationException(); }
}
