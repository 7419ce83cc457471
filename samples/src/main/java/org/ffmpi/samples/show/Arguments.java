// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.show;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The arguments of a program, such as {@code --size 512}, {@code --size=512} and {@code --grid}. Options are taken one
 * after the other; {@link #end} refuses those that are left. All messages name the argument and the values allowed.
 */
public final class Arguments {
  private final List<String> words;

  /**
   * Creates arguments.
   *
   * @param words of the command line
   */
  public Arguments(String... words) {
    this.words = new ArrayList<>(Arrays.asList(words));
  }

  /**
   * Takes an option without a value.
   *
   * @param name of the option, with its hyphens
   * @return whether it is there
   */
  public boolean flag(String name) {
    return words.removeIf(name::equals);
  }

  /**
   * Takes an option with a value.
   *
   * @param name of the option, with its hyphens
   * @param otherwise returned when it is not there
   * @return its value; the last one when there are several
   * @throws IllegalArgumentException when the value is missing
   */
  public String text(String name, String otherwise) {
    String value = otherwise;
    for (int i = 0; i < words.size();) {
      String word = words.get(i);
      if (word.equals(name)) {
        words.remove(i);
        if (i == words.size()) {
          throw new IllegalArgumentException(name + " needs a value; --help explains");
        }
        value = words.remove(i);
      } else if (word.startsWith(name + "=")) {
        value = words.remove(i).substring(name.length() + 1);
      } else {
        i++;
      }
    }
    return value;
  }

  /**
   * Takes an option whose value is a whole number.
   *
   * @param name of the option, with its hyphens
   * @param otherwise returned when it is not there
   * @param least smallest allowed number
   * @param most largest allowed number
   * @return its value
   * @throws IllegalArgumentException when the value is missing, no number or not allowed
   */
  public int number(String name, int otherwise, int least, int most) {
    String value = text(name, Integer.toString(otherwise));
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // the same sentence
    }
    throw new IllegalArgumentException(name + " " + value + ": whole numbers from " + least + " to " + most
        + " are allowed");
  }

  /**
   * Takes an option whose value is a file to be written, and checks now what would be a pity to find out after an hour
   * of computing.
   *
   * @param name of the option, with its hyphens
   * @param otherwise value when it is not there
   * @return the file, or null when the value is {@code none}
   * @throws IllegalArgumentException when the value is missing, or no such file can be written
   */
  public Path output(String name, String otherwise) {
    String value = text(name, otherwise);
    if (value.equals("none")) {
      return null;
    }
    Path file = Path.of(value);
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file) || folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
      throw new IllegalArgumentException(name + " " + value + ": a file in a folder that can be written to is needed");
    }
    return file;
  }

  /**
   * Takes an option whose value is a file to be read.
   *
   * @param name of the option, with its hyphens
   * @return the file, or null when the option is not there
   * @throws IllegalArgumentException when the value is missing, or the file cannot be read
   */
  public Path input(String name) {
    String value = text(name, null);
    if (value == null) {
      return null;
    }
    Path file = Path.of(value);
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new IllegalArgumentException(name + " " + value + ": a file that can be read is needed");
    }
    return file;
  }

  /**
   * Refuses arguments that are left.
   *
   * @throws IllegalArgumentException when there are any
   */
  public void end() {
    if (!words.isEmpty()) {
      throw new IllegalArgumentException(words.getFirst().split("=")[0] + " is no option; --help lists them");
    }
  }
}
