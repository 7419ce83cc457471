// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Writes the interfaces of the calls that read and write files. Run by the build as {@code java
 * GenerateFileForms.java OUTPUT}.
 *
 * <p>A call is named by where it begins (an offset, the rank's file pointer, the shared one), whether it reads or
 * writes, whether the ranks take part together, and whether it blocks, starts a request, or is one of the two halves of
 * a split call. Each has a form with a {@code Buf} and one with a whole array or segment.
 */
public final class GenerateFileForms {
  private static final int WIDTH = 120;

  /** Where a call begins. */
  private enum Place {
    AT("ExplicitOffsetCalls", "_at", "At", "§14.4.2", "at an offset of the view"),
    POINTER("FilePointerCalls", "", "", "§14.4.3", "at this rank's file pointer, which advances by their number"),
    SHARED("SharedPointerCalls", "_shared", "Shared", "§14.4.4",
        "at the shared file pointer, which advances by their number"),
    ORDERED("SharedPointerCalls", "_ordered", "Ordered", "§14.4.4",
        "at the shared file pointer, one rank's behind the other's in the order of ranks");

    private final String type;
    private final String mpi;
    private final String java;
    private final String section;
    private final String text;

    Place(String type, String mpi, String java, String section, String text) {
      this.type = type;
      this.mpi = mpi;
      this.java = java;
      this.section = section;
      this.text = text;
    }
  }

  /** How a call goes on. */
  private enum Form { BLOCKING, STARTED, BEGIN, END }

  private record Call(Place place, boolean reads, boolean collective, Form form) {
    String mpi() {
      return "MPI_File_" + (form == Form.STARTED ? "i" : "") + verb() + place.mpi
          + (collective && place != Place.ORDERED ? "_all" : "")
          + (form == Form.BEGIN ? "_begin" : form == Form.END ? "_end" : "");
    }

    String verb() {
      return reads ? "read" : "write";
    }

    String name() {
      return (form == Form.STARTED ? "i" : "") + verb() + place.java
          + (collective && place != Place.ORDERED ? "All" : "")
          + (form == Form.BEGIN ? "Begin" : form == Form.END ? "End" : "");
    }

    boolean takesData() {
      return form != Form.END;
    }

    String result() {
      return switch (form) {
        case BLOCKING, END -> "Status";
        case STARTED -> "Request";
        case BEGIN -> "void";
      };
    }
  }

  private static final Map<String, String> ABOUT = Map.of(
      "ExplicitOffsetCalls",
      "The accesses of a file that begin at an offset of the view (MPI-4.1 §14.4.2). They neither use nor move a file"
          + " pointer. {@link MpiFile} has what all accesses have in common.",
      "FilePointerCalls",
      "The accesses of a file that begin at this rank's own file pointer (MPI-4.1 §14.4.3). The pointer advances when"
          + " the call begins, by as many etypes as the buffer has. {@link MpiFile} has what all accesses have in"
          + " common.",
      "SharedPointerCalls",
      "The accesses of a file that begin at the pointer that its ranks share (MPI-4.1 §14.4.4). All ranks have the same"
          + " view then. {@link MpiFile} has what all accesses have in common.");

  private GenerateFileForms() {}

  /**
   * Writes all interfaces.
   *
   * @param args folder to write to
   * @throws IOException when a file cannot be written
   */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]).resolve("org/ffmpi");
    Files.createDirectories(folder);
    for (String type : List.of("ExplicitOffsetCalls", "FilePointerCalls", "SharedPointerCalls")) {
      String text = write(type);
      Path file = folder.resolve(type + ".java");
      if (!Files.exists(file) || !Files.readString(file).equals(text)) {
        Files.writeString(file, text);
      }
    }
  }

  private static List<Call> calls(String type) {
    List<Call> calls = new ArrayList<>();
    for (Place place : Place.values()) {
      if (!place.type.equals(type)) {
        continue;
      }
      for (boolean reads : List.of(true, false)) {
        if (place != Place.ORDERED) {
          calls.add(new Call(place, reads, false, Form.BLOCKING));
          calls.add(new Call(place, reads, false, Form.STARTED));
        }
        if (place != Place.SHARED) {
          calls.add(new Call(place, reads, true, Form.BLOCKING));
          if (place != Place.ORDERED) {
            calls.add(new Call(place, reads, true, Form.STARTED));
          }
          calls.add(new Call(place, reads, true, Form.BEGIN));
          calls.add(new Call(place, reads, true, Form.END));
        }
      }
    }
    return calls;
  }

  private static String write(String type) {
    StringBuilder out = new StringBuilder();
    out.append("// SPDX-License-Identifier: Apache-2.0\npackage org.ffmpi;\n\n");
    out.append("import org.ffmpi.base.MpiException;\nimport org.ffmpi.base.Standard;\n");
    out.append("import org.ffmpi.collective.ArrayBufs;\n\n/**\n");
    fill(out, " * ", " * ", ABOUT.get(type) + " Generated.");
    out.append(" */\npublic sealed interface ").append(type).append(" permits MpiFile {\n");
    String gap = "";
    for (Call call : calls(type)) {
      out.append(gap);
      gap = "\n";
      declare(out, call, false);
      if (call.takesData()) {
        out.append('\n');
        declare(out, call, true);
      }
    }
    return out.append("}\n").toString();
  }

  private static void declare(StringBuilder out, Call call, boolean array) {
    out.append("  /**\n");
    fill(out, "   * ", "   * ", summary(call, array));
    out.append("   *\n");
    if (array) {
      fill(out, "   * ", "   *     ", "@param <A> an array of primitives, or a {@code MemorySegment} of bytes");
    }
    if (call.place == Place.AT && call.takesData()) {
      fill(out, "   * ", "   *     ", "@param offset where to begin, in etypes of the view, 0 or more");
    }
    if (call.takesData()) {
      fill(out, "   * ", "   *     ", "@param data " + data(call, array));
    }
    if (call.form != Form.BEGIN) {
      fill(out, "   * ", "   *     ", "@return " + (call.form == Form.STARTED
          ? "the request, whose status has the number of elements"
          : call.reads
              ? "a status with the number of elements that were there, fewer than asked for at the end of the file"
              : "a status with the number of elements"));
    }
    fill(out, "   * ", "   *     ", "@throws MpiException " + errors(call));
    out.append("   */\n  @Standard({\"").append(call.mpi());
    if (call.takesData()) {
      out.append("\", \"").append(call.mpi()).append("_c");
    }
    out.append("\"})\n  ");
    String offset = call.place == Place.AT && call.takesData() ? "long offset, " : "";
    if (!array) {
      out.append(call.result()).append(' ').append(call.name()).append('(').append(offset)
          .append(call.takesData() ? "Buf<?> data" : "").append(");\n");
      return;
    }
    out.append("default <A> ").append(call.result()).append(' ').append(call.name()).append('(').append(offset)
        .append("A data) {\n    ").append(call.form == Form.BEGIN ? "" : "return ").append(call.name()).append('(')
        .append(offset.isEmpty() ? "" : "offset, ").append("ArrayBufs.of(this, data));\n  }\n");
  }

  private static String summary(Call call, boolean array) {
    String what = array ? "a whole array" : "elements";
    StringBuilder text = new StringBuilder();
    String section = call.form == Form.BEGIN || call.form == Form.END ? "§14.4.5" : call.place.section;
    String names = " ({@code " + call.mpi() + "}, MPI-4.1 " + section + "). ";
    switch (call.form) {
      case BLOCKING -> text.append(call.reads ? "Reads " : "Writes ").append(what).append(' ').append(call.place.text)
          .append(names).append(call.reads ? "Blocks until they are here." : "Blocks until the buffer may be changed.");
      case STARTED -> text.append("Starts to ").append(call.verb()).append(' ').append(what).append(' ')
          .append(call.place.text).append(names)
          .append("Returns at once; a thread of the file goes on with it.");
      case BEGIN -> text.append("Begins to ").append(call.verb()).append(' ').append(what).append(' ')
          .append(call.place.text).append(names).append("{@code ").append(new Call(
              call.place, call.reads, true, Form.END).name())
          .append("} ends it; a file has one such call under way at a time.");
      case END -> text.append("Ends what {@code ").append(new Call(call.place, call.reads, true, Form.BEGIN).name())
          .append("} has begun").append(names).append("Blocks until the buffer may be used.");
    }
    if (call.collective) {
      text.append(" Collective over the file's ranks.");
    }
    return text.toString();
  }

  private static String data(Call call, boolean array) {
    String what = call.reads ? array ? "filled from its first element on" : "where the elements go"
        : array ? "all elements are written" : "the elements to write";
    return switch (call.form) {
      case STARTED -> what + (call.reads
          ? "; not to be touched until the request is complete" : "; not to be changed until the request is complete");
      case BEGIN -> what + (call.reads ? "; not to be touched until the end" : "; not to be changed until the end");
      default -> what;
    };
  }

  private static String errors(Call call) {
    List<String> errors = new ArrayList<>();
    if (call.form == Form.END) {
      errors.add("ERR_IO when no such call has begun");
    } else {
      if (call.place == Place.AT) {
        errors.add("ERR_ARG when the offset is negative");
      }
      errors.add("ERR_BUFFER or ERR_TYPE when the data cannot be used");
      errors.add("ERR_IO when they are no whole number of etypes");
      errors.add(call.reads
          ? "ERR_ACCESS when the file is open for writing only" : "ERR_READ_ONLY when it is open for reading only");
      if (call.place == Place.AT || call.place == Place.POINTER) {
        errors.add("ERR_UNSUPPORTED_OPERATION for a file that is open as SEQUENTIAL");
      }
      if (call.form == Form.BEGIN) {
        errors.add("ERR_IO when another split call is under way");
      }
    }
    errors.add("ERR_FILE when the file has been closed");
    if (call.form != Form.STARTED) {
      errors.add(call.reads ? "ERR_IO when the system cannot read"
          : "ERR_NO_SPACE, ERR_QUOTA and ERR_IO when the system cannot write");
    }
    return String.join("; ", errors);
  }

  /** Appends a text as lines of at most {@link #WIDTH} characters. */
  private static void fill(StringBuilder out, String first, String others, String text) {
    StringBuilder line = new StringBuilder(first);
    boolean begins = true;
    for (String word : text.replaceAll("\\{@(\\w+) ", "{@$1\u0001").split(" ")) {
      String shown = word.replace('\u0001', ' ');
      if (!begins && line.length() + 1 + shown.length() > WIDTH) {
        out.append(line).append('\n');
        line = new StringBuilder(others);
        begins = true;
      }
      line.append(begins ? "" : " ").append(shown);
      begins = false;
    }
    out.append(line).append('\n');
  }
}
