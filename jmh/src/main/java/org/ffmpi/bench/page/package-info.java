// SPDX-License-Identifier: Apache-2.0
/**
 * Makes a page out of figures: plots, tables and text. Knows nothing of how the figures were measured; the page is a
 * function of the file of figures alone.
 */
package org.ffmpi.bench.page;
