// SPDX-License-Identifier: Apache-2.0
/**
 * The objects behind communicators. {@link org.ffmpi.communicator.CommImpl} is behind every {@code Comm} and has one
 * object for each topic: properties, groups, contexts, making and splitting, topologies, the end. The topics share
 * {@link org.ffmpi.process.CommState}.
 *
 * <p>The interfaces of {@code org.ffmpi} call this room. It may know the rooms for messages, collectives and
 * topologies, the world of the process, and the ports; it knows no engine.
 */
package org.ffmpi.communicator;
