// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.oracle;

import org.ffmpi.datatype.Datatype;

/**
 * A datatype, its expected typemap, and the text to make it again.
 *
 * @param type made by the library
 * @param map the same constructors applied to typemaps
 * @param text the calls, as one expression
 */
public record Sample(Datatype<?> type, Typemap map, String text) {
  /** Makes the type ready for communication. */
  public Sample commit() {
    type.commit();
    return this;
  }

  @Override
  public String toString() {
    return text;
  }
}
