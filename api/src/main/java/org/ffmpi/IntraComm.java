// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.spi.Channel;

/**
 * A communicator whose ranks all belong to one group ({@code intracommunicator}, MPI-4.1 §7.1): {@link Mpi#world} and
 * {@link Mpi#self} are such.
 */
public final class IntraComm extends Comm {
  IntraComm(World world, Channel channel, String name) {
    super(world, channel, name);
  }
}
