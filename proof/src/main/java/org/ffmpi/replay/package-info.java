// SPDX-License-Identifier: Apache-2.0
/**
 * Record and replay: a layer over the engine of a rank that writes down what each choice between right outcomes gave,
 * and one that gives the same again. {@link org.ffmpi.replay.RecordReplayLayer} puts one of them over an engine,
 * {@link org.ffmpi.replay.RecordingEngine} or {@link org.ffmpi.replay.ReplayingEngine}; files are written by
 * {@link org.ffmpi.replay.ChoiceLog} and read by {@link org.ffmpi.replay.StreamReader}, in the format of
 * {@link org.ffmpi.replay.RecordingFormat}. Why it is as it is: docs/decisions/0026-record-and-replay.md.
 */
package org.ffmpi.replay;
