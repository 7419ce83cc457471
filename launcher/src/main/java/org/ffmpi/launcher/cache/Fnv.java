// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.cache;

/** The hash FNV-1a of 64 bits: it needs no class but this one, where a message digest would load dozens. */
public final class Fnv {
  /** The hash of nothing, to begin with. */
  public static final long START = 0xcbf29ce484222325L;

  private static final long PRIME = 0x100000001b3L;

  private Fnv() {}

  /** Adds a text to a hash, with a mark behind it so that the border between texts counts. */
  public static long with(long seed, String text) {
    long h = seed;
    for (int i = 0; i < text.length(); i++) {
      h = (h ^ text.charAt(i)) * PRIME;
    }
    return (h ^ 0xffff) * PRIME;
  }

  /** Returns the hash of a text. */
  public static long of(String text) {
    return with(START, text);
  }

  /** Returns the hash of bytes. */
  public static long of(byte[] bytes) {
    long h = START;
    for (byte b : bytes) {
      h = (h ^ (b & 0xff)) * PRIME;
    }
    return (h ^ bytes.length) * PRIME;
  }
}
