// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * Programs that are given as a source file: compiled once, before the ranks start, and kept as a jar in the user's
 * cache folder. Left to the java command's source mode every rank would compile its own.
 *
 * <p>Two files make a kept program. One holds what is known of it, under a name made from the source's path and from
 * everything that the compiler was told; the other is the jar, whose name also has a hash of its content. Both are
 * written aside and moved, the jar first, so that a launcher sees all of a program or nothing.
 */
final class CompiledPrograms {
  /** Folder in that of the start-up caches. */
  private static final String FOLDER = "from-source";

  private static final String IN_PATHS = File.separatorChar + FOLDER + File.separatorChar;
  private static final String FACTS = ".source";
  private static final String JAR = ".jar";

  /** Beginning of the names of files that are being written, in the folder for kept programs. */
  private static final String MAKING = "making-";

  /** Beginning of the names of jars for one job; the process that made one comes next. */
  private static final String TEMPORARY = "ffmpi-program-";

  /** How long a jar stays that is of no more use: another launcher may be about to start ranks from it. */
  private static final long GRACE_MILLIS = 60_000;

  private final Path users;
  private final boolean keeps;
  private final OutputStream err;
  private final List<Path> temporaries = new ArrayList<>();

  /**
   * Prepares for the programs of a job.
   *
   * @param users the user's folder for caches; null: there is none
   * @param keeps whether programs are kept there, and looked for
   * @param err where the compiler's text goes
   */
  CompiledPrograms(Path users, boolean keeps, OutputStream err) {
    this.users = users;
    this.keeps = keeps && users != null;
    this.err = err;
  }

  /**
   * A program and its classes.
   *
   * @param about what is known of it
   * @param jar its classes; null when it has to run in the JVM's own source mode
   */
  private record Compiled(CompiledSource about, Path jar) {}

  /**
   * Turns a program given as a source file into one on the class path.
   *
   * @param program the program
   * @param command how its ranks would be started from source
   * @param vector whether the Vector API is switched on
   * @return the program to start: the same one when only the JVM's own source mode can run it
   * @throws MpiException ERR_SPAWN when it does not compile
   */
  Program compiled(Program program, RankCommand command, boolean vector) {
    List<String> options = JavaOptions.forCompiler(command.javaOptions(vector));
    String environment = System.getenv("JDK_JAVA_OPTIONS");
    if (options == null || environment != null && environment.contains("--")) {
      return program; // there is more for the compiler than we pass on
    }
    String classPath = command.classPath();
    options.add("-classpath");
    options.add(classPath);
    List<String> jvm = new ArrayList<>();
    for (String option : program.javaOptions()) {
      if (option.startsWith("-Dfile.encoding=") || option.startsWith("-Duser.")) {
        jvm.add(option);
      }
    }
    Path source = Path.of(program.target()).toAbsolutePath().normalize();
    long asked = Fnv.START;
    for (List<String> words : List.of(options, jvm)) {
      for (String word : words) {
        asked = Fnv.with(asked, word);
      }
    }
    for (String entry : classPath.split(File.pathSeparator)) {
      asked = entry.startsWith(File.separator) ? asked : Fnv.with(asked, System.getProperty("user.dir"));
    }
    String name = Long.toHexString(Fnv.of(source.toString())) + "-" + Long.toHexString(asked);
    long pathState = stateOf(classPath);
    Compiled found = keeps && Trust.complaint(folder()) == null ? find(name, source, pathState) : null;
    if (found == null) {
      found = compile(program.target(), jvm, options, name, pathState);
    }
    return found == null || found.jar == null ? program : started(program, found);
  }

  private static Program started(Program program, Compiled compiled) {
    CompiledSource about = compiled.about;
    List<String> options = JavaOptions.withoutSource(program.javaOptions());
    options.addFirst("-Djdk.launcher.sourcefile=" + about.source()); // as the source mode does
    String path = compiled.jar.toString();
    for (String more : Arrays.asList(about.folder(), program.classPath())) {
      path = more == null || more.isEmpty() ? path : path + File.pathSeparatorChar + more;
    }
    return new Program(
        program.ranks(), options, path, Program.Kind.CLASS, about.mainClass(), program.arguments(), program.settings(),
        program.environment());
  }

  /** Returns whether a program of this job is not kept. */
  boolean hasTemporaries() {
    return !temporaries.isEmpty();
  }

  /** Deletes what was made for this job alone. */
  void discard() {
    for (Path file : temporaries) {
      file.toFile().delete();
    }
  }

  /** Returns a class path without what changes in the names of kept programs when their source does. */
  static String withoutStates(String classPath) {
    if (!classPath.contains(IN_PATHS)) {
      return classPath;
    }
    List<String> entries = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator)) {
      boolean ours = entry.contains(IN_PATHS) && entry.endsWith(JAR) && entry.indexOf('-') >= 0;
      entries.add(ours ? entry.substring(0, entry.lastIndexOf('-')) : entry);
    }
    return String.join(File.pathSeparator, entries);
  }

  /** Returns a hash of the state of a class path: sizes and times of its jars, and of the classes in its folders. */
  private static long stateOf(String classPath) {
    long state = Fnv.START;
    for (String entry : classPath.split(File.pathSeparator)) {
      if (!entry.isEmpty()) {
        File file = new File(entry.endsWith("*") ? entry.substring(0, entry.length() - 1) + "." : entry);
        state = file.isDirectory() ? stateBelow(file, state, !entry.endsWith("*")) : with(state, file);
      }
    }
    return state;
  }

  private static long stateBelow(File folder, long seed, boolean deeper) {
    File[] entries = folder.listFiles();
    long state = seed;
    if (entries != null) {
      Arrays.sort(entries);
      for (File entry : entries) {
        String name = entry.getName();
        if (name.endsWith(".class") || name.endsWith(JAR)) {
          state = with(state, entry);
        } else if (deeper && entry.isDirectory() && !Files.isSymbolicLink(entry.toPath())) {
          state = stateBelow(entry, state, true);
        }
      }
    }
    return state;
  }

  private static long with(long state, File file) {
    return Fnv.with(state, file.getPath() + ":" + file.length() + "@" + file.lastModified());
  }

  private Path folder() {
    return users.resolve(FOLDER);
  }

  private static String jvm() {
    return System.getProperty("java.home") + " " + System.getProperty("java.vm.version");
  }

  private static File factsFile(Path folder, String name) {
    return new File(folder.toString(), name + FACTS);
  }

  /** Finds a program that was kept and is that of the source as it is now; null when there is none. */
  private Compiled find(String name, Path source, long pathState) {
    Facts facts = Facts.read(factsFile(folder(), name));
    if (facts == null || facts.pathState != pathState || !facts.isCurrent()
        || !facts.about.source().equals(source.toString())) {
      return null;
    }
    if (facts.about.mainClass().isEmpty()) {
      return new Compiled(facts.about, null);
    }
    File jar = new File(folder().toString(), facts.jar);
    boolean isWhole = jar.length() == facts.bytes && Trust.mayRun(jar.toPath(), null);
    return isWhole ? new Compiled(facts.about, jar.toPath()) : null;
  }

  /**
   * What is kept of a program beside its classes.
   *
   * @param jvm the JVM that compiled it
   * @param pathState hash of the state of the class path
   * @param jar name of the jar
   * @param bytes length of the jar
   * @param about what the compiler says
   */
  private record Facts(String jvm, long pathState, String jar, long bytes, CompiledSource about) {
    /** Returns what a file holds; null when there is no such file, or one of another version. */
    static Facts read(File file) {
      if (!file.isFile()) {
        return null;
      }
      try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(Files.readAllBytes(file.toPath())))) {
        return new Facts(in.readUTF(), in.readLong(), in.readUTF(), in.readLong(), CompiledSource.read(in));
      } catch (IOException e) {
        return null;
      }
    }

    boolean isCurrent() {
      return jvm.equals(jvm()) && about.isCurrent();
    }

    byte[] bytesOfIt() throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeUTF(jvm);
      out.writeLong(pathState);
      out.writeUTF(jar);
      out.writeLong(this.bytes);
      about.write(out);
      return bytes.toByteArray();
    }
  }

  /** Compiles a program; returns null when that is better left to the source mode. */
  private Compiled compile(String source, List<String> jvm, List<String> options, String name, long pathState) {
    CompilerProcess.Answer answer = CompilerProcess.compile(users, source, jvm, options);
    if (answer == null) {
      return null;
    }
    try {
      err.write(answer.said());
      err.flush();
    } catch (IOException e) {
      // Who does not listen misses only this text.
    }
    CompiledSource about = answer.about();
    if (about == null) {
      throw new MpiException(ErrorClass.ERR_SPAWN, "source file " + source + " does not compile; no rank is started");
    }
    byte[] jar = answer.jar();
    if (keeps && Trust.complaint(folder()) == null) {
      Compiled kept = keep(name, pathState, about, jar);
      if (kept != null) {
        return kept;
      }
    }
    return new Compiled(about, about.mainClass().isEmpty() ? null : temporary(jar));
  }

  /** Keeps a program; returns null when the folder does not take it. */
  private Compiled keep(String name, long pathState, CompiledSource about, byte[] jar) {
    String jarName = name + "-" + Long.toHexString(Fnv.of(jar)) + JAR;
    Facts facts = new Facts(jvm(), pathState, jarName, jar.length, about);
    Path file = folder().resolve(jarName);
    try {
      Trust.makeFolder(folder());
      if (jar.length > 0) {
        write(file, jar);
      }
      write(factsFile(folder(), name).toPath(), facts.bytesOfIt());
    } catch (IOException e) {
      return null;
    }
    tidy(name, facts);
    return new Compiled(about, jar.length == 0 ? null : file);
  }

  private void write(Path file, byte[] bytes) throws IOException {
    Path aside = folder().resolve(MAKING + ProcessHandle.current().pid() + "-" + System.nanoTime());
    try {
      Files.write(aside, bytes);
      Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(aside);
    }
  }

  /**
   * Deletes what is of no more use: jars that an earlier state of this program has left, programs of other states of
   * this source, programs whose source is gone, and what launchers that died have left.
   */
  private void tidy(String name, Facts fresh) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder())) {
      List<String> names = new ArrayList<>();
      all.forEach(path -> names.add(path.getFileName().toString()));
      for (String other : names) {
        if (other.endsWith(FACTS) && !other.equals(name + FACTS)) {
          Facts facts = Facts.read(new File(folder().toString(), other));
          if (facts == null || !new File(facts.about.source()).isFile()
              || facts.about.source().equals(fresh.about.source()) && !facts.isCurrent()) {
            delete(other);
            if (facts != null && isOld(facts.jar)) {
              delete(facts.jar);
            }
          }
        } else if (other.startsWith(name) && other.endsWith(JAR) && !other.equals(fresh.jar) && isOld(other)
            || other.startsWith(MAKING) && !lives(other.split("-")[1])) {
          delete(other);
        }
      }
    } catch (IOException | RuntimeException e) {
      // Somebody else is tidying, or may not; the next compilation tries again.
    }
  }

  private boolean isOld(String name) {
    return new File(folder().toString(), name).lastModified() < System.currentTimeMillis() - GRACE_MILLIS;
  }

  private void delete(String name) throws IOException {
    Files.deleteIfExists(folder().resolve(name));
  }

  private static boolean lives(String pid) {
    return ProcessHandle.of(Long.parseLong(pid)).isPresent();
  }

  /** Puts a jar where it is for this job alone. */
  private Path temporary(byte[] jar) {
    Path folder = Path.of(System.getProperty("java.io.tmpdir"));
    try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, TEMPORARY + "*" + JAR)) {
      for (Path file : left) {
        if (!lives(file.getFileName().toString().substring(TEMPORARY.length()).split("-")[0])) {
          Files.deleteIfExists(file); // its launcher was killed
        }
      }
    } catch (IOException | RuntimeException e) {
      // What others have left may stay.
    }
    try {
      Path file = Files.createTempFile(folder, TEMPORARY + ProcessHandle.current().pid() + "-", JAR);
      temporaries.add(file);
      Files.write(file, jar);
      return file;
    } catch (IOException e) {
      discard();
      throw new MpiException(ErrorClass.ERR_SPAWN, "the compiled program cannot be written to " + folder + ": " + e, e);
    }
  }
}
