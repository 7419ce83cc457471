// SPDX-License-Identifier: Apache-2.0
/**
 * Starts the ranks of a job as JVMs of their own and watches them to their end: {@code mpirun} from the shell,
 * {@link org.ffmpi.launcher.Launcher} from Java.
 *
 * <p>A command line or a builder becomes a {@code request.JobRequest}. {@code job.JobStarter} checks what it can, makes
 * the job's shared memory and one command per program, picks a start-up cache, and starts every rank before it does
 * anything else. {@code watch.JobSupervisor} watches the ranks, and {@link org.ffmpi.launcher.Job} is its public face.
 * Each stream of each rank has a thread that cuts it into lines, which meet in one sink per destination. The launcher
 * does not see the messages of ranks: of the segment it uses the ranks' states and the word that ends a job.
 *
 * <p>The environment of a rank: {@code FFMPI_RANK}, {@code FFMPI_SIZE}, {@code FFMPI_SEGMENT} (a path
 * to the job's shared memory), {@code FFMPI_CORES} (numbers of the cores the job may use), {@code FFMPI_PROVIDERS}
 * (classes that implement the API's ports), {@code FFMPI_TERMINAL} (width of the terminal that the job's output is; 0
 * for none), {@code FFMPI_PROGRAM} and what begins so (number, name, arguments and ranks of the program in the job),
 * and every setting that was given.
 */
package org.ffmpi.launcher;
