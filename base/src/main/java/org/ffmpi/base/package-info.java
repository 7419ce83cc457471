// SPDX-License-Identifier: Apache-2.0
/**
 * The parts that all of ffmpi shares: {@link org.ffmpi.base.MpiException} and the {@link org.ffmpi.base.ErrorClass
 * error classes}, the {@link org.ffmpi.base.Constants constants} of MPI, {@link org.ffmpi.base.Attributes attributes},
 * the registry of {@link org.ffmpi.base.Setting settings}, and the definitions of
 * {@link org.ffmpi.base.Measure measures} and {@link org.ffmpi.base.Incident incidents}.
 */
package org.ffmpi.base;
