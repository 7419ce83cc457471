// SPDX-License-Identifier: Apache-2.0
/**
 * Starts the ranks of a job as JVMs of their own and watches them to their end: {@code scripts/mpirun} from the shell,
 * {@link org.ffmpi.launcher.Launcher} from Java.
 *
 * <p>A request (command line or builder) becomes {@code JobRequest}; {@code JobStarter} checks what it can, makes the
 * job's shared memory and one command per program, picks a start-up cache, and starts every rank before it does anything
 * else; {@link org.ffmpi.launcher.Job} watches. Each stream of each rank has a thread that cuts it into lines
 * ({@code LineForwarder}), which meet in one {@code OutputSink} per destination. Nothing here knows what ranks say to each
 * other; of the segment the launcher uses the ranks' states and the word that ends a job.
 */
package org.ffmpi.launcher;
