// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The options of the program.
 *
 * @param size cells along an edge of the plate
 * @param steps time steps
 * @param output file for the picture, or null for none
 * @param buffers where the temperatures lie
 */
public record HeatOptions(int size, int steps, Path output, Buffers buffers) {
  /** How to call the program. */
  public static final String USAGE =
      """
      usage: heat [--size N] [--steps N] [--output FILE | --output none] [--buffers heap|native|shared]

        --size      cells along an edge of the plate; default 1024
        --steps     time steps; default 1000
        --output    picture of the temperatures in the end, as PNG; default heat.png
        --buffers   where the temperatures lie: Java arrays, off-heap memory, or memory that the ranks share;
                    default heap
      """;

  private static final int LARGEST_SIZE = 100_000;
  private static final int MOST_STEPS = 100_000_000;
  private static final HeatOptions DEFAULTS = new HeatOptions(1024, 1000, Path.of("heat.png"), Buffers.HEAP);

  /** Where the temperatures lie. */
  public enum Buffers {
    /** In Java arrays. */
    HEAP,
    /** In off-heap memory of each rank. */
    NATIVE,
    /** In memory that the ranks share, out of which neighbours copy. */
    SHARED
  }

  /**
   * Reads the program's arguments.
   *
   * @param args words such as {@code --size 512} or {@code --size=512}
   * @param ranks number of ranks, each of which needs a row
   * @return the options, or null when help is asked for
   * @throws IllegalArgumentException when an argument is not understood; its message names the allowed values
   */
  public static HeatOptions parse(String[] args, int ranks) {
    HeatOptions options = DEFAULTS;
    for (int i = 0; i < args.length; i++) {
      int equals = args[i].indexOf('=');
      String name = equals < 0 ? args[i] : args[i].substring(0, equals);
      if (name.equals("--help")) {
        return null;
      }
      if (equals < 0 && i + 1 == args.length) {
        throw new IllegalArgumentException(name + " needs a value; --help explains");
      }
      options = options.with(name, equals < 0 ? args[++i] : args[i].substring(equals + 1));
    }
    if (options.size < ranks) {
      throw new IllegalArgumentException(
          "--size " + options.size + ": at least " + ranks + " is needed, a row for each rank");
    }
    return options;
  }

  private HeatOptions with(String name, String value) {
    return switch (name) {
      case "--size" -> new HeatOptions(number(name, value, 1, LARGEST_SIZE), steps, output, buffers);
      case "--steps" -> new HeatOptions(size, number(name, value, 0, MOST_STEPS), output, buffers);
      case "--output" -> new HeatOptions(size, steps, picture(value), buffers);
      case "--buffers" -> new HeatOptions(size, steps, output, kind(value));
      default -> throw new IllegalArgumentException(name + " is no option; --help lists them");
    };
  }

  private static int number(String name, String value, int least, int most) {
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

  /** Checks now what would be a pity to find out after an hour of computing. */
  private static Path picture(String value) {
    if (value.equals("none")) {
      return null;
    }
    Path file = Path.of(value);
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file) || folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
      throw new IllegalArgumentException("--output " + value + ": a file in a folder that can be written to is needed");
    }
    return file;
  }

  private static Buffers kind(String value) {
    for (Buffers kind : Buffers.values()) {
      if (kind.name().toLowerCase(Locale.ROOT).equals(value)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("--buffers " + value + ": heap, native and shared are allowed");
  }
}
