// SPDX-License-Identifier: Apache-2.0
/**
 * Rings in shared memory, each with one writer and one reader.
 *
 * <p>A ring is an array of slots, two cache lines each, and an area of bulk bytes that slots refer to. A record is a
 * slot with 124 bytes of its own and, if it needs more, a run of bulk bytes, which never wraps. Both are used and given
 * back in order.
 *
 * <p>Three decisions make the design. The <em>sequence number lies in the slot</em>, so that a small record costs the
 * transfer of a single line. It <em>grows with each write of the slot</em>, so that nothing is ever cleared: slots have
 * fixed places, and a stale number is always an older one. Bulk bytes lie <em>apart</em>, so that payload is never
 * mistaken for a sequence number, and small records pass when payload does not fit.
 *
 * <p>Both ends are wait-free. Neither interprets the bytes.
 */
package org.ffmpi.shm.ring;
