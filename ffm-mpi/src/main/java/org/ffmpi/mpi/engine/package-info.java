// SPDX-License-Identifier: Apache-2.0
/**
 * The engine of jobs over several nodes, whose ranks the launcher of an installed MPI has started. Within a node it is
 * the shared-memory engine; {@link org.ffmpi.mpi.engine.NativeWire} joins the nodes by that MPI's messages.
 */
package org.ffmpi.mpi.engine;
