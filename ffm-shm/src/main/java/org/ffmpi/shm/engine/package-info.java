// SPDX-License-Identifier: Apache-2.0
/**
 * The engine of one rank. It implements the two ports ({@link org.ffmpi.spi.Engine}, {@link
 * org.ffmpi.spi.SharedMemory}) over the parts in the other rooms, and starts these.
 *
 * <pre>
 *   ShmProvider ─► EngineStarter ─► ShmEngine ─► protocol.Sending, Receiving, Probing
 *                       │               ├──────► RankProgress, Waiting, JobAbort (progress)
 *                       ▼               └──────► JobMemory, memory.SharedHeapArena
 *             ProcessRank, ThreadRank
 * </pre>
 *
 * <p>{@link org.ffmpi.shm.engine.ShmProvider} is the only public class; programs reach it through
 * {@code org.ffmpi.Mpi}.
 */
package org.ffmpi.shm.engine;
