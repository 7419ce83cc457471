// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

/**
 * The signature of the bytes of an object, which are of no basic type. Messages that carry it are compared also where
 * types are not checked otherwise: a receive of numbers must not take an object for them.
 */
public enum ObjectSignature implements StreamSignature {
  /** The only signature of objects. */
  OBJECT;

  /** Any number that no signature of basic types is likely to have. */
  private static final long HASH = 0x6f626a65637473L;

  /**
   * Returns whether a hash that has arrived is this signature's.
   *
   * @param hash the hash of a message
   * @return true for an object
   */
  public static boolean isHash(long hash) {
    return hash == HASH;
  }

  @Override
  public long hash(long bytes) {
    return HASH;
  }

  @Override
  public boolean matchesAnything() {
    return false;
  }

  @Override
  public String text(long bytes) {
    return "an object";
  }
}
