// SPDX-License-Identifier: Apache-2.0
/**
 * Requests, lists of them, and waiting for them. A request is a thin object around an operation of an engine, with the
 * status and the errors that a program sees.
 *
 * <p>The rooms for messages and collectives make requests; the interfaces of {@code org.ffmpi} wait for them. This room
 * may know the state of a communicator, the world of the process, and the ports.
 */
package org.ffmpi.request;
