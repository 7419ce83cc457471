// SPDX-License-Identifier: Apache-2.0
/**
 * The executor: binds a schedule to the buffers of one call and carries its steps out. {@code Execution} drives them;
 * {@code MessageSteps} takes those that are messages, {@code RegionSteps} those in a region, {@code LocalSteps} copies
 * and combines. Short calls over a region need no schedule: {@code FlatExchange} carries them out, once for blocking
 * calls, and again and again for a {@code FlatPersistent}.
 */
package org.ffmpi.collectives.execute;
