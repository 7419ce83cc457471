// SPDX-License-Identifier: Apache-2.0
/**
 * From memory that one plan describes to memory that another one describes, without a stream between.
 *
 * <p>There are four ways, and {@code Transfers} remembers which one a pair of plans takes: equal patterns go through
 * the pattern; nests of loops whose counts divide one another become one nest with two strides at each level; units
 * whose runs fit together again after a short period become a list of moves; for the rest two cursors go from run to
 * run.
 */
package org.ffmpi.datatype.plan.transfer;
