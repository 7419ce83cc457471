// SPDX-License-Identifier: Apache-2.0
/**
 * Every order that a program's messages can come in: a small engine whose ranks are threads that run one at a time, and
 * the exploration that runs a body again and again on it, each time with other choices.
 *
 * <p>{@link org.ffmpi.explore.Scheduler} runs one rank until it stands in a call that cannot go on, then the next. It
 * matches what can only be matched in one way at once. A choice is made when no rank can go on without one. Each
 * {@link org.ffmpi.explore.ChoicePoint} records which earlier choices it depends on; after a run, {@link
 * org.ffmpi.explore.OpenOrders} derives from these records which other results the choices could have had, and so
 * which runs are still to be made. Reasons are in decision 0025.
 */
package org.ffmpi.explore;
