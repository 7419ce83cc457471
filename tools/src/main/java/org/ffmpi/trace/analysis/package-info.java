// SPDX-License-Identifier: Apache-2.0
/**
 * The findings of a trace: which send met which receive ({@link org.ffmpi.trace.analysis.MessageMatcher}), how long
 * each call waited and for whom ({@link org.ffmpi.trace.analysis.CallWaits}), and tables and sentences made of both.
 * {@link org.ffmpi.trace.analysis.TraceAnalysis} holds all of it. Nothing here runs while a trace is recorded.
 */
package org.ffmpi.trace.analysis;
