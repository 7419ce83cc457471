// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.collective.BlocksCollective;
import org.ffmpi.collective.CollectiveArguments;
import org.ffmpi.collective.CollectiveChecks;
import org.ffmpi.collective.ExchangeCollective;
import org.ffmpi.collective.IntArguments;
import org.ffmpi.collective.ReducingCollective;
import org.ffmpi.collective.RootedCollective;
import org.ffmpi.communicator.CommImpl;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.spi.Channel;

/** The collective calls of {@link Comm}. Each operation has a blocking, a nonblocking and a persistent form. */
public sealed interface CollectiveCalls permits Comm {
  private Channel channel() {
    return CommImpl.of(this).collectives().channel();
  }

  /** Returns the blocks of all ranks, where a buffer's count is that of one. */
  private <T> Buf<T> all(Buf<T> buf) {
    return CollectiveChecks.all(buf, channel());
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

  //operations Barrier Bcast Gather Gatherv Scatter Scatterv Allgather Allgatherv Alltoall Alltoallv Alltoallw
  //operations Reduce Allreduce ReduceScatterBlock ReduceScatter Scan Exscan
}
