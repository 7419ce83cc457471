// SPDX-License-Identifier: Apache-2.0
/**
 * What the profiling agent makes calls report to, for ffmpi's own modules only. No source names it but the agent's: its
 * callers are methods that the agent has rewritten.
 */
package org.ffmpi.base.hook;
