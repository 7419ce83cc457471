// SPDX-License-Identifier: Apache-2.0
/**
 * The executor over ranks. The master's {@code TaskPool} sends tasks from the threads that submit them, and receives
 * results on a thread of its own; {@code TaskServer} is a worker. Both are programs like any other: they use the public
 * calls of a communicator, and the codec of tasks.
 */
package org.ffmpi.executor;
