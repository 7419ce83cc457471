// SPDX-License-Identifier: Apache-2.0

/** What programs of MPJ Express name of its package {@code mpjbuf} by mistake: not its buffers. */
package mpjbuf;
