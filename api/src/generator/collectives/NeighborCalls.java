// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.collective.CollectiveArguments;
import org.ffmpi.collective.IntArguments;
import org.ffmpi.collective.NeighborBlocks;
import org.ffmpi.collective.NeighborCollective;
import org.ffmpi.communicator.CommImpl;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.spi.Neighbors;

/**
 * The neighbourhood collectives of {@link TopologyComm}. Each operation has a blocking, a nonblocking and a persistent
 * form.
 */
public sealed interface NeighborCalls permits TopologyComm {
  private Neighbors neighbors() {
    return CommImpl.of(this).neighborhood();
  }

  private void run(CollectiveArguments call) {
    CommImpl.of(this).collectives().run(call);
  }

  private Request start(CollectiveArguments call) {
    return CommImpl.of(this).collectives().start(call);
  }

  private Persistent init(CollectiveArguments call, Info info) {
    return CommImpl.of(this).collectives().init(call, info);
  }

  //operations NeighborAllgather NeighborAllgatherv NeighborAlltoall NeighborAlltoallv NeighborAlltoallw
}
