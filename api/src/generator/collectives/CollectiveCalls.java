// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.datatype.Datatype;

/** The collective calls of {@link Comm}. Each operation has a blocking, a nonblocking and a persistent form. */
public sealed interface CollectiveCalls permits Comm {
  //operations Barrier Bcast Gather Gatherv Scatter Scatterv Allgather Allgatherv Alltoall Alltoallv Alltoallw
  //operations Reduce Allreduce ReduceScatterBlock ReduceScatter Scan Exscan
}
