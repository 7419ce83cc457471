// SPDX-License-Identifier: Apache-2.0
/**
 * The recording of a job's calls. {@link org.ffmpi.trace.TraceLayer} puts {@link org.ffmpi.trace.ObservedEngine} and
 * {@link org.ffmpi.trace.ObservedCollectives} over engine and collectives of a rank whose settings ask for that;
 * {@link org.ffmpi.trace.CallRecorder} finds where a call comes from and writes it into the rank's
 * {@link org.ffmpi.trace.TraceBuffer}; {@link org.ffmpi.trace.TraceFolder} reads the buffers of all ranks once they
 * have ended, and {@link org.ffmpi.trace.TracePages} shows them. {@link org.ffmpi.trace.FlightLayer} makes events of
 * flight recordings of the same calls.
 */
package org.ffmpi.trace;
