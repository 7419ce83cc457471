// SPDX-License-Identifier: Apache-2.0
/**
 * Sentences about the reasons why a job does not move. {@link org.ffmpi.shm.diagnosis.JobState} has the accounts of all
 * ranks, {@link org.ffmpi.shm.diagnosis.Diagnosis} explains them, {@link org.ffmpi.shm.diagnosis.Standstill} detects
 * that nothing moves. The room knows no processes.
 */
package org.ffmpi.shm.diagnosis;
