// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

/**
 * A communicator whose ranks have neighbours, with which they exchange data in one call: the neighbourhood collectives
 * (MPI-4.1 §8.6). One of {@link CartComm}, {@link GraphComm} and {@link DistGraphComm}.
 *
 * {@snippet :
 * try (CartComm ring = world.cartCreate(new int[] {world.size()}, new boolean[] {true}, true)) {
 *   ring.neighborAlltoall(Buf.of(edges), Buf.of(halos));        // first the block of the rank below, then that above
 * }
 * }
 *
 * <p>A rank has <em>sources</em>, from which blocks come, and <em>destinations</em>, to which they go. On a grid both
 * are, dimension by dimension, the rank below and the rank above; on a graph both are its {@link GraphComm#neighbors};
 * of a distributed graph each has its own, in the order of {@link DistGraphComm#neighbors}. Where a grid ends the
 * neighbour is {@code PROC_NULL}: there is a block for it, which is neither read nor written. A rank may be a neighbour
 * several times, and its own: the first block that goes to it is then the first that it gets from there, and so on. On
 * a grid downward messages are received from above, also where both neighbours are the same rank.
 *
 * <p>All ranks make the same calls in the same order, as of all collective operations; a rank waits for its neighbours
 * only. There is no form in place.
 */
public sealed interface TopologyComm extends IntraComm, NeighborCalls permits CartComm, GraphComm, DistGraphComm {}
