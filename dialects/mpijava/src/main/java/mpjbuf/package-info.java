// SPDX-License-Identifier: Apache-2.0

/** Types of MPJ Express's package {@code mpjbuf} that programs name by mistake; its buffers are not here. */
package mpjbuf;
