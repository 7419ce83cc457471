// SPDX-License-Identifier: Apache-2.0
/**
 * The world of a process: start and end, providers, threads as ranks, error handlers and error codes, and the common
 * state of sessions.
 *
 * <p>{@code Mpi}, {@code Session} and all rooms of this module call this room. It may know the ports and the module for
 * settings and errors; of communicators it knows only those passed to error handlers.
 */
package org.ffmpi.process;
