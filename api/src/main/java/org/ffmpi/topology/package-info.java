// SPDX-License-Identifier: Apache-2.0
/**
 * The basis of topologies of communicators: pure arithmetic of grids and graphs, a model of the machine, and the
 * placement of ranks on it. Knows no communicator and no engine; not exported. Everything here is immutable or used by
 * one thread, and each wrong argument is an {@code MpiException} for the caller to raise.
 */
package org.ffmpi.topology;
