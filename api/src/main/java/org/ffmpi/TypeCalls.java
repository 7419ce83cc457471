// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.Attributes;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.process.ProcessTypes;
import org.ffmpi.process.World;

/**
 * The calls of {@link Mpi} and {@link Session} on names and attributes of datatypes. All worlds share the predefined
 * types; each keeps the names and attributes that were given to them in it.
 */
public sealed interface TypeCalls permits Mpi, Session {
  private static World world(TypeCalls environment) {
    return switch (environment) {
      case Mpi mpi -> mpi.rankWorld();
      case Session session -> session.world();
    };
  }

  /**
   * Returns a datatype's name in this world ({@code MPI_Type_get_name}, MPI-4.1 §7.8). Local.
   *
   * @param type any datatype
   * @return for a predefined type what {@link #setTypeName} has set, otherwise the type's own name
   * @throws MpiException ERR_TYPE when the type is null or freed
   */
  @Standard({"MPI_Type_get_name"})
  default String typeName(Datatype<?> type) {
    return ProcessTypes.name(world(this), type);
  }

  /**
   * Names a datatype ({@code MPI_Type_set_name}, MPI-4.1 §7.8). Local. Predefined types are shared by all worlds of the
   * JVM; their new name holds in this one, for {@link #typeName}.
   *
   * @param type any datatype
   * @param name the name, of which the first {@code MAX_OBJECT_NAME} - 1 characters are kept
   * @throws MpiException ERR_ARG when the name is null, ERR_TYPE when the type is null or freed
   */
  @Standard({"MPI_Type_set_name"})
  default void setTypeName(Datatype<?> type, String name) {
    ProcessTypes.setName(world(this), type, name);
  }

  /**
   * Returns the attributes of a datatype in this world ({@code MPI_Type_set_attr}, {@code MPI_Type_get_attr}, {@code
   * MPI_Type_delete_attr}, MPI-4.1 §7.7.4). Local. Attributes of predefined types belong to this world and are deleted,
   * with the keys' functions, when it is finalized; those of other types belong to the type.
   *
   * @param type any datatype
   * @return the type's attributes, the same object at each call
   * @throws MpiException ERR_TYPE when the type is null or freed
   */
  default Attributes<Datatype<?>> typeAttributes(Datatype<?> type) {
    return ProcessTypes.attributes(world(this), type);
  }

  /**
   * Duplicates a datatype with the attributes it has in this world ({@code MPI_Type_dup}, MPI-4.1 §5.1.10). Local. For
   * types that are not predefined the same as {@link Datatype#dup}, which knows no world and finds a predefined type
   * without attributes.
   *
   * @param <T> what one element is in Java
   * @param type any datatype
   * @return the duplicate, to be freed on its own
   * @throws MpiException ERR_TYPE when the type is null or freed
   * @throws RuntimeException what a copy function throws; there is no duplicate then
   */
  @Standard({"MPI_Type_dup"})
  default <T> Datatype<T> typeDup(Datatype<T> type) {
    return ProcessTypes.dup(world(this), type);
  }
}
