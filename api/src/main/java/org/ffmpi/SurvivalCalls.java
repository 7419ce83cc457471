// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;

/**
 * The calls of {@link Comm} that help when a process has failed, in a job with the setting {@code ffmpi.survive=on}.
 * They are those of ULFM, the proposed extension of the standard that Open MPI 5 has ({@code MPIX_}). In other jobs
 * they fail with ERR_UNSUPPORTED_OPERATION.
 *
 * {@snippet :
 * world.setErrhandler(Errhandler.RETURN);
 * IntraComm comm = world;
 * while (step < last) {
 *   try {
 *     exchange(comm, step++);
 *   } catch (MpiException e) {
 *     if (e.errorClass() != ErrorClass.ERR_PROC_FAILED && e.errorClass() != ErrorClass.ERR_REVOKED) {
 *       throw e;
 *     }
 *     comm.revoke();
 *     comm = comm.shrink();
 *     step = restore(comm);
 *   }
 * }
 * }
 *
 * <p>A process has failed when it has been killed, has ended before it finalized, or, where ranks are threads, has left
 * its body by an exception. A call that needs a failed process raises ERR_PROC_FAILED; others continue. On a
 * communicator with a failed member no collective works any more. A call raises the error that it finds; errors go
 * through the communicator's error handler, which ends the job unless the program has set another one.
 */
public sealed interface SurvivalCalls permits Comm {
  /**
   * Revokes the communicator ({@code MPIX_Comm_revoke}). One rank is enough, and all others get to know: whatever they
   * have pending on it, and all later calls but {@link #agree}, {@link Comm#shrink} and those that only look, raise
   * ERR_REVOKED. Local; revoking again does nothing.
   *
   * @throws MpiException ERR_UNSUPPORTED_OPERATION in a job that ends with its first dead rank
   */
  void revoke();

  /**
   * Returns whether the communicator has been revoked ({@code MPIX_Comm_is_revoked}). Local.
   *
   * @return true once this rank knows it
   * @throws MpiException ERR_UNSUPPORTED_OPERATION in a job that ends with its first dead rank
   */
  boolean isRevoked();

  /**
   * Returns the processes of the communicator that are known to have failed ({@code MPIX_Comm_get_failed}), of both
   * groups where it lies between two. Local. Later calls only add to the end, and the order is that of all ranks.
   *
   * @return a group, empty while all live
   * @throws MpiException ERR_UNSUPPORTED_OPERATION in a job that ends with its first dead rank
   */
  Group getFailed();

  /**
   * Acknowledges failures ({@code MPIX_Comm_ack_failed}): receives from any source do not report them any more, nor
   * does {@link #agree} once all ranks have acknowledged them. Local.
   *
   * @param count how many of {@link #getFailed}, from the first on; acknowledged failures stay acknowledged
   * @return how many are acknowledged now
   * @throws MpiException ERR_ARG when the count is negative; ERR_UNSUPPORTED_OPERATION in a job that ends with its
   *     first dead rank
   */
  int ackFailed(int count);

  /**
   * Agrees with all ranks that live ({@code MPIX_Comm_agree}). Collective; works on a revoked communicator and with
   * failed members, also with further failures meanwhile. All ranks that return get the same value, or all the same
   * error.
   *
   * @param flag what this rank contributes
   * @return the bitwise and of the flags of all ranks, without those that failed before they contributed
   * @throws MpiException ERR_PROC_FAILED, at all ranks, when a member has failed that not all ranks had acknowledged;
   *     {@link #iagree} has the value all the same. ERR_PROC_ABORTED when a rank has finalized instead, ERR_OTHER when
   *     one calls {@link Comm#shrink} instead; ERR_UNSUPPORTED_OPERATION in a job that ends with its first dead rank
   */
  int agree(int flag);

  /**
   * Starts to agree and returns at once ({@code MPIX_Comm_iagree}). Collective, as {@link #agree}.
   *
   * @param flag its first element is what this rank contributes, and is the result once the request is complete, also
   *     with ERR_PROC_FAILED
   * @return the request
   * @throws MpiException ERR_ARG when there is no such element; ERR_UNSUPPORTED_OPERATION in a job that ends with its
   *     first dead rank
   */
  Request iagree(int[] flag);
}
