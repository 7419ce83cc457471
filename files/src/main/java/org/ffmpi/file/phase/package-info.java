// SPDX-License-Identifier: Apache-2.0
/**
 * Collective accesses. {@link org.ffmpi.file.phase.AccessShape} decides how the ranks proceed, {@link
 * org.ffmpi.file.phase.TwoPhases} exchanges data through memory that they share.
 */
package org.ffmpi.file.phase;
