// SPDX-License-Identifier: Apache-2.0
package mpi;


/** Being written. */
public final class DistGraphNeighbors {
  DistGraphNeighbors() { }
  public int getInDegree()  { throw new UnsupportedOperationException(); }
  public int getOutDegree()  { throw new UnsupportedOperationException(); }
  public boolean isWeighted()  { throw new UnsupportedOperationException(); }
  public int getSource(int a0)  { throw new UnsupportedOperationException(); }
  public int getSourceWeight(int a0)  { throw new UnsupportedOperationException(); }
  public int getDestination(int a0)  { throw new UnsupportedOperationException(); }
  public int getDestinationWeight(int a0)  { throw new UnsupportedOperationException(); }
}
