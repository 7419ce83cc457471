// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

/**
 * An access to this rank's part, as its {@link AccessRequest} describes it.
 *
 * @param kind kind of the request
 * @param tag tag of the messages that belong to it
 * @param flags flags of the request
 * @param peer peer number of the origin
 * @param position position of the first element
 * @param count number of elements
 * @param bytes packed length of the elements
 * @param op number of an operation
 * @param unit code of what it combines
 */
record ServedAccess(int kind, int tag, int flags, int peer, long position, long count, long bytes, int op, int unit) {
  /**
   * Reads an access out of a request.
   *
   * @param request address of the request
   */
  static ServedAccess of(long request, int peer) {
    return new ServedAccess(
        RequestLayout.getPlainKind(request), RequestLayout.getPlainTag(request), RequestLayout.getPlainFlags(request),
        peer, RequestLayout.getPlainPosition(request), RequestLayout.getPlainCount(request),
        RequestLayout.getPlainDataBytes(request), RequestLayout.getPlainOperation(request),
        RequestLayout.getPlainUnit(request));
  }

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** Returns whether data follow the request in a message of their own. */
  boolean isFollowed() {
    return (kind == AccessRequest.PUT || has(AccessRequest.HAS_DATA)) && !has(AccessRequest.DATA_INSIDE);
  }

  /** Returns whether the origin waits for a message with elements of the part. */
  boolean isAnswered() {
    return kind == AccessRequest.GET || has(AccessRequest.WANTS_RESULT);
  }
}
