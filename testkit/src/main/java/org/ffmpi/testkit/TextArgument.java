// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.testkit;

import java.io.File;
import java.nio.file.Path;
import java.util.Optional;

/** Arguments that can travel to another process as text. */
final class TextArgument {
  /** Stands for null, and for values that differ between ranks. */
  static final String NONE = "-";

  private static final String VALUE = "=";

  private TextArgument() {}

  static Optional<String> encode(Object value) {
    return switch (value) {
      case null -> Optional.of(NONE);
      case Enum<?> e -> Optional.of(VALUE + e.name());
      case String s -> Optional.of(VALUE + s);
      case Path p -> Optional.of(VALUE + p.toAbsolutePath());
      case File f -> Optional.of(VALUE + f.getAbsolutePath());
      case Number n when n.getClass().getPackage() == Integer.class.getPackage() -> Optional.of(VALUE + n);
      case Boolean b -> Optional.of(VALUE + b);
      case Character c -> Optional.of(VALUE + c);
      default -> Optional.empty();
    };
  }

  static Object decode(Class<?> type, String text) {
    if (text.equals(NONE)) {
      return null;
    }
    String value = text.substring(VALUE.length());
    if (type.isEnum()) {
      for (Object constant : type.getEnumConstants()) {
        if (((Enum<?>) constant).name().equals(value)) {
          return constant;
        }
      }
    }
    return switch (type.getSimpleName()) {
      case "Path" -> Path.of(value);
      case "File" -> new File(value);
      case "boolean", "Boolean" -> Boolean.valueOf(value);
      case "char", "Character" -> value.charAt(0);
      case "byte", "Byte" -> Byte.valueOf(value);
      case "short", "Short" -> Short.valueOf(value);
      case "int", "Integer" -> Integer.valueOf(value);
      case "long", "Long" -> Long.valueOf(value);
      case "float", "Float" -> Float.valueOf(value);
      case "double", "Double" -> Double.valueOf(value);
      default -> value;
    };
  }
}
