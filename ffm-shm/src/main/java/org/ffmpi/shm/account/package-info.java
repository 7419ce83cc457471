// SPDX-License-Identifier: Apache-2.0
/**
 * The account of a rank that waits for long, in the segment. {@link org.ffmpi.shm.account.RankAccount} is the value,
 * {@link org.ffmpi.shm.account.AccountLayout} its place; {@link org.ffmpi.shm.account.AccountBlock} writes and reads
 * it.
 */
package org.ffmpi.shm.account;
