// SPDX-License-Identifier: Apache-2.0
/**
 * Copies from memory that one plan describes to memory that another one describes, without a stream between.
 *
 * <p>There are four transfers, and {@code Transfers} caches the choice for a pair of plans: equal patterns are moved
 * through the pattern; nests of loops whose counts divide one another become one nest with two strides at each level;
 * units whose runs fit together again after a short period become a list of moves; all others are moved by two cursors
 * from run to run.
 */
package org.ffmpi.datatype.plan.transfer;
