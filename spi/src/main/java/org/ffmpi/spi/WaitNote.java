// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import org.ffmpi.base.Constants;

/** The description of one wait, filled by a {@link WaitSubject}. Used by one thread at a time. */
public final class WaitNote {
  /** The kinds of waits. */
  public enum Kind {
    /** Anything without a description. */
    OTHER,
    /** The receive that matches a send of this rank. */
    SEND,
    /** A message that a receive is posted for. */
    RECEIVE,
    /** A message that a probe looks for. */
    PROBE,
    /** The first of several operations. */
    ANY,
    /** Another rank's part in a collective call. */
    COLLECTIVE,
    /** The end of all sends of this rank. */
    FLUSH,
    /** The lock of another rank's part of a window. */
    LOCK,
    /** Another rank's post of its part of a window. */
    POST,
    /** The ends of other ranks' access epochs to this rank's part of a window. */
    COMPLETES
  }

  /** The detail of a wait for a shared lock. */
  public static final int SHARED = 0;

  /** The detail of a wait for an exclusive lock. */
  public static final int EXCLUSIVE = 1;

  private Kind kind = Kind.OTHER;
  private int peer = Constants.ANY_SOURCE;
  private int tag = Constants.ANY_TAG;
  private long context = -1;
  private long bytes = -1;
  private Collective collective;
  private int root = -1;

  /** Creates a note without a description. */
  public WaitNote() {}

  /**
   * Describes a wait without further facts.
   *
   * @param what its kind
   */
  public void kind(Kind what) {
    kind = what;
  }

  /**
   * Describes a wait for a message, or for its receipt.
   *
   * @param what SEND, RECEIVE or PROBE
   * @param other the other rank as a peer, or ANY_SOURCE
   * @param messageContext its matching context
   * @param messageTag its tag, or ANY_TAG
   * @param length its bytes, of a receive those that fit; -1 when that is not known
   */
  public void message(Kind what, int other, long messageContext, int messageTag, long length) {
    kind = what;
    peer = other;
    context = messageContext;
    tag = messageTag;
    bytes = length;
  }

  /**
   * Describes the collective call that the wait is part of; the description of a peer stays.
   *
   * @param operation the operation
   * @param callContext matching context of the call
   * @param number the number of the call on its communicator, which is the tag of its messages
   * @param callRoot its root, or -1
   * @param length bytes of one contribution, or -1
   */
  public void collective(Collective operation, long callContext, int number, int callRoot, long length) {
    kind = Kind.COLLECTIVE;
    collective = operation;
    context = callContext;
    tag = number;
    root = callRoot;
    bytes = length;
  }

  /**
   * Describes the wait of a synchronization call of a window.
   *
   * @param what LOCK, POST or COMPLETES
   * @param other the rank whose part or call it is, as a peer, or ANY_SOURCE
   * @param windowContext the number of the window's channel
   * @param detail of LOCK {@link #EXCLUSIVE}, {@link #SHARED} or ANY_TAG, of COMPLETES the missing ones or ANY_TAG
   */
  public void epoch(Kind what, int other, long windowContext, int detail) {
    kind = what;
    peer = other;
    context = windowContext;
    tag = detail;
    bytes = -1;
  }

  /**
   * Names the rank that the wait is for.
   *
   * @param other a peer, or ANY_SOURCE for more than one
   */
  public void peer(int other) {
    peer = other;
  }

  /**
   * Returns the kind of the wait.
   *
   * @return OTHER until it is described
   */
  public Kind kind() {
    return kind;
  }

  /**
   * Returns the rank that the wait is for.
   *
   * @return a peer, or ANY_SOURCE
   */
  public int peer() {
    return peer;
  }

  /**
   * Returns the tag of the message, the number of the collective call, or the detail of {@link #epoch}.
   *
   * @return a tag, or ANY_TAG
   */
  public int tag() {
    return tag;
  }

  /**
   * Returns the matching context.
   *
   * @return a context, or -1
   */
  public long context() {
    return context;
  }

  /**
   * Returns the length of the message, or of one contribution.
   *
   * @return bytes, or -1
   */
  public long bytes() {
    return bytes;
  }

  /**
   * Returns the operation of the collective call.
   *
   * @return the operation, or null where the wait is in no collective call or that is not known
   */
  public Collective collective() {
    return collective;
  }

  /**
   * Returns the root of the collective call.
   *
   * @return a rank of the communicator, or -1
   */
  public int root() {
    return root;
  }
}
