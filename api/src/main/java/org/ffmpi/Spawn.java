// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.nio.file.Path;
import org.ffmpi.base.MpiException;
import org.ffmpi.connect.SpawnImpl;

/**
 * The description of processes that {@link IntraComm#spawn(Spawn...)} starts, with their program, their number, and
 * what they have that the processes that spawn them have not (the arguments {@code command}, {@code argv},
 * {@code maxprocs} and {@code info} of {@code MPI_Comm_spawn}, MPI-4.1 §11.8.2). A description never changes; each
 * method returns another one.
 *
 * {@snippet :
 * InterComm workers = world.spawn(Spawn.of("app.Worker", "--size", "1024").processes(4));
 * }
 *
 * <p>Class path, module path, options of the JVM, environment, folder and settings of the root's process are the
 * default. The root alone describes; what is wrong shows when it spawns, as ERR_SPAWN.
 */
public sealed interface Spawn permits SpawnImpl {
  /**
   * Describes a process that runs a class with a main method. Where ranks are threads, a thread runs it.
   *
   * @param className its binary name; in a program of modules it belongs to the module of the root's program
   * @param arguments the program's arguments
   * @return one process
   * @throws MpiException ERR_SPAWN when a name or an argument is null
   */
  static Spawn of(String className, String... arguments) {
    return SpawnImpl.of(SpawnImpl.Kind.CLASS, className, null, arguments);
  }

  /**
   * Describes a process that runs an executable jar.
   *
   * @param jar the file
   * @param arguments the program's arguments
   * @return one process
   * @throws MpiException ERR_SPAWN when a name or an argument is null
   */
  static Spawn java(Path jar, String... arguments) {
    return SpawnImpl.of(SpawnImpl.Kind.JAR, jar == null ? null : jar.toString(), null, arguments);
  }

  /**
   * Describes a process that runs a source file, which is compiled first.
   *
   * @param file a Java source file
   * @param arguments the program's arguments
   * @return one process
   * @throws MpiException ERR_SPAWN when a name or an argument is null
   */
  static Spawn source(Path file, String... arguments) {
    return SpawnImpl.of(SpawnImpl.Kind.SOURCE, file == null ? null : file.toString(), null, arguments);
  }

  /**
   * Describes a process that runs a program, such as a script, which starts a JVM in the end. That JVM gets its rank by
   * the environment. Where the program is {@code java}, its arguments are those of the java command, and class path and
   * library are added where they are missing.
   *
   * @param program the program, looked up by the system's search path
   * @param arguments its arguments
   * @return one process
   * @throws MpiException ERR_SPAWN when a name or an argument is null
   */
  static Spawn command(Path program, String... arguments) {
    return SpawnImpl.of(SpawnImpl.Kind.COMMAND, program == null ? null : program.toString(), null, arguments);
  }

  /**
   * Sets how many processes are started ({@code maxprocs}).
   *
   * @param number 1 or more
   * @return the description
   * @throws MpiException ERR_SPAWN when the number is less than 1
   */
  Spawn processes(int number);

  /**
   * Sets hints. {@code wdir} is the folder that the processes begin in, {@code path} a list of folders in which the
   * program is looked up, {@code soft} the numbers of processes that will do, as in {@code 2:8:2,1}, {@code file} a
   * file with more keys, in lines {@code key=value}; {@code host} and {@code arch} have to be those of this machine.
   * {@code ffmpi_java_options}, {@code ffmpi_class_path} and {@code ffmpi_environment} (lines {@code NAME=value}) are
   * for programs that have an info only. Other keys are ignored.
   *
   * @param hints the pairs; null for none
   * @return the description
   */
  Spawn info(Info hints);

  /**
   * Adds options of the processes' JVMs, behind those of the root's program.
   *
   * @param options each as one argument of the java command
   * @return the description
   * @throws MpiException ERR_SPAWN when an argument is null
   */
  Spawn javaOptions(String... options);

  /**
   * Sets a variable of the processes' environment.
   *
   * @param name its name
   * @param value its value
   * @return the description
   * @throws MpiException ERR_SPAWN when an argument is null
   */
  Spawn environment(String name, String value);

  /**
   * Sets a setting of the processes.
   *
   * @param name its name, such as {@code ffmpi.ring.slots}
   * @param value its value as text
   * @return the description
   * @throws MpiException ERR_SPAWN when an argument is null
   */
  Spawn setting(String name, String value);

  /**
   * Sets the class path of the processes.
   *
   * @param path entries separated by colons
   * @return the description
   * @throws MpiException ERR_SPAWN when an argument is null
   */
  Spawn classPath(String path);

  /**
   * Sets the folder that the processes begin in.
   *
   * @param folder a folder that is there
   * @return the description
   * @throws MpiException ERR_SPAWN when an argument is null
   */
  Spawn directory(Path folder);
}
