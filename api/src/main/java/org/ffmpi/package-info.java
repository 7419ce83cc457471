// SPDX-License-Identifier: Apache-2.0
/**
 * MPI for Java: what a program is written against.
 *
 * {@snippet :
 * public static void main(String[] args) {
 *   Mpi.run(args, mpi -> {
 *     IntraComm world = mpi.world();
 *     int[] token = {world.rank()};
 *     world.allreduce(Buf.of(token), Op.SUM);
 *     System.out.printf("rank %d of %d: the ranks add up to %d%n", world.rank(), world.size(), token[0]);
 *   });
 * }
 * }
 *
 * <p>{@link org.ffmpi.Mpi} is a rank's environment, {@link org.ffmpi.Comm} a communicator with all the calls that move
 * data, {@link org.ffmpi.Buf} a buffer of any memory, {@link org.ffmpi.Requests} a scope for nonblocking operations,
 * {@link org.ffmpi.Win} memory that others access, {@link org.ffmpi.MpiFile} a file of all ranks. Datatypes are in
 * {@link org.ffmpi.datatype}, constants and errors in {@link org.ffmpi.base}.
 *
 * <h2>Names</h2>
 * A name of C becomes a name here by dropping {@code MPI_} and the object's prefix; the first handle becomes the
 * receiver, a single result is returned, a flag is a boolean or an {@code Optional}: {@code MPI_Comm_rank(comm, &rank)}
 * is {@code comm.rank()}. Where that is not possible or not Java:
 *
 * <table>
 *   <caption>Exceptions to the rule</caption>
 *   <tr><th>C</th><th>Java</th><th>because</th></tr>
 *   <tr><td>{@code MPI_Wait}</td><td>{@code request.await()}</td><td>{@code wait} belongs to {@code Object}</td></tr>
 *   <tr><td>{@code MPI_Finalize}</td><td>{@code mpi.close()}</td><td>try-with-resources</td></tr>
 *   <tr><td>{@code MPI_Test_cancelled}</td><td>{@code status.isCancelled()}</td><td>a property of the status</td></tr>
 *   <tr><td>{@code MPI_IN_PLACE}</td><td>the form with one buffer, or {@code Buf.inPlace()}</td><td>shorter</td></tr>
 *   <tr><td>{@code MPI_STATUS_IGNORE}</td><td>the form without a status</td><td>overloading</td></tr>
 *   <tr><td>{@code MPI_REQUEST_NULL}</td><td>{@code null} in a list, an inactive request</td><td>no handles</td></tr>
 *   <tr><td>{@code MPI_Alloc_mem}</td><td>{@code mpi.shared().allocate(…)}</td><td>an allocator of segments</td></tr>
 *   <tr><td>{@code MPI_Comm_get_name}, {@code MPI_Get_processor_name}, {@code MPI_Query_thread}</td>
 *       <td>{@code name()}, {@code processorName()}, {@code threadLevel()}</td><td>plain properties</td></tr>
 * </table>
 */
package org.ffmpi;
