// SPDX-License-Identifier: Apache-2.0
/**
 * Accesses of one rank. {@link org.ffmpi.file.access.OpenFile} is the system's file, {@link
 * org.ffmpi.file.access.ElementStream} the memory, {@link org.ffmpi.file.access.RankAccess} moves bytes between both.
 */
package org.ffmpi.file.access;
