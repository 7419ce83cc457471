// SPDX-License-Identifier: Apache-2.0
/**
 * What a rank that waits for long says about itself in the segment: {@link org.ffmpi.shm.state.RankState} is the value,
 * {@link org.ffmpi.shm.state.StateLayout} its place, {@link org.ffmpi.shm.state.StateBlock} writes and reads it whole.
 */
package org.ffmpi.shm.state;
