// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.show;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.Function;
import org.ffmpi.Comm;

/** The output of a sample, which rank 0 prints; the other ranks are silent. */
public final class Console {
  private final String name;
  private final Comm comm;
  private final PrintStream out;
  private final int columns;

  /**
   * Creates the console of a program.
   *
   * @param name name of the sample, which begins its error messages
   * @param comm all ranks
   */
  public Console(String name, Comm comm) {
    this(name, comm, System.out, terminalColumns());
  }

  /**
   * Creates a console.
   *
   * @param name name of the sample, which begins its error messages
   * @param comm all ranks
   * @param out where rank 0 prints
   * @param columns width of the terminal that {@code out} ends on, 0 for none
   */
  public Console(String name, Comm comm, PrintStream out, int columns) {
    this.name = name;
    this.comm = comm;
    this.out = out;
    this.columns = comm.rank() == 0 ? columns : 0;
  }

  /** Returns the width of the terminal that standard output ends on, from the launcher; 0 for none. */
  private static int terminalColumns() {
    String columns = System.getenv("FFMPI_TERMINAL");
    return columns == null ? 0 : Integer.parseInt(columns);
  }

  /**
   * Returns the width of the terminal.
   *
   * @return columns at rank 0; 0 at other ranks, and where the output is no terminal
   */
  public int columns() {
    return columns;
  }

  /**
   * Returns where rank 0 prints.
   *
   * @return the stream
   */
  public PrintStream out() {
    return out;
  }

  /**
   * Prints at rank 0.
   *
   * @param format as for {@link String#format}
   * @param values of the format
   */
  public void print(String format, Object... values) {
    if (comm.rank() == 0) {
      out.printf(Locale.ROOT, format, values);
    }
  }

  /**
   * Returns a progress bar, which shows nothing at other ranks than 0.
   *
   * @param total how many steps there are
   * @param unit the name of a step
   * @return the bar
   */
  public ProgressBar progress(int total, String unit) {
    return new ProgressBar(out, columns, total, unit);
  }

  /**
   * Reads the program's arguments. The job ends with exit code 2 when they are wrong.
   *
   * @param usage printed when the first argument is {@code --help}
   * @param words the arguments, the same at all ranks
   * @param read makes options of the arguments
   * @param <T> type of the options
   * @return the options; null when the program has nothing more to do
   */
  public <T> T options(String usage, String[] words, Function<Arguments, T> read) {
    Arguments arguments = new Arguments(words);
    if (arguments.flag("--help")) {
      print("%s", usage);
      return null;
    }
    try {
      T options = read.apply(arguments);
      arguments.end();
      return options;
    } catch (IllegalArgumentException e) {
      fail(2, e.getMessage());
      return null;
    }
  }

  /**
   * Ends the job with exit code 1 when the result is wrong.
   *
   * @param good whether the result is right, the same at all ranks
   * @param format the sentence on the error
   * @param values of the format
   */
  public void check(boolean good, String format, Object... values) {
    if (!good) {
      fail(1, String.format(Locale.ROOT, format, values));
    }
  }

  private void fail(int code, String sentence) {
    if (comm.rank() == 0) {
      System.err.println(name + ": " + sentence);
      comm.abort(code);
    }
    comm.barrier(); // rank 0 ends the job
  }
}
