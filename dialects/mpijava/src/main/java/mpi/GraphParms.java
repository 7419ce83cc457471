// SPDX-License-Identifier: Apache-2.0
package mpi;

/** The graph of a communicator, as {@link Graphcomm#Get} returns it. */
public class GraphParms {
  /** For each node, how many edges it and those before it have. */
  public int[] index;

  /** The nodes that the edges lead to, node after node. */
  public int[] edges;

  /** Makes one without arrays. */
  public GraphParms() {}
}
