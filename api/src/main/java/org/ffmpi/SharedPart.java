// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.lang.foreign.MemorySegment;

/**
 * A rank's part of a window, as far as it is shared, as {@link Win#sharedQuery} finds it ({@code MPI_Win_shared_query},
 * MPI-4.1 §12.2.5).
 *
 * @param rank the rank whose part it is
 * @param segment the part, to be read and written; of {@link #size} bytes
 * @param size bytes
 * @param dispUnit its displacement unit
 */
public record SharedPart(int rank, MemorySegment segment, long size, int dispUnit) {}
