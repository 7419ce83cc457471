// SPDX-License-Identifier: Apache-2.0
/**
 * The installed MPI of the C library, with its numbers and its calls.
 *
 * <p>There are three ABIs: that of MPI-5, MPICH's, and Open MPI's. {@link org.ffmpi.mpi.binding.MpiLibrary} finds the
 * library and its ABI; {@link org.ffmpi.mpi.binding.AbiValue} is the table of differences, with a row for each number
 * and handle; {@link org.ffmpi.mpi.binding.MpiConstants} has the column of the library that is loaded, as constants of
 * the JIT. The calls are static methods in classes that begin with {@code Native}, by topic. The functions of a class
 * are linked when the class is first used.
 *
 * <p>Handles are {@code long}s, whether they are ints or pointers in C. Addresses are absolute ones of native memory,
 * which the caller keeps reachable. A call returns the library's error code, which {@link
 * org.ffmpi.mpi.binding.NativeErrors} turns into an exception. Nothing here is exported or checks arguments: the
 * engine is the only caller.
 */
package org.ffmpi.mpi.binding;
