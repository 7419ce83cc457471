// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.shm.ring.RecordReader;
import org.ffmpi.shm.ring.RingLayout;

/**
 * The reading end of the way from a rank on another node, which has the records of one packet after the other. The
 * length of each record is checked when the packet comes in. Used with the rank's lock held.
 */
final class WireReader extends RecordReader {
  private static final int LINE = 64;

  private final MirrorWords mirrors;
  private final int peer;
  private long at;
  private long end;
  private long records;
  private long bulk;

  WireReader(MirrorWords mirrors, int peer) {
    this.mirrors = mirrors;
    this.peer = peer;
  }

  /** Accepts the records of a packet, all of which are read before the next packet comes. */
  void accept(long packet, int bytes) {
    at = packet + PacketLayout.BYTES;
    end = packet + bytes;
    for (long slot = at; slot < end; slot += length(slot)) {
      long header = end - slot < EnvelopeLayout.PAYLOAD_OFFSET ? 0 : RingLayout.getPlainInfo(slot);
      int form = EnvelopeLayout.form(header);
      int kind = EnvelopeLayout.kind(form);
      long needed = kind == EnvelopeLayout.INLINE
          ? EnvelopeLayout.PAYLOAD_OFFSET + EnvelopeLayout.inlineLength(header) : RingLayout.SLOT_BYTES;
      if (kind == 0 || needed > end - slot || bulkBytes(slot) < 0 || needed + bulkBytes(slot) > end - slot) {
        at = end;
        throw new MpiException(
            ErrorClass.ERR_INTERN, "a packet from rank " + peer + " holds an impossible record: " + form);
      }
      if (kind != EnvelopeLayout.INLINE) { // which has a length in place of flags
        makeLocal(slot, form, kind);
      }
    }
  }

  /** Replaces references to memory of the sender's node. */
  private void makeLocal(long slot, int form, int kind) {
    if (kind == EnvelopeLayout.PIPED
        || kind == EnvelopeLayout.EAGER && (form & EnvelopeLayout.SYNCHRONOUS) != 0) {
      long mirror = mirrors.claim(
          peer, EnvelopeLayout.getPlainWord(slot), EnvelopeLayout.getPlainGeneration(slot));
      EnvelopeLayout.setPlainWord(slot, mirrors.offset(mirror), MirrorWords.generation(mirror), 0);
    }
    if ((form & EnvelopeLayout.SIGNED) != 0) {
      EnvelopeLayout.setPlainSignature(slot, EnvelopeLayout.getPlainHash(slot), 0);
    }
    if (kind == EnvelopeLayout.DIRECT || (form & EnvelopeLayout.STRIDED) != 0) {
      throw new MpiException(
          ErrorClass.ERR_INTERN, "rank " + peer + " on another node refers to memory that is not shared");
    }
  }

  /** Returns the bulk bytes behind a record, without the padding of their last line; negative if corrupt. */
  private static int bulkBytes(long slot) {
    int kind = EnvelopeLayout.kind(EnvelopeLayout.form(RingLayout.getPlainInfo(slot)));
    boolean chunked = kind == EnvelopeLayout.EAGER || kind == EnvelopeLayout.MORE;
    return chunked ? EnvelopeLayout.getPlainChunk(slot) : 0;
  }

  private static long length(long slot) {
    return RingLayout.SLOT_BYTES + (bulkBytes(slot) + LINE - 1 & -LINE);
  }

  @Override
  public long peek() {
    if (at >= end) {
      return 0;
    }
    info = RingLayout.getPlainInfo(at);
    return at;
  }

  @Override
  public long bulk(int offset, long bytes) {
    return offset == RingLayout.SLOT_BYTES && bytes >= 0 && bytes <= end - at - offset ? at + offset : 0;
  }

  @Override
  public void pop() {
    records++;
    at += length(at);
  }

  @Override
  public boolean pop(long bulkEnd) {
    bulk += bulkBytes(at);
    pop();
    return true;
  }

  @Override
  public long consumed() {
    return records;
  }

  @Override
  public long consumedBulk() {
    return bulk;
  }

  @Override
  public long owedBulk() {
    return 0;
  }

  @Override
  public boolean credit() {
    return false; // a packet is credited as a whole
  }

  @Override
  public String fault() {
    return null;
  }
}
