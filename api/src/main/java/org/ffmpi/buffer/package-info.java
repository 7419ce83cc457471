// SPDX-License-Identifier: Apache-2.0
/**
 * Buffers and their memory: the class behind {@code Buf}, its checks, blocks cut from it, packing, and the memory of
 * buffered mode.
 *
 * <p>The rooms for messages and collectives and the interfaces of {@code org.ffmpi} call this room. It may know
 * datatypes and their plans, raw memory, and the values of the ports.
 */
package org.ffmpi.buffer;
