// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs an {@link MpiTest} once more with other settings. Where variants are given, on the method, its class, or an
 * annotation that stands on either, the test runs for each of them and for nothing else: name the plain settings as a
 * variant of their own if they are wanted too. A test with several numbers of ranks runs with every pair of a variant
 * and a number. With the system property {@code ffmpi.test.breadth=each} it runs with each variant and each number at
 * least once, and with {@code quick} once.
 *
 * {@snippet :
 * @MpiVariant(name = "defaults")
 * @MpiVariant(name = "tiny rings", settings = {"ffmpi.ring.slots=2", "ffmpi.ring.bulk=64"})
 * @Retention(RetentionPolicy.RUNTIME)
 * @interface EveryTransport {}
 *
 * @EveryTransport
 * @MpiTest(ranks = {2, 4})
 * void messagesArriveInOrder(Comm world) { ... }
 * }
 */
@Documented
@Inherited
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(MpiVariants.class)
public @interface MpiVariant {
  /**
   * The variant's name, which appears in the invocation's name.
   *
   * @return a few words
   */
  String name();

  /**
   * Settings of the world, over those of the {@link MpiTest}.
   *
   * @return texts of the form {@code name=value}
   */
  String[] settings() default {};
}
