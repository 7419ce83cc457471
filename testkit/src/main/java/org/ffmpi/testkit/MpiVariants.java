// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Holds several {@link MpiVariant} annotations; the compiler writes it. */
@Documented
@Inherited
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface MpiVariants {
  /**
   * The variants.
   *
   * @return the annotations, in source order
   */
  MpiVariant[] value();
}
