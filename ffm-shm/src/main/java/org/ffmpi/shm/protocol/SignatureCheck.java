// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.plan.ObjectSignature;
import org.ffmpi.datatype.plan.StreamSignature;
import org.ffmpi.shm.memory.TypeRecords;
import org.ffmpi.shm.progress.OpenChannels;

/** Compares the signatures of a matched message and its receive, where types are checked. */
final class SignatureCheck {
  private final OpenChannels channels;
  private final TypeRecords types;

  SignatureCheck(OpenChannels channels, TypeRecords types) {
    this.channels = channels;
    this.types = types;
  }

  /**
   * Checks a matched receive. A message that differs is not stored, and the receive ends with ERR_TYPE; one that is
   * shorter than a promised length ends with ERR_COUNT.
   *
   * @param hash hash of the message's basic types
   * @param record offset of the record that names them
   */
  void check(RecvOp op, long hash, long record) {
    long total = op.matchedBytes();
    if (total < op.capacity() && channels.isExactLength(op.context())) {
      op.reject(new MpiException(
          ErrorClass.ERR_COUNT,
          text(op) + " for a receive buffer of " + op.capacity()
              + " bytes: the communicator has the hint mpi_assert_exact_length = true"));
      return;
    }
    StreamSignature own = op.plan().signature();
    if (ObjectSignature.isHash(hash) && own != ObjectSignature.OBJECT) {
      op.reject(new MpiException(
          ErrorClass.ERR_TYPE, text(op) + " is an object, which recvObject and its like receive"));
    } else if (own != null && !own.matchesAnything() && total <= op.capacity() && own.hash(total) != hash) {
      String sent = record == 0 ? "other types" : types.text(record); // from another node only the hash is known
      op.reject(new MpiException(
          ErrorClass.ERR_TYPE,
          text(op) + " carries elements of " + (sent.endsWith(")") ? sent : "(" + sent + ")")
              + ", but the receive expects "
              + own.text(total)));
    }
  }

  private static String text(RecvOp op) {
    return "message of " + op.matchedBytes() + " bytes from rank " + op.matchedPeer() + " with tag " + op.matchedTag();
  }
}
