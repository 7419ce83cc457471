// SPDX-License-Identifier: Apache-2.0
/**
 * The engine of one rank: protocols, matching, progress, waiting, and the end of ranks and jobs.
 *
 * <pre>
 *   send ─► Outbound ─► ring ─┐                          ┌─► Matcher ─► RecvOp ─► user's buffer
 *             │ full          │ envelopes, eager payload │     │
 *             ▼               ├─────────► Inbound ───────┤     ▼
 *          backlog            │                          │   Arrival (unexpected)
 *                             │                          │
 *   SendOp in Offers ◄─ completion word ─────────────────┤
 *             │ matched                                  │
 *             ▼                                          │
 *         PipeSender ─► pipe ─► PipeReceiver ────────────┤
 *   buffer in the shared heap ─► DirectTransfer ─────────┘
 * </pre>
 *
 * <p>{@link org.ffmpi.shm.engine.ShmProvider} is the only public class; users reach it through {@code org.ffmpi.Mpi}.
 */
package org.ffmpi.shm.engine;
