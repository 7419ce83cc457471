// SPDX-License-Identifier: Apache-2.0
/**
 * Processes that come and meet (MPI-4.1 chapter 11): ports and names, the agreement of two groups on a place, spawned
 * processes and how they are started.
 *
 * <p>Two groups meet through their roots. The roots are joined by a {@link org.ffmpi.connect.Link}, a local socket; one
 * of them makes a place, and all processes of both groups enter it ({@link org.ffmpi.connect.Gathering}). From then on
 * the engine of that place carries everything.
 */
package org.ffmpi.connect;
