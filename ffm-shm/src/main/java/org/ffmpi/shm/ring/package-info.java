// SPDX-License-Identifier: Apache-2.0
/**
 * Rings: one writer, one reader, in shared memory.
 *
 * <p>A ring is an array of slots, two cache lines each, and an area of bulk bytes that slots refer to. A record is a
 * slot with 124 bytes of its own and, if it needs more, a run of bulk bytes; the run never wraps. Both are used in
 * order and given back in order.
 *
 * <p>The design in three decisions. The <em>flag lies in the slot</em>, so that a small record costs the transfer of a
 * single line. The flag is the <em>number of the lap</em>, so that nothing is ever cleared: the slots' places are fixed
 * and a stale flag can only be an older lap's. Bulk bytes lie <em>apart</em>, so that payload can never be mistaken for
 * a flag and envelopes pass when payload does not fit.
 *
 * <p>Both ends are wait-free. Neither knows what the bytes mean.
 */
package org.ffmpi.shm.ring;
