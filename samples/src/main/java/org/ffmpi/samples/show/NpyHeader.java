// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.show;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The beginning of a file of NumPy (format {@code .npy}, version 1.0) with a matrix of doubles, row by row. */
public final class NpyHeader {
  /** Bytes of the header; the matrix follows. */
  public static final int BYTES = 128;

  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
  private static final Pattern SHAPE =
      Pattern.compile("'descr': '<f8', 'fortran_order': False, 'shape': \\((\\d+), (\\d+)\\)");

  private NpyHeader() {}

  /**
   * Makes the header of a matrix.
   *
   * @param rows its rows
   * @param columns its columns
   * @return {@link #BYTES} bytes
   */
  public static byte[] of(long rows, long columns) {
    String text = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + rows + ", " + columns + "), }";
    ByteBuffer header = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    header.put(MAGIC).putShort((short) (BYTES - header.position() - Short.BYTES));
    header.put(text.getBytes(StandardCharsets.US_ASCII));
    while (header.position() < BYTES - 1) {
      header.put((byte) ' ');
    }
    return header.put((byte) '\n').array();
  }

  /**
   * Reads a header that {@link #of} has made.
   *
   * @param header the first bytes of a file
   * @return rows and columns, or null when this is no such file
   */
  public static long[] shape(byte[] header) {
    Matcher matcher = SHAPE.matcher(new String(header, StandardCharsets.US_ASCII));
    return matcher.find() ? new long[] {Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))} : null;
  }
}
