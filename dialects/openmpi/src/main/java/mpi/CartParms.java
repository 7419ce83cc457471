// SPDX-License-Identifier: Apache-2.0
package mpi;


/** Being written. */
public final class CartParms {
  CartParms() { }
  public int getDimCount()  { throw new UnsupportedOperationException(); }
  public int getDim(int a0)  { throw new UnsupportedOperationException(); }
  public boolean getPeriod(int a0)  { throw new UnsupportedOperationException(); }
  public int getCoord(int a0)  { throw new UnsupportedOperationException(); }
}
