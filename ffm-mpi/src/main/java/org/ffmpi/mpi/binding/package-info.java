// SPDX-License-Identifier: Apache-2.0
/**
 * The C library's MPI: how it is found and loaded, its numbers, and its calls.
 *
 * <p>There are three ABIs: that of MPI-5, MPICH's, and Open MPI's. {@link org.ffmpi.mpi.binding.MpiLibrary} finds the
 * library and says which of them it has; {@link org.ffmpi.mpi.binding.AbiValue} is the table of what differs, a row for
 * each number and handle; {@link org.ffmpi.mpi.binding.MpiConstants} are those of the library that is loaded, as
 * constants of the JIT. The calls are static methods in classes that begin with {@code Native}, by topic. Each method
 * is linked when it is called for the first time.
 *
 * <p>All handles are {@code long}s, whether the library has them as ints or as pointers. All addresses are absolute
 * ones of native memory, which the caller keeps reachable. A call returns the library's error code, which {@link
 * org.ffmpi.mpi.binding.NativeErrors} turns into an exception. Nothing here is exported or checks arguments: the
 * engine is the only caller.
 */
package org.ffmpi.mpi.binding;
