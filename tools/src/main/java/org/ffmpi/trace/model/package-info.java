// SPDX-License-Identifier: Apache-2.0
/**
 * The contents of a trace once it has been read: the calls of all ranks, as plain values. {@link
 * org.ffmpi.trace.model.JobRecording} is the whole; the reader of a trace's files makes it, and everything that shows a
 * trace takes it.
 */
package org.ffmpi.trace.model;
