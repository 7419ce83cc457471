// SPDX-License-Identifier: Apache-2.0
/**
 * The arguments of collective calls. {@link org.ffmpi.collective.CollectiveMethod} is the table of calls and of the
 * ranks at which arguments are significant. A class for each kind of call checks what one rank can check and fills one
 * {@link org.ffmpi.spi.CollectiveCall}, which crosses the port to the executor. Where everything is checked, the ranks
 * compare their calls before they begin them.
 *
 * <p>A call goes: a form of {@code CollectiveCalls} or {@code NeighborCalls}, which the build generates; the arguments'
 * {@link org.ffmpi.collective.CollectiveArguments#fill}; {@link org.ffmpi.spi.Collectives#call}.
 */
package org.ffmpi.collective;
