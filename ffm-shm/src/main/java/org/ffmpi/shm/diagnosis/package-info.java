// SPDX-License-Identifier: Apache-2.0
/**
 * Why a job does not move, in sentences: {@link org.ffmpi.shm.diagnosis.JobState} is what all ranks say at one moment,
 * {@link org.ffmpi.shm.diagnosis.Diagnosis} explains it, {@link org.ffmpi.shm.diagnosis.Standstill} finds out that
 * nothing moves. Knows no processes.
 */
package org.ffmpi.shm.diagnosis;
