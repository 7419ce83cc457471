// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base.hook;

import java.lang.invoke.MethodHandles;
import java.util.List;

/**
 * A method that reports its calls.
 *
 * @param owner the class that declares it
 * @param method its name; {@code <init>} for a constructor
 * @param parameters names of its parameters
 * @param names its names in the standard; empty for a method outside the standard, which only hides the calls inside it
 */
public record CallPoint(Class<?> owner, String method, List<String> parameters, List<String> names) {
  /** Separator of names in the constants of rewritten classes. */
  public static final String SEPARATOR = ",";

  /**
   * Makes the constant of a rewritten method, at its first reported call.
   *
   * @param lookup of the class that declares the method
   * @param name not looked at
   * @param type this class
   * @param method the method's name
   * @param parameters names of its parameters
   * @param names its names in the standard
   * @return the constant
   */
  public static CallPoint of(
      MethodHandles.Lookup lookup, String name, Class<?> type, String method, String parameters, String names) {
    return new CallPoint(lookup.lookupClass(), method, list(parameters), list(names));
  }

  private static List<String> list(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(SEPARATOR));
  }
}
