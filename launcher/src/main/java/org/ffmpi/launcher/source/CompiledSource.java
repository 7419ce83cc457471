// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.source;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.ffmpi.launcher.cache.Fnv;

/**
 * The facts about a program that was compiled from source, apart from its classes. The compiler writes them; the
 * launcher keeps them beside the classes, to find out whether these are still those of the source.
 *
 * @param source absolute path of the program's source file
 * @param mainClass class to start; empty when only the JVM's own source mode can run this program
 * @param folder folder of the program's resources; empty when it uses none
 * @param inputs all files, folders and trees of sources that were read
 */
record CompiledSource(String source, String mainClass, String folder, List<Input> inputs) {
  /** A tree with more files and folders is not searched. */
  private static final int MOST_IN_TREE = 2000;

  private static final String SUFFIX = ".java";

  /** The part of the sources that an input stands for. */
  enum Kind {
    /** The content of a file. */
    FILE,
    /** The names of a folder's source files: a new one may take the place of a class from elsewhere. */
    FOLDER,
    /** The names of all source files below a folder: the program finds classes by their names. */
    TREE
  }

  /**
   * One file, folder or tree, with its state when the compiler read it.
   *
   * @param kind what it is
   * @param path where it is
   * @param state hash of the part that must not change
   */
  record Input(Kind kind, String path, long state) {
    /** Records the state of a file, folder or tree. */
    static Input of(Kind kind, String path) {
      return new Input(kind, path, stateOf(kind, path));
    }

    /** Returns whether the sources are still as they were. */
    boolean isCurrent() {
      return stateOf(kind, path) == state;
    }

    private static long stateOf(Kind kind, String path) {
      return switch (kind) {
        case FILE -> contentOf(Path.of(path));
        case FOLDER -> Fnv.of(String.join("/", namesIn(new File(path))));
        case TREE -> Fnv.of(String.join(":", sourcesBelow(path)));
      };
    }

    private static long contentOf(Path file) {
      try {
        return Fnv.of(Files.readAllBytes(file));
      } catch (IOException e) {
        return 0;
      }
    }

    private static List<String> namesIn(File folder) {
      String[] all = folder.list();
      List<String> names = new ArrayList<>();
      if (all != null) {
        Arrays.sort(all);
        for (String name : all) {
          if (name.endsWith(SUFFIX)) {
            names.add(name);
          }
        }
      }
      return names;
    }
  }

  /** Returns the source files below a folder, in order; an empty name at the end when there are too many. */
  static List<String> sourcesBelow(String root) {
    List<String> sources = new ArrayList<>();
    Deque<File> open = new ArrayDeque<>(List.of(new File(root)));
    int seen = 0;
    while (!open.isEmpty()) {
      File[] entries = open.pop().listFiles();
      if (entries == null) {
        continue;
      }
      Arrays.sort(entries);
      for (File entry : entries) {
        if (++seen > MOST_IN_TREE) {
          sources.add("");
          return sources;
        }
        if (entry.getName().endsWith(SUFFIX)) {
          sources.add(entry.getPath());
        } else if (entry.isDirectory() && !Files.isSymbolicLink(entry.toPath())) {
          open.push(entry);
        }
      }
    }
    return sources;
  }

  /** Returns whether the classes are those of the sources as they are now. */
  boolean isCurrent() {
    for (Input input : inputs) {
      if (!input.isCurrent()) {
        return false;
      }
    }
    return true;
  }

  /** Writes all of it. */
  void write(DataOutput out) throws IOException {
    out.writeUTF(source);
    out.writeUTF(mainClass);
    out.writeUTF(folder);
    out.writeInt(inputs.size());
    for (Input input : inputs) {
      out.writeByte(input.kind.ordinal());
      out.writeUTF(input.path);
      out.writeLong(input.state);
    }
  }

  /** Reads what {@link #write} has written. */
  static CompiledSource read(DataInput in) throws IOException {
    String source = in.readUTF();
    String mainClass = in.readUTF();
    String folder = in.readUTF();
    int count = in.readInt();
    List<Input> inputs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int kind = in.readUnsignedByte();
      if (kind > Kind.TREE.ordinal()) {
        throw new IOException("damaged");
      }
      inputs.add(new Input(Kind.values()[kind], in.readUTF(), in.readLong()));
    }
    return new CompiledSource(source, mainClass, folder, inputs);
  }
}
