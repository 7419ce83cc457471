// SPDX-License-Identifier: Apache-2.0

/** What programs of MPJ Express name of its package {@code xdev}. */
package xdev;
