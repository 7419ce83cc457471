// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the forms of the collective calls. Run by the build as
 * {@code java GenerateCollectiveForms.java SOURCES OUTPUT}.
 *
 * <p>{@code SOURCES} has a template for each interface, {@code X.java}, whose lines {@code //operations A B} name
 * files in the folder {@code X}. Such a file has the blocking calls of one operation, as Java with its Javadoc, and the
 * sections of the standard that its other forms are in:
 *
 * <pre>
 * //nonblocking §6.12.3
 * //persistent §6.13.3
 *
 * /** Collects every rank's elements at the root ({&#64;code MPI_Gather}, MPI-4.1 §6.5). … *&#47;
 * &#64;Standard({"MPI_Gather", "MPI_Gather_c"})
 * void gather(Buf&lt;?&gt; send, Buf&lt;?&gt; recv, int root) {
 *   run(new MovingCollective(CollectiveMethod.GATHER, send, recv, root));
 * }
 * </pre>
 *
 * <p>A call with counts and displacements has forms with arrays of int, too, but for the persistent one. The root comes
 * last in them, as a parameter of any number of ranks: so a call whose arrays are null, since they do not matter at
 * that rank, keeps meaning the form of longs.
 *
 * <p>The interface gets the declarations. A template with the line {@code //bodies X} becomes the class that has the
 * bodies of all of X's calls, and inherits or declares {@code run}, {@code start} and {@code init}.
 *
 * <p>Each call gets into the interface as it is, then as {@code Request igather(…)}, which calls {@code start} instead
 * of {@code run}, and as {@code Persistent gatherInit(…, Info info)}, which calls {@code init}. All forms describe all
 * parameters, and the permitted uses of buffers and arrays meanwhile.
 */
public final class GenerateCollectiveForms {
  private static final int WIDTH = 120;

  /** One call, with its Javadoc, its names in the standard, its modifiers, its parameters, and its body. */
  private static final Pattern CALL = Pattern.compile(
      "/\\*\\*\n(?<doc>(?: \\*[^\n]*\n)+?) \\*/\n@Standard\\(\\{(?<names>[^}]*)}\\)\n"
          + "(?<types><[^(]*> )?void (?<name>\\w+)\\((?<parameters>[^)]*)\\) \\{\n  run\\((?<call>.*?)\\);\n}\n",
      Pattern.DOTALL);

  private static final String OPERATIONS = "//operations ";

  private static final Pattern SECTION = Pattern.compile("//(nonblocking|persistent) §(\\S+)");

  private static final Pattern TAG = Pattern.compile("^@(?:param \\S+|return|throws \\S+) ");

  private static final Pattern WORD = Pattern.compile("(?:\\{@[^}]*}|\\S)+");

  private GenerateCollectiveForms() {}

  /**
   * Writes all interfaces.
   *
   * @param args folder of the sources, folder to write to
   * @throws IOException when a file cannot be read or written
   */
  public static void main(String[] args) throws IOException {
    Path sources = Path.of(args[0]);
    Path output = Path.of(args[1]);
    Files.createDirectories(output);
    List<Path> written = new ArrayList<>();
    List<Path> templates;
    try (Stream<Path> files = Files.list(sources)) {
      templates = files.filter(Files::isRegularFile).toList();
    }
    for (Path template : templates) {
      String text = expand(template);
      Path file = output.resolve(folder(text)).resolve(template.getFileName());
      Files.createDirectories(file.getParent());
      if (!Files.exists(file) || !Files.readString(file).equals(text)) {
        Files.writeString(file, text);
      }
      written.add(file);
    }
    deleteOthers(output, written);
  }

  /** Deletes files of an earlier build in the output folder. Files that stay keep their time. */
  private static void deleteOthers(Path output, List<Path> written) throws IOException {
    try (Stream<Path> files = Files.walk(output)) {
      for (Path file : files.filter(f -> Files.isRegularFile(f) && !written.contains(f)).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Returns the folder of the package that a source declares. */
  private static String folder(String source) {
    String declared = source.substring(source.indexOf("\npackage ") + "\npackage ".length());
    return declared.substring(0, declared.indexOf(';')).replace('.', '/');
  }

  private static String expand(Path template) throws IOException {
    StringBuilder out = new StringBuilder();
    for (String line : Files.readAllLines(template)) {
      String mark = line.strip();
      if (mark.startsWith(OPERATIONS)) {
        out.append(all(template, line, false));
      } else if (mark.startsWith("//bodies ")) {
        Path declared = template.resolveSibling(mark.substring("//bodies ".length()) + ".java");
        for (String operations : Files.readAllLines(declared)) {
          out.append(operations.strip().startsWith(OPERATIONS) ? all(declared, operations, true) : "");
        }
      } else {
        out.append(line).append('\n');
      }
    }
    return out.toString().replace("\n\n}\n", "\n}\n");
  }

  /** Returns the forms of the operations that a line of a template names. */
  private static String all(Path template, String line, boolean bodies) throws IOException {
    Path folder = template.resolveSibling(template.getFileName().toString().replace(".java", ""));
    StringBuilder out = new StringBuilder();
    for (String operation : line.strip().substring(OPERATIONS.length()).split(" ")) {
      out.append(forms(folder.resolve(operation + ".java"), bodies));
    }
    return out.toString();
  }

  private static String forms(Path operation, boolean bodies) throws IOException {
    String text = Files.readString(operation);
    String nonblocking = section(text, "nonblocking", operation);
    String persistent = section(text, "persistent", operation);
    StringBuilder out = new StringBuilder();
    Matcher call = CALL.matcher(text);
    int calls = 0;
    while (call.find()) {
      Source source = Source.of(call, operation, bodies);
      out.append(source.blocking()).append('\n');
      out.append(source.nonblocking(nonblocking)).append('\n');
      out.append(source.persistent(persistent)).append('\n');
      if (source.hasLongs()) {
        out.append(source.ofInts()).append('\n');
      }
      calls++;
    }
    if (calls == 0 || calls != text.split("@Standard").length - 1) {
      throw new IllegalArgumentException(operation + ": a call is not written as this generator expects");
    }
    return out.toString();
  }

  private static String section(String text, String form, Path operation) {
    Matcher sections = SECTION.matcher(text);
    while (sections.find()) {
      if (sections.group(1).equals(form)) {
        return sections.group(2);
      }
    }
    throw new IllegalArgumentException(operation + ": no line //" + form + " §…");
  }

  /**
   * A call as it is written by hand.
   *
   * @param summary the Javadoc before its tags
   * @param tags what the Javadoc says of parameters and errors, one text each
   * @param names the standard's names for it, as {@code MPI_Gather}
   * @param types type parameters, as {@code <T>} and a space, or nothing
   * @param parameters as {@code Buf<?> send}
   * @param call the expression that checks and describes the call
   * @param bodies whether its forms are written with their bodies, or with their Javadoc
   */
  private record Source(
      String summary, List<String> tags, List<String> names, String types, String name, List<String> parameters,
      String call, boolean bodies) {
    static Source of(Matcher found, Path operation, boolean bodies) {
      List<String> texts = new ArrayList<>(List.of(""));
      for (String line : found.group("doc").lines().map(l -> l.replaceFirst("^ \\*", "").strip()).toList()) {
        if (TAG.matcher(line).find()) {
          texts.add(line);
        } else {
          texts.set(texts.size() - 1, (texts.getLast() + " " + line).strip());
        }
      }
      List<String> names =
          Stream.of(found.group("names").split(", ")).map(n -> n.replace("\"", "")).toList();
      List<String> parameters = found.group("parameters").isEmpty()
          ? List.of()
          : Stream.of(found.group("parameters").strip().split(",\\s+")).toList();
      if (!texts.getFirst().contains("{@code " + names.getFirst() + "}")) {
        throw new IllegalArgumentException(operation + ": no {@code " + names.getFirst() + "} in the first sentence");
      }
      return new Source(
          texts.getFirst(), texts.subList(1, texts.size()), names,
          found.group("types") == null ? "" : found.group("types"), found.group("name"), parameters,
          found.group("call").replaceAll("\n *", "\n        "), bodies);
    }

    /** Returns whether this is a call with counts and displacements. */
    boolean hasLongs() {
      return parameters.stream().filter(p -> p.startsWith("long[] ")).count() > 1;
    }

    /** Returns the forms with arrays of int, which call those with arrays of long. */
    String ofInts() {
      List<String> ints = new ArrayList<>();
      List<String> arguments = new ArrayList<>();
      for (String parameter : parameters) {
        String own = parameter.substring(parameter.lastIndexOf(' ') + 1);
        boolean isArray = parameter.startsWith("long[] ");
        boolean isRoot = parameter.equals("int root");
        ints.add(isArray ? "int[] " + own : isRoot ? "int... root" : parameter);
        arguments.add(isArray ? "IntArguments.longs(" + own + ")" : isRoot ? "IntArguments.root(root)" : own);
      }
      String list = "(" + String.join(", ", arguments) + ");";
      String mpi = "MPI_I" + names.getFirst().substring(4, 5).toLowerCase() + names.getFirst().substring(5);
      String does = "does, with arrays of int ({@code ";
      return method("Does what " + link(name) + " " + does + names.getFirst() + "}" + inPlace() + ").", tags,
              List.of(names.getFirst()), "void", name, ints, name + list) + '\n'
          + method("Starts what " + link("i" + name) + " " + does + mpi + "}" + inPlace() + ").",
              requestTags(), List.of(mpi), "Request", "i" + name, ints, "return i" + name + list);
    }

    String blocking() {
      return method(summary, tags, names, "void", name, parameters, "run(" + call + ");");
    }

    private List<String> requestTags() {
      List<String> all = described("until the request is complete");
      all.add(firstThrows(all), "@return the request");
      return all;
    }

    String nonblocking(String section) {
      String mpi = "MPI_I" + names.getFirst().substring(4, 5).toLowerCase() + names.getFirst().substring(5);
      return method(
          "Starts what " + link() + " does, and returns at once ({@code " + mpi + "}" + inPlace() + ", MPI-4.1 §"
              + section + ").",
          requestTags(), named(mpi), "Request", "i" + name, parameters, "return start(" + call + ");");
    }

    String persistent(String section) {
      List<String> all = described("while the request is active");
      int end = firstThrows(all);
      all.add(end, "@param info hints, the same at all ranks; those that are not known are ignored; null for none");
      all.add(
          end + 1, "@return an inactive request, to be started any number of times and closed at the end");
      boolean isLast = end + 2 == all.size();
      String freed = "ERR_INFO when the info has been freed";
      if (isLast) {
        all.add("@throws MpiException " + freed);
      } else {
        all.set(end + 2, all.get(end + 2) + "; " + freed);
      }
      String mpi = names.getFirst() + "_init";
      List<String> more = new ArrayList<>(parameters);
      more.add("Info info");
      return method(
          "Makes a persistent request of what " + link() + " does ({@code " + mpi + "}" + inPlace() + ", MPI-4.1 §"
              + section + "). Collective; starts nothing.",
          all, named(mpi), "Persistent", name + "Init", more, "return init(" + call + ", info);");
    }

    private String inPlace() {
      return summary.contains("with {@code MPI_IN_PLACE}") ? " with {@code MPI_IN_PLACE}" : "";
    }

    private String link() {
      return link(name);
    }

    private String link(String method) {
      return "{@link #" + method + "("
          + parameters.stream().map(p -> p.replaceAll("<.*>", "").split(" ")[0]).collect(Collectors.joining(", "))
          + ")}";
    }

    private List<String> named(String mpi) {
      return names.size() > 1 ? List.of(mpi, mpi + "_c") : List.of(mpi);
    }

    /** Returns the tags, with the buffers that the program must not use meanwhile. */
    private List<String> described(String meanwhile) {
      List<String> all = new ArrayList<>();
      for (String tag : tags) {
        String parameter = tag.startsWith("@param ") ? tag.split(" ")[1] : "";
        all.add(tag + switch (parameter) {
          case "send" -> "; not to be changed " + meanwhile;
          case "recv", "buf", "bufs" -> "; not to be touched " + meanwhile;
          default -> parameter.matches(".*([cC]ounts|[dD]ispls|[tT]ypes)") ? "; may be changed afterwards" : "";
        });
      }
      return all;
    }

    private static int firstThrows(List<String> tags) {
      int i = 0;
      while (i < tags.size() && tags.get(i).startsWith("@param")) {
        i++;
      }
      return i;
    }

    private String method(
        String text, List<String> tags, List<String> names, String returned, String name, List<String> parameters,
        String statement) {
      StringBuilder out = new StringBuilder();
      if (!bodies) {
        out.append("  /**\n");
        wrap(out, text, "");
        if (!tags.isEmpty()) {
          out.append("   *\n");
        }
        tags.forEach(tag -> wrap(out, tag, "    "));
        out.append("   */\n  @Standard({\"").append(String.join("\", \"", names)).append("\"})\n");
      }
      String head = (bodies ? "  public " : "  ") + types + returned + " " + name + "(";
      String list = String.join(", ", parameters);
      out.append(head).append(head.length() + list.length() + 3 > WIDTH ? "\n      " : "").append(list);
      return out.append(bodies ? ") {\n    " + statement + "\n  }\n" : ");\n").toString();
    }

    private static void wrap(StringBuilder out, String text, String indent) {
      StringBuilder line = new StringBuilder("   *");
      Matcher words = WORD.matcher(text);
      while (words.find()) {
        if (line.length() + 1 + words.group().length() > WIDTH) {
          out.append(line).append('\n');
          line.setLength(0);
          line.append("   *").append(indent);
        }
        line.append(' ').append(words.group());
      }
      out.append(line).append('\n');
    }
  }
}
