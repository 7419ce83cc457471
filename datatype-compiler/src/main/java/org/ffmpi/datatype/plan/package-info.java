// SPDX-License-Identifier: Apache-2.0
/**
 * The datatype compiler: from the shape of an element to the plan that moves elements, and the kernels it moves them
 * with. For engines and collectives; programs use {@link org.ffmpi.datatype.plan.Plan#toString} at most.
 */
package org.ffmpi.datatype.plan;
