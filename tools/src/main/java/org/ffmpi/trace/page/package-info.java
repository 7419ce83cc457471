// SPDX-License-Identifier: Apache-2.0
/**
 * The page that shows a trace: one file of HTML that opens alone. {@link org.ffmpi.trace.page.TimelinePage} puts it
 * together from the template, style and scripts beside it and from {@link org.ffmpi.trace.page.PageData}: texts and
 * tables as JSON, calls as columns of numbers, and levels of detail for the parts of a view that hold more calls than
 * pixels.
 */
package org.ffmpi.trace.page;
