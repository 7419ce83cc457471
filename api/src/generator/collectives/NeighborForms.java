// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import org.ffmpi.Buf;
import org.ffmpi.Info;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.spi.Neighbors;

/** Describes the calls of {@link org.ffmpi.NeighborCalls} and hands them to a communicator's collectives. Generated. */
public final class NeighborForms {
  private final CommCollectives collectives;
  private final Neighbors neighbors;

  public NeighborForms(CommCollectives collectives, Neighbors neighbors) {
    this.collectives = collectives;
    this.neighbors = neighbors;
  }

  private Neighbors neighbors() {
    return neighbors;
  }

  private void run(CollectiveArguments call) {
    collectives.run(call);
  }

  private Request start(CollectiveArguments call) {
    return collectives.start(call);
  }

  private Persistent init(CollectiveArguments call, Info info) {
    return collectives.init(call, info);
  }

  //bodies NeighborCalls
}
