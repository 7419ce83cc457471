// SPDX-License-Identifier: Apache-2.0
/**
 * The progress of one rank, with polling, waiting, waking, and the departures of peers.
 *
 * <pre>
 *   a call that waits ─► Waiting (spins) ─► PollerRole (polls, yields, parks) ─► Sleeper (wait word)
 *                              │                    │
 *                              ▼                    ▼
 *                          RankProgress ─► Traffic (the messages: rings, transfers, backlogs)
 *                              └─────► RegisteredOperations, Departures
 * </pre>
 *
 * <p>Locks, in the order in which a thread may acquire them: the poller role, the rank's {@link
 * org.ffmpi.shm.progress.RankLock}, the lock of the way to a peer, the lock of the completion words. A thread touches
 * the segment only while it holds one of them, so that leaving, which closes them all, may unmap it.
 */
package org.ffmpi.shm.progress;
