// SPDX-License-Identifier: Apache-2.0
/**
 * The job segment, a file without a name in shared memory. It has a fixed part ({@link
 * org.ffmpi.shm.segment.JobLayout}, {@link org.ffmpi.shm.segment.RankLayout}, {@link
 * org.ffmpi.shm.segment.RingDirectory}) and space that is claimed. The room knows ranks by number, and no MPI.
 */
package org.ffmpi.shm.segment;
