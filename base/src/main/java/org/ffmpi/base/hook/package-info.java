// SPDX-License-Identifier: Apache-2.0
/**
 * The receiver of calls that the profiling agent reports, for ffmpi's own modules only. Only the agent's sources name
 * it: its callers are methods that the agent has rewritten.
 */
package org.ffmpi.base.hook;
