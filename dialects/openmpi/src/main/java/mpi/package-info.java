// SPDX-License-Identifier: Apache-2.0

/**
 * The classes that programs for Open MPI's Java bindings import, over ffmpi.
 * Each method says which call of MPI it is; what the call does is in the documentation of ffmpi's own API.
 */
package mpi;
