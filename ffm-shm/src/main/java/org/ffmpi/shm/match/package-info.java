// SPDX-License-Identifier: Apache-2.0
/**
 * The two queues of matching, posted receives and unexpected messages. {@link org.ffmpi.shm.match.Matcher} searches
 * both; the engine's receives and messages extend the two queued types, so that queueing makes no objects.
 */
package org.ffmpi.shm.match;
