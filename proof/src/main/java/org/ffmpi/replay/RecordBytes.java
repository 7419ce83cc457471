// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The bytes of one record before they are written. One thread at a time. */
final class RecordBytes {
  private byte[] bytes = new byte[64];
  private int length;

  RecordBytes begin(int first) {
    bytes[0] = (byte) first;
    length = 1;
    return this;
  }

  RecordBytes add(int unsigned) {
    if (length + 5 > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
    int rest = unsigned;
    while ((rest & ~0x7F) != 0) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
    return this;
  }

  RecordBytes addSigned(int value) {
    return add(RecordingFormat.zigzag(value));
  }

  RecordBytes addString(String text) {
    byte[] all = text.getBytes(StandardCharsets.UTF_8);
    int n = Math.min(all.length, RecordingFormat.LONGEST_STRING);
    add(n);
    while (length + n + 1 > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
    System.arraycopy(all, 0, bytes, length, n);
    length += n;
    return this;
  }

  byte[] array() {
    return bytes;
  }

  int length() {
    return length;
  }
}
