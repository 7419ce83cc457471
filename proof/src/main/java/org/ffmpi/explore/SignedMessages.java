// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.plan.ObjectSignature;
import org.ffmpi.datatype.plan.StreamSignature;
import org.ffmpi.spi.Engine;

/**
 * Messages that carry their signature, as those of objects do, and all where everything is checked or orders are
 * explored. In the latter case bytes match everything, since the library sends packed copies as bytes.
 */
final class SignedMessages {
  private static final StreamSignature BYTES = TypeHandle.planOf(Datatype.BYTE).signature();

  private SignedMessages() {}

  /**
   * Returns the signature that a message carries, or null for none.
   *
   * @param exploring whether all messages carry one but those of bytes
   * @param checking whether those of bytes do, too
   */
  static StreamSignature of(Plan plan, int mode, long bytes, boolean exploring, boolean checking) {
    StreamSignature signature = plan.signature();
    boolean carried = checking || (mode & Engine.SIGNED) != 0 || signature == ObjectSignature.OBJECT
        || exploring && !isOfBytes(signature, bytes);
    return signature == null || !carried || signature.matchesAnything() ? null : signature;
  }

  private static boolean isOfBytes(StreamSignature signature, long bytes) {
    return signature == null || signature.hash(bytes) == BYTES.hash(bytes);
  }

  /** Returns the error of a receive that expects other types than a signed message has, or null. */
  static MpiException compare(ExploredMessage message, Plan plan, boolean checking) {
    StreamSignature own = plan.signature();
    String what = "message of " + message.bytes + " bytes from rank " + message.from + " with tag " + message.tag;
    if (ObjectSignature.isHash(message.signature) && own != ObjectSignature.OBJECT) {
      return new MpiException(
          ErrorClass.ERR_TYPE, what + " is an object, which recvObject and its like receive");
    }
    return own == null || own.matchesAnything() || !checking && isOfBytes(own, message.bytes)
        || own.hash(message.bytes) == message.signature
        ? null
        : new MpiException(ErrorClass.ERR_TYPE, what + " carries elements of " + message.types
            + ", but the receive expects " + own.text(message.bytes));
  }
}
