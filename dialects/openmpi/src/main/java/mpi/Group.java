// SPDX-License-Identifier: Apache-2.0
package mpi;


/** Being written. */
public final class Group implements Freeable {
  Group(org.ffmpi.Group group) { }

  /** Returns ffmpi's group. */
  org.ffmpi.Group group() { throw new UnsupportedOperationException(); }
  public int getSize() throws MPIException { throw new UnsupportedOperationException(); }
  public int getRank() throws MPIException { throw new UnsupportedOperationException(); }
  @Override public void free() throws MPIException { throw new UnsupportedOperationException(); }
  public boolean isNull()  { throw new UnsupportedOperationException(); }
  public static int[] translateRanks(Group a0, int[] a1, Group a2) throws MPIException { throw new UnsupportedOperationException(); }
  public static int compare(Group a0, Group a1) throws MPIException { throw new UnsupportedOperationException(); }
  public static Group union(Group a0, Group a1) throws MPIException { throw new UnsupportedOperationException(); }
  public static Group intersection(Group a0, Group a1) throws MPIException { throw new UnsupportedOperationException(); }
  public static Group difference(Group a0, Group a1) throws MPIException { throw new UnsupportedOperationException(); }
  public Group incl(int[] a0) throws MPIException { throw new UnsupportedOperationException(); }
  public Group excl(int[] a0) throws MPIException { throw new UnsupportedOperationException(); }
  public Group rangeIncl(int[][] a0) throws MPIException { throw new UnsupportedOperationException(); }
  public Group rangeExcl(int[][] a0) throws MPIException { throw new UnsupportedOperationException(); }
}
