// SPDX-License-Identifier: Apache-2.0
/**
 * The receiver of calls that the profiling agent reports, and that of objects' lifetimes where everything is checked,
 * for ffmpi's own modules only. Of the agent's part only the agent's sources name it: its callers are methods that the
 * agent has rewritten.
 */
package org.ffmpi.base.hook;
