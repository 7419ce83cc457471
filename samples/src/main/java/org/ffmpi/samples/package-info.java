// SPDX-License-Identifier: Apache-2.0
/**
 * Programs to begin with, each of them run by {@code scripts/mpirun -n 4 --sample NAME}.
 *
 * <ul>
 *   <li>{@link org.ffmpi.samples.Hello}: who is there
 *   <li>{@link org.ffmpi.samples.Greetings}: the first example of the standard
 *   <li>{@link org.ffmpi.samples.Ring}: a token goes round
 *   <li>{@link org.ffmpi.samples.Relay}: an array passes all ranks in partitions, each worked on by a thread of its own
 *   <li>{@link org.ffmpi.samples.Farm}: a master hands out work, over a communicator between two groups
 *   <li>{@link org.ffmpi.samples.Queens}: a manager sends tasks to workers, as records
 *   <li>{@link org.ffmpi.samples.Restarts}: tasks of an executor over ranks
 *   <li>{@link org.ffmpi.samples.Kmeans}: clusters of points, with whole arrays that come back as new ones
 *   <li>{@link org.ffmpi.samples.Life}: the game of life on a torus of ranks, a Cartesian communicator
 *   <li>{@link org.ffmpi.samples.Mandelbrot}: rows of a picture, handed out to the rank that asks; any source, tags
 *   <li>{@link org.ffmpi.samples.Samplesort}: more keys than one rank has, with an alltoallv
 *   <li>{@link org.ffmpi.samples.Cg}: a sparse system of equations, with persistent messages and allreduces
 *   <li>{@link org.ffmpi.samples.Fft}: a Fourier transform in two dimensions, with an alltoall of derived types
 *   <li>{@link org.ffmpi.samples.Nbody}: two galaxies, whose stars are records, with an allgatherv
 *   <li>{@link org.ffmpi.samples.Outlive}: heat in a rod that outlives its ranks
 *   <li>{@link org.ffmpi.samples.Seidel}: a slow program and its cures, to be looked at with {@code mpirun --trace}
 *   <li>{@link org.ffmpi.samples.Heat}: the heat equation, with halo exchange, checked against the exact solution
 * </ul>
 */
package org.ffmpi.samples;
