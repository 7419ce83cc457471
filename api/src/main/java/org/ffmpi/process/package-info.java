// SPDX-License-Identifier: Apache-2.0
/**
 * The world of a process: how it starts and ends, the providers it finds, threads as ranks, error handlers and error
 * codes, and what sessions share.
 *
 * <p>{@code Mpi}, {@code Session} and all rooms of this module call this room. It may know the ports and the module for
 * settings and errors; of communicators it knows only those that error handlers are given.
 */
package org.ffmpi.process;
