// SPDX-License-Identifier: Apache-2.0
/**
 * Schedules: the steps of one rank in one call, over symbolic buffers. A schedule names ranks and units, but no peers,
 * addresses, types or tags, so that it serves every call of the same shape, and is cached. Knows the ports only.
 */
package org.ffmpi.collectives.schedule;
