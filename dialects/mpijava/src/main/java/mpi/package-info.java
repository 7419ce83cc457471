// SPDX-License-Identifier: Apache-2.0

/**
 * The classes that programs for mpiJava 1.2 and MPJ Express import, over ffmpi.
 * The Javadoc of each method names its call of MPI; ffmpi's own API documents the call.
 */
package mpi;
