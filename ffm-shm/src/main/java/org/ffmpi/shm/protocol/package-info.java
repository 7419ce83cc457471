// SPDX-License-Identifier: Apache-2.0
/**
 * Sending and receiving, the two halves of one structure, with a ring between them.
 *
 * <pre>
 *              sender                                      receiver
 *   start      Sending                                     Receiving
 *                │ ProtocolSelector                           │
 *   envelope     ▼                                            ▼
 *              Outbound ─────────────► ring ─────────────► Inbound ─► Delivery ─► Matcher
 *                │ full                                                  │ no receive
 *                ▼                                                       ▼
 *              Backlog                                            UnexpectedMessage
 *   transfer
 *              RendezvousSender ◄─ completion word ─────── RendezvousReceiver
 *                │                                                 │
 *                ▼                                                 ▼
 *              PipeSender ───────────► pipe ──────────────► PipeReceiver
 *              buffer in the shared heap ─────────────────► DirectTransfer
 *              private memory ────────────────────────────► CrossTransfer
 *
 *   complete   SendOp.finish                               RecvOp.finish
 * </pre>
 *
 * <p>{@link org.ffmpi.shm.protocol.RankTraffic} makes the parts of one rank and polls them. The state machine is in
 * {@code docs/decisions/0003-protocols.md}.
 */
package org.ffmpi.shm.protocol;
