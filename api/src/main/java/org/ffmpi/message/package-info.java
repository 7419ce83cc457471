// SPDX-License-Identifier: Apache-2.0
/**
 * Messages between two ranks: sends, receives, probes, buffered mode, combined calls, persistent and partitioned
 * messages. Arguments are checked once, ranks become peers, and the engine gets flat arguments.
 *
 * <p>The point-to-point interfaces of {@code org.ffmpi} call this room through the objects that a communicator holds.
 * It may know requests, buffers, the state of a communicator, the world of the process, and the ports. Any thread may
 * call.
 */
package org.ffmpi.message;
