// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.datatype.Datatype;

/**
 * The neighbourhood collectives of {@link TopologyComm}. Each operation has a blocking, a nonblocking and a persistent
 * form.
 */
public sealed interface NeighborCalls permits TopologyComm {
  //operations NeighborAllgather NeighborAllgatherv NeighborAlltoall NeighborAlltoallv NeighborAlltoallw
}
