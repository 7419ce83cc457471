// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import java.nio.file.Path;
import java.util.Locale;
import org.ffmpi.samples.show.Arguments;

/**
 * The options of the program.
 *
 * @param size cells along an edge of the plate
 * @param steps time steps
 * @param output file for the picture, or null for none
 * @param buffers where the temperatures lie
 * @param grid whether the plate is cut in both directions, not only into rows
 * @param exchange how neighbours get each other's rows
 * @param saves where the field is saved and read, and how often
 */
public record HeatOptions(
    int size, int steps, Path output, Buffers buffers, boolean grid, Exchange exchange, Saves saves) {
  /** The usage text. */
  public static final String USAGE =
      """
      usage: heat [--size N] [--steps N] [--output FILE | --output none] [--buffers heap|native|shared] [--grid]
                  [--exchange message|first|window] [--checkpoint FILE [--every N]] [--restart FILE]

        --size      cells along an edge of the plate; default 1024
        --steps     time steps; default 1000
        --output    picture of the temperatures in the end, as PNG; default heat.png
        --buffers   where the temperatures lie: Java arrays, off-heap memory, or memory that the ranks share;
                    default heap
        --grid      cuts the plate in both directions: neighbours exchange rows and columns
        --exchange  message: neighbours send each other their rows while they compute; first: before they compute;
                    window: they read them where they lie; default message
        --checkpoint  saves the field in this file, a matrix that NumPy loads, after every so many steps (--every,
                    default 100) and in the end; default none
        --restart   goes on from such a file, with any number of ranks; default none
      """;

  private static final int LARGEST_SIZE = 100_000;
  private static final int MOST_STEPS = 100_000_000;

  /**
   * The files of a run.
   *
   * @param checkpoint where the field is saved, or null
   * @param every after how many steps
   * @param restart the file to go on from, or null
   */
  public record Saves(Path checkpoint, int every, Path restart) {
    /** A run without files. */
    public static final Saves NONE = new Saves(null, 100, null);
  }

  /**
   * Makes the options of a run that saves nothing.
   *
   * @param size cells along an edge of the plate
   * @param steps time steps
   * @param output file for the picture, or null for none
   * @param buffers where the temperatures lie
   * @param grid whether the plate is cut in both directions, not only into rows
   * @param exchange how neighbours get each other's rows
   */
  public HeatOptions(int size, int steps, Path output, Buffers buffers, boolean grid, Exchange exchange) {
    this(size, steps, output, buffers, grid, exchange, Saves.NONE);
  }

  /** The memory of the temperatures. */
  public enum Buffers {
    /** In Java arrays. */
    HEAP,
    /** In off-heap memory of each rank. */
    NATIVE,
    /** In memory that the ranks share, out of which neighbours copy. */
    SHARED
  }

  /** The way in which neighbours exchange rows. */
  public enum Exchange {
    /** They send them, and compute the rows that need none meanwhile. */
    MESSAGE,
    /** They send them, and compute when all have come: slower, to be compared. */
    FIRST,
    /** They read them out of a window. */
    WINDOW
  }

  /**
   * Reads the program's arguments.
   *
   * @param arguments of the command line
   * @param ranks number of ranks, each of which needs a row
   * @return the options
   * @throws IllegalArgumentException when an argument is not understood; its message names the allowed values
   */
  public static HeatOptions parse(Arguments arguments, int ranks) {
    HeatOptions options =
        new HeatOptions(
            arguments.number("--size", 1024, 1, LARGEST_SIZE),
            arguments.number("--steps", 1000, 0, MOST_STEPS),
            arguments.output("--output", "heat.png"),
            kind("--buffers", arguments.text("--buffers", "heap"), Buffers.values(), "heap, native and shared"),
            arguments.flag("--grid"),
            kind("--exchange", arguments.text("--exchange", "message"), Exchange.values(), "message, first and window"),
            new Saves(path(arguments.text("--checkpoint", null)), arguments.number("--every", 100, 1, MOST_STEPS),
                path(arguments.text("--restart", null))));
    if (options.size < ranks) {
      throw new IllegalArgumentException(
          "--size " + options.size + ": at least " + ranks + " is needed, a row for each rank");
    }
    if (options.grid && options.buffers != Buffers.HEAP) {
      throw new IllegalArgumentException("--grid keeps the temperatures in Java arrays: --buffers heap is needed");
    }
    if (options.exchange == Exchange.WINDOW && (options.grid || options.buffers != Buffers.HEAP)) {
      throw new IllegalArgumentException("--exchange window keeps the temperatures in the window: it goes with neither"
          + " --grid nor --buffers");
    }
    return options;
  }

  private static Path path(String name) {
    return name == null ? null : Path.of(name);
  }

  private static <E extends Enum<E>> E kind(String option, String value, E[] kinds, String allowed) {
    for (E kind : kinds) {
      if (kind.name().toLowerCase(Locale.ROOT).equals(value)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(option + " " + value + ": " + allowed + " are allowed");
  }
}
