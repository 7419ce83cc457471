// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.message;

import org.ffmpi.Buf;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.process.CommState;

/** Checks memory, ranks and tags of messages. Errors go through the communicator's error handler. */
public final class EnvelopeChecks {
  private final CommState state;

  public EnvelopeChecks(CommState state) {
    this.state = state;
  }

  /** Checks all arguments of a send and returns whether it goes to PROC_NULL; throws errors. */
  public boolean isSendToNobody(Object buf, int dest, int tag) {
    state.checkCommunication();
    checkMemory(state, buf, false);
    if (dest != Constants.PROC_NULL && (dest < 0 || dest >= size())) {
      throw state.raise(MpiException.argument(ErrorClass.ERR_RANK, "dest", dest, ranks() + " or PROC_NULL"));
    }
    if (tag < 0) {
      throw state.raise(MpiException.argument(ErrorClass.ERR_TAG, "tag", tag, "0.." + Integer.MAX_VALUE));
    }
    return dest == Constants.PROC_NULL;
  }

  /** Checks all arguments of a receive and returns whether it comes from PROC_NULL; throws errors. */
  public boolean isReceiveFromNobody(Object buf, int source, int tag) {
    state.checkCommunication();
    checkMemory(state, buf, true);
    return isEnvelopeOfNobody(source, tag);
  }

  /** Checks source and tag of a receive or a probe and returns whether the source is PROC_NULL; throws errors. */
  boolean isEnvelopeOfNobody(int source, int tag) {
    state.checkCommunication();
    if (source != Constants.PROC_NULL && source != Constants.ANY_SOURCE && (source < 0 || source >= size())) {
      throw state.raise(
          MpiException.argument(ErrorClass.ERR_RANK, "source", source, ranks() + ", ANY_SOURCE or PROC_NULL"));
    }
    if (tag < 0 && tag != Constants.ANY_TAG) {
      throw state.raise(MpiException.argument(
          ErrorClass.ERR_TAG, "tag", tag, "0.." + Integer.MAX_VALUE + " or ANY_TAG"));
    }
    if (state.world.isChecking()) {
      MpiException broken = state.hints().brokenBy(source, tag);
      if (broken != null) {
        throw state.raise(broken);
      }
    }
    return source == Constants.PROC_NULL;
  }

  /** Throws when a message cannot be sent from a buffer or an array, or not be received into it. */
  static void checkMemory(CommState state, Object memory, boolean receive) {
    if (memory == null) {
      throw state.raise(MpiException.argument(ErrorClass.ERR_BUFFER, "buffer", null, "an array or a Buf"));
    }
    if (memory instanceof Buf<?> buf) {
      MpiException unusable = BufImpl.of(buf).unusable("buffer", receive);
      if (unusable != null) {
        throw state.raise(unusable);
      }
    }
  }

  private int size() {
    return state.channel.remote().size();
  }

  /** Returns the allowed ranks, for messages. */
  String ranks() {
    return size() == 1 ? "0" : "0.." + (size() - 1);
  }
}
