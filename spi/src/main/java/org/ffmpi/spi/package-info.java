// SPDX-License-Identifier: Apache-2.0
/**
 * The ports that engines, collectives and launchers implement, found by {@link java.util.ServiceLoader}. Unstable: they
 * change with the needs of the implementations. A program that uses MPI needs nothing of this.
 *
 * <p>The API checks arguments, turns ranks into peers ({@link org.ffmpi.spi.Channel}) and calls
 * {@link org.ffmpi.spi.Engine}; collectives ({@link org.ffmpi.spi.Collectives}) are built on the same port.
 */
package org.ffmpi.spi;
