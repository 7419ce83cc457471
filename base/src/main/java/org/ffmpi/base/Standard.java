// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the procedures of the MPI standard that an element implements, large-count forms included. The table of
 * coverage is generated from these.
 *
 * {@snippet :
 * @Standard({"MPI_Send", "MPI_Send_c"})
 * public void send(Buf<?> buf, int dest, int tag) {
 * }
 * }
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.FIELD, ElementType.CONSTRUCTOR})
public @interface Standard {
  /**
   * The names as the standard writes them in C, such as {@code MPI_Send}.
   *
   * @return one name or more
   */
  String[] value();
}
