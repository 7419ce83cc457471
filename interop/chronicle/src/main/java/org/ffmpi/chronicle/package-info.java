// SPDX-License-Identifier: Apache-2.0
/**
 * For programs that hold their data in Chronicle Bytes: {@link org.ffmpi.chronicle.ChronicleBuf} makes buffers for
 * messages of it, without a copy, and lets Chronicle read and write shared memory.
 *
 * <p>Chronicle Bytes reaches into the JDK, which has to be allowed: {@code mpirun --chronicle} starts the ranks with
 * what it needs; the user guide names the options for programs that are started in another way.
 */
package org.ffmpi.chronicle;
