// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

/**
 * The constructor of a datatype and the numbers of its arguments ({@code MPI_Type_get_envelope}, MPI-4.1 §5.1.13).
 *
 * @param combiner the constructor that was called
 * @param integers number of integers among its arguments
 * @param addresses number of displacements, strides and bounds in bytes
 * @param datatypes number of datatypes
 */
public record TypeEnvelope(Combiner combiner, long integers, long addresses, long datatypes) {}
