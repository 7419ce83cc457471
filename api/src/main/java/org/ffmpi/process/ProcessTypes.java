// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import org.ffmpi.base.Attributes;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Texts;
import org.ffmpi.datatype.Datatype;

/** Names and attributes of datatypes in one world, which keeps those of predefined types. */
public final class ProcessTypes {
  private ProcessTypes() {}

  /** Returns the name of a type. */
  public static String name(World world, Datatype<?> type) {
    check(world, type);
    return type.isPredefined() ? world.predefinedTypes().name(type, type.name()) : type.name();
  }

  /** Names a type. */
  public static void setName(World world, Datatype<?> type, String name) {
    check(world, type);
    try {
      if (type.isPredefined()) {
        world.predefinedTypes().setName(type, Texts.objectName(name));
      } else {
        type.setName(name);
      }
    } catch (MpiException e) {
      throw world.raise(e);
    }
  }

  /** Returns the attributes of a type. */
  public static Attributes<Datatype<?>> attributes(World world, Datatype<?> type) {
    check(world, type);
    return type.isPredefined() ? world.predefinedTypes().attributes(type) : type.attributes();
  }

  /** Duplicates a type with the attributes that it has in the world. */
  public static <T> Datatype<T> dup(World world, Datatype<T> type) {
    check(world, type);
    Datatype<T> duplicate = type.dup();
    if (type.isPredefined()) {
      world.predefinedTypes().attributes(type).copyTo(duplicate.attributes());
    }
    return duplicate;
  }

  private static void check(World world, Datatype<?> type) {
    world.checkOpen();
    if (type == null) {
      throw world.raise(MpiException.argument(ErrorClass.ERR_TYPE, "type", null, "a datatype"));
    }
    if (type.isClosed()) {
      throw world.raise(
          MpiException.argument(ErrorClass.ERR_TYPE, "type", type, "types that have not been freed"));
    }
  }
}
