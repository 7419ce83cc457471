// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.basic;

/** The format of C's {@code long double} on this machine. A class of its own, which starting programs do not load. */
public final class LongDoubleForm {
  /** Whether it is IEEE quadruple precision. On x86 it is the x87 format of 80 bits. */
  public static final boolean IS_QUADRUPLE = !System.getProperty("os.arch").matches("amd64|x86_64|x86|i386");

  private LongDoubleForm() {}
}
