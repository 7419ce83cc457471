// SPDX-License-Identifier: Apache-2.0
/**
 * The arguments of collective calls. A class for each kind of call checks what one rank can check and fills one
 * {@link org.ffmpi.spi.CollectiveCall}, which crosses the port to the executor. Where everything is checked, the ranks
 * compare what they call before they do it.
 *
 * <p>A call goes: a form of {@code CollectiveCalls} or {@code NeighborCalls}, which the build generates; the arguments'
 * {@link org.ffmpi.collective.CollectiveArguments#fill}; {@link org.ffmpi.spi.Collectives#call}.
 */
package org.ffmpi.collective;
