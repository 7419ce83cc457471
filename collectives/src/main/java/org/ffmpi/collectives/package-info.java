// SPDX-License-Identifier: Apache-2.0
/**
 * The schedules of all collective operations, and the one executor that runs them.
 *
 * <pre>
 *   call ─► CallShape ─► ScheduleCache ─(miss)─► Selector ──► Algorithm ──► ScheduleBuilder
 *                            │                                                   │
 *                            ▼                                                   ▼
 *   buffers, operation ──► Execution ◄──────────────────────────────────────── Schedule
 *                            │ run() blocking, begin() nonblocking, restart() persistent
 *                            ▼
 *                         Engine: isend, irecv, recv, await, register
 * </pre>
 *
 * <p>A {@code Schedule} is a list of steps (send, receive, copy, reduce; in shared memory publish, fetch, pull) over
 * three symbolic slots: send buffer, receive buffer, scratch. It names ranks and units, no peers, addresses, types or
 * tags, so that it serves every call of the same shape on the same communicator, with any buffers, and is cached. An
 * {@code Algorithm} writes it as a straight line; the builder finds which steps may overlap from what they touch. An
 * {@code Execution} binds the slots and executes the steps, in the calling thread or as progress permits.
 *
 * <p><b>Messages.</b> All messages of a call carry one tag, the number of the call on its communicator, in the context
 * of collectives; between two ranks they match in order.
 *
 * <p><b>Shared memory.</b> Where ranks share memory, a communicator has a {@code Region}: each rank publishes its
 * contribution, or where it can be read, and the others read it there. Steps in the region are like all others.
 * Short calls go over the region without a schedule ({@code FlatExchange}), and the region looks the same then.
 *
 * <p><b>Memory.</b> Buffers may lie anywhere. Messages go straight from and into them; reductions work in native memory
 * and in arrays in place, and stage what has neither address nor array in a first-level-cache tile. Scratch memory is
 * pooled; calls in a steady state allocate none.
 *
 * <p><b>Determinism.</b> The order of operands depends on the operation, the number of
 * ranks, the root and the counts only: not on buffers, timing or which rank looks. All ranks get the same bits, in
 * every run. Between different numbers of ranks or different settings, sums of floating-point numbers may differ in the
 * last places. (Which of two different NaNs a sum keeps is up to the processor.)
 */
package org.ffmpi.collectives;
