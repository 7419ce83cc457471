// SPDX-License-Identifier: Apache-2.0
/**
 * The parts that all of ffmpi shares: {@link org.ffmpi.base.MpiException} and the {@link org.ffmpi.base.ErrorClass
 * error classes}, the {@link org.ffmpi.base.Constants constants} of MPI, {@link org.ffmpi.base.Attributes attributes},
 * and the registries of {@link org.ffmpi.base.Setting settings} and {@link org.ffmpi.base.Counter counters}.
 */
package org.ffmpi.base;
