// SPDX-License-Identifier: Apache-2.0
/**
 * The wire, which is the way to ranks on other nodes. {@link org.ffmpi.shm.wire.Wire} is the port; an engine over an
 * installed C library implements it, and {@link org.ffmpi.shm.wire.LoopWire} does so within one process.
 */
package org.ffmpi.shm.wire;
