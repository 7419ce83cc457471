// SPDX-License-Identifier: Apache-2.0
package mpi;


/** Being written. */
public final class GraphParms {
  GraphParms() { }
  public int getIndexCount()  { throw new UnsupportedOperationException(); }
  public int getIndex(int a0)  { throw new UnsupportedOperationException(); }
  public int getEdgeCount()  { throw new UnsupportedOperationException(); }
  public int getEdge(int a0)  { throw new UnsupportedOperationException(); }
}
