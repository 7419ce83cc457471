// SPDX-License-Identifier: Apache-2.0
/**
 * Shared regions of communicators: memory in which each rank has slots for what it publishes. {@code RegionLayout}
 * names every word; nothing that is read from a region is used before it is checked.
 */
package org.ffmpi.collectives.region;
