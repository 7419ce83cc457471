// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The length of the array in a record component, so that the record can be laid out as a C struct with the elements
 * inside. {@link Datatype#ofRecord} accepts arrays with this annotation only.
 *
 * {@snippet :
 * record Particle(int kind, @Length(6) double[] d, @Length({3, 3}) float[][] rotation) {}
 * }
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Length {
  /**
   * Returns the number of elements in each dimension, the outermost first; as many as the array has dimensions.
   *
   * @return lengths of at least 1
   */
  int[] value();
}
