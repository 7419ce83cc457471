// SPDX-License-Identifier: Apache-2.0
/**
 * Rings: one writer, one reader, in shared memory.
 *
 * <p>A ring is an array of slots, two cache lines each, and an area of bulk bytes that slots refer to. A record is a
 * slot with 124 bytes of its own and, if it needs more, a run of bulk bytes; the run never wraps. Both are used in
 * order and given back in order.
 *
 * <p>The design in three decisions. The <em>sequence number lies in the slot</em>, so that a small record costs the
 * transfer of a single line. It <em>grows with each write of the slot</em>, so that nothing is ever cleared: the slots'
 * places are fixed, and a stale number can only be an older one. Bulk bytes lie <em>apart</em>, so that payload is
 * never mistaken for a sequence number, and small records pass when payload does not fit.
 *
 * <p>Both ends are wait-free. Neither knows what the bytes mean.
 */
package org.ffmpi.shm.ring;
