// SPDX-License-Identifier: Apache-2.0
/**
 * The job segment: one nameless file in shared memory, what is fixed in it ({@link org.ffmpi.shm.segment.JobLayout},
 * {@link org.ffmpi.shm.segment.RankLayout}, {@link org.ffmpi.shm.segment.RingDirectory}), and how more of it is
 * claimed. Knows ranks by number and nothing of MPI.
 */
package org.ffmpi.shm.segment;
