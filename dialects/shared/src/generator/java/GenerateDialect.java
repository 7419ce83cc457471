// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes the large classes of a dialect from templates. Run by the build as
 * {@code java GenerateDialect.java TEMPLATES OUTPUT}. A template is the Java source of a class, with less in it:
 *
 * <ul>
 *   <li>A public method's Javadoc gets the tags that it lacks, with the texts of {@code texts.txt}. A line there, or a
 *       line {@code //text} of a template, which holds from there on, has the name of a parameter, {@code return} with
 *       a type or {@code throws} with a class, then two spaces and the text.
 *   <li>The lines between {@code //for-each} and {@code //end} are repeated. Names of columns follow the mark, rows
 *       begin with {@code //|}, columns are two spaces apart, {@code -} is an empty value, and {@code @name@} stands
 *       for the value. A row of a single column has many values. A template whose file name has such a value has
 *       {@code //for-each} below its licence line, and gives a file for each row.
 *   <li>After {@code //calls X} the body of each public method is put into a {@code try} that answers an
 *       {@code MpiException e} by throwing {@code X}, unless it has one of its own; {@code //plain} ends that.
 *   <li>After {@code //collectives X} each method gets a nonblocking form beside it as well.
 * </ul>
 */
public final class GenerateDialect {
  private static final Pattern TAG = Pattern.compile("@(param \\S+|return|throws \\S+) (.*)");

  private static final Pattern METHOD = Pattern.compile(
      " *(?:@.*\n *)*(?:public|protected) (?:(?:static|final|abstract|synchronized) )*(?:<.*?> )?"
          + "(?<type>[\\w.<>\\[\\]]+ )?(?<name>\\w+)\\((?<parameters>[^)]*)\\)"
          + "(?:\\s+throws (?<thrown>\\w+))? (?:\\{\n?|;\n?)",
      Pattern.DOTALL);

  private static final Pattern FORWARDED = Pattern.compile("( *\\w+\\(\\)\\.)(\\w+\\(.*)", Pattern.DOTALL);

  private final Map<String, String> texts = new LinkedHashMap<>();
  private final StringBuilder out = new StringBuilder();
  private String thrown;
  private boolean isCollective;

  private GenerateDialect(List<String> texts) {
    texts.forEach(this::addText);
  }

  /**
   * Expands all templates.
   *
   * @param args folder of the templates, folder to write to
   * @throws IOException when a file cannot be read or written
   */
  public static void main(String[] args) throws IOException {
    Path output = Path.of(args[1]);
    Files.createDirectories(output);
    List<String> texts = Files.readAllLines(Path.of(args[0], "texts.txt"));
    List<Path> written = new ArrayList<>();
    try (Stream<Path> templates = Files.list(Path.of(args[0]))) {
      for (Path template : templates.filter(file -> file.toString().endsWith(".java")).toList()) {
        for (Map.Entry<String, List<String>> source : sources(template).entrySet()) {
          String text = new GenerateDialect(texts).expand(source.getValue());
          Path file = output.resolve(folder(text)).resolve(source.getKey());
          Files.createDirectories(file.getParent());
          if (!Files.exists(file) || !Files.readString(file).equals(text)) {
            Files.writeString(file, text);
          }
          written.add(file);
        }
      }
    }
    try (Stream<Path> files = Files.walk(output)) {
      for (Path file : files.filter(f -> Files.isRegularFile(f) && !written.contains(f)).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Returns the folder of the package that a source declares. */
  private static String folder(String source) {
    Matcher declared = Pattern.compile("^package (.*);$", Pattern.MULTILINE).matcher(source);
    if (!declared.find()) {
      throw new IllegalArgumentException("no package in: " + source);
    }
    return declared.group(1).replace('.', '/');
  }

  // ---- repeated lines

  /** Returns the lines of each file that a template gives, without marks for repetition. */
  private static Map<String, List<String>> sources(Path template) throws IOException {
    String name = template.getFileName().toString();
    List<String> lines = Files.readAllLines(template);
    if (!name.contains("@")) {
      return Map.of(name, repeated(lines));
    }
    Map<String, List<String>> sources = new LinkedHashMap<>();
    int first = endOfRows(lines, 1);
    for (Map<String, String> row : rows(lines.subList(1, first))) {
      List<String> one = new ArrayList<>(lines.subList(first, lines.size()));
      one.addFirst(lines.getFirst());
      one.replaceAll(line -> filled(line, row));
      sources.put(filled(name, row), repeated(one));
    }
    return sources;
  }

  private static List<String> repeated(List<String> lines) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).strip().startsWith("//for-each ")) {
        int first = endOfRows(lines, i);
        int end = first;
        while (!lines.get(end).strip().equals("//end")) {
          end++;
        }
        for (Map<String, String> row : rows(lines.subList(i, first))) {
          lines.subList(first, end).forEach(line -> all.add(filled(line, row)));
        }
        i = end;
      } else {
        all.add(lines.get(i));
      }
    }
    return all;
  }

  private static int endOfRows(List<String> lines, int mark) {
    int end = mark + 1;
    while (lines.get(end).strip().startsWith("//| ")) {
      end++;
    }
    return end;
  }

  private static List<Map<String, String>> rows(List<String> marked) {
    String[] columns = marked.getFirst().strip().substring("//for-each ".length()).split(" ");
    List<Map<String, String>> rows = new ArrayList<>();
    for (String line : marked.subList(1, marked.size())) {
      String row = line.strip().substring("//| ".length());
      if (columns.length == 1) {
        Stream.of(row.split(" ")).forEach(value -> rows.add(Map.of(columns[0], value)));
      } else {
        String[] values = row.split(" {2,}");
        Map<String, String> named = new LinkedHashMap<>();
        for (int c = 0; c < columns.length; c++) {
          named.put(columns[c], values[c].equals("-") ? "" : values[c]);
        }
        rows.add(named);
      }
    }
    return rows;
  }

  private static String filled(String line, Map<String, String> row) {
    String filled = line;
    for (Map.Entry<String, String> value : row.entrySet()) {
      filled = filled.replace("@" + value.getKey() + "@", value.getValue());
    }
    return filled;
  }

  // ---- methods

  private void addText(String line) {
    int gap = line.indexOf("  ");
    texts.put(line.substring(0, gap), line.substring(gap).strip());
  }

  private String expand(List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      String mark = line.strip();
      if (mark.startsWith("//text ")) {
        addText(mark.substring("//text ".length()));
        i += lines.get(i + 1).isEmpty() ? 1 : 0;
      } else if (mark.startsWith("//calls ") || mark.startsWith("//collectives ") || mark.equals("//plain")) {
        isCollective = mark.startsWith("//collectives ");
        thrown = mark.equals("//plain") ? null : mark.substring(mark.indexOf(' ') + 1);
      } else if (mark.startsWith("/**")) {
        i = documented(lines, i);
      } else {
        out.append(line).append('\n');
      }
    }
    return out.toString();
  }

  /** Writes what a Javadoc comment belongs to, a method with what it lacks; returns the last line that it has read. */
  private int documented(List<String> lines, int from) {
    int head = from;
    while (!lines.get(head).endsWith("*/")) {
      head++;
    }
    head++;
    int body = head;
    while (!lines.get(body).endsWith("{") && !lines.get(body).endsWith(";")) {
      body++;
    }
    body++;
    List<String> doc = lines.subList(from, head);
    String declaration = joined(lines.subList(head, body));
    Matcher method = METHOD.matcher(declaration);
    if (!method.matches()) {
      out.append(joined(doc)).append(declaration);
      return body - 1;
    }
    String indent = declaration.substring(0, declaration.length() - declaration.stripLeading().length());
    int end = body;
    while (lines.get(body - 1).endsWith("{") && !lines.get(end).equals(indent + "}")) {
      end++;
    }
    Comment comment = Comment.of(doc);
    write(comment, method, lines.subList(body, end), indent);
    if (isCollective) {
      String name = method.group("name");
      String nonblocking = "i" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
      Matcher starting = METHOD.matcher(declaration.replace("void " + name, "Request " + nonblocking)
          .replace("Object ", "Buffer "));
      Matcher call = FORWARDED.matcher(joined(lines.subList(body, end)).stripTrailing());
      if (!starting.matches() || !call.matches()) {
        throw new IllegalArgumentException("no collective call: " + declaration);
      }
      List<String> start = (indent + "  return new Request(" + call.group(1).strip() + "i" + call.group(2)
          .replaceFirst(";$", ");")).lines().toList();
      out.append('\n');
      write(comment.nonblocking(name), starting, start, indent);
    }
    return lines.get(body - 1).endsWith("{") ? end : body - 1;
  }

  private void write(Comment comment, Matcher method, List<String> body, String indent) {
    out.append(comment.completed(method, texts, indent)).append(method.group());
    if (!method.group().endsWith("{\n")) {
      return;
    }
    if (thrown == null || body.contains(indent + "  try {")) {
      out.append(joined(body));
    } else {
      out.append(indent).append("  try {\n");
      body.forEach(line -> out.append(line.isEmpty() ? "" : "  ").append(line).append('\n'));
      out.append(indent).append("  } catch (MpiException e) {\n").append(indent).append("    throw ").append(thrown)
          .append(";\n").append(indent).append("  }\n");
    }
    out.append(indent).append("}\n");
  }

  private static String joined(List<String> lines) {
    return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
  }

  /**
   * A Javadoc comment.
   *
   * @param summary the lines before its tags
   * @param tags texts, by tag and name
   */
  private record Comment(List<String> summary, Map<String, String> tags) {
    static Comment of(List<String> lines) {
      List<String> summary = new ArrayList<>();
      Map<String, String> tags = new LinkedHashMap<>();
      String last = null;
      for (String line : lines) {
        String text = line.strip().replaceFirst(" ?\\*/$", "").replaceFirst("^(/\\*)?\\* ?", "");
        Matcher tag = TAG.matcher(text);
        if (tag.matches()) {
          last = tag.group(1);
          tags.put(last, tag.group(2));
        } else if (last != null) {
          tags.merge(last, text.strip(), (a, b) -> b.isEmpty() ? a : a + "\n    " + b);
        } else {
          summary.add(text);
        }
      }
      while (summary.getLast().isEmpty()) {
        summary.removeLast();
      }
      while (summary.getFirst().isEmpty()) {
        summary.removeFirst();
      }
      return new Comment(summary, tags);
    }

    /** Returns the comment of the nonblocking form of a method. */
    Comment nonblocking(String name) {
      Matcher mpi = Pattern.compile("\\{@code MPI_(\\w)(\\w*)}").matcher(String.join(" ", summary));
      if (!mpi.find()) {
        throw new IllegalArgumentException(name + ": no name of MPI in " + summary);
      }
      return new Comment(
          List.of("Starts what {@link #" + name + "} does ({@code MPI_I" + mpi.group(1).toLowerCase() + mpi.group(2)
              + "})."), tags);
    }

    /** Returns the comment with a tag for each parameter, the result and the exception. */
    String completed(Matcher method, Map<String, String> texts, String indent) {
      Map<String, String> all = new LinkedHashMap<>();
      tags.forEach((tag, text) -> {
        if (tag.startsWith("param <")) {
          all.put(tag, text);
        }
      });
      String parameters = method.group("parameters").replaceAll("<[^()]*?>", "").replaceAll("\\s+", " ");
      for (String parameter : parameters.isBlank() ? new String[0] : parameters.strip().split(", ")) {
        String name = parameter.substring(parameter.lastIndexOf(' ') + 1);
        put(all, "param " + name, texts.get(name), method);
      }
      String type = method.group("type");
      if (type != null && !type.equals("void ")) {
        put(all, "return", texts.get("return " + type.strip()), method);
      }
      if (method.group("thrown") != null
          && (tags.containsKey("throws MPIException") || texts.containsKey("throws MPIException"))) {
        put(all, "throws MPIException", texts.get("throws MPIException"), method);
      }
      tags.forEach(all::putIfAbsent);
      if (all.isEmpty() && summary.size() == 1) {
        return indent + "/** " + summary.getFirst() + " */\n";
      }
      StringBuilder text = new StringBuilder(indent).append("/**\n");
      summary.forEach(line -> text.append(indent).append((" * " + line).stripTrailing()).append('\n'));
      text.append(all.isEmpty() ? "" : indent + " *\n");
      all.forEach((tag, words) ->
          ("@" + tag + " " + words).lines().forEach(line -> text.append(indent + " * " + line + "\n")));
      return text.append(indent).append(" */\n").toString();
    }

    private void put(Map<String, String> all, String tag, String usual, Matcher method) {
      String text = tags.getOrDefault(tag, usual);
      if (text == null) {
        throw new IllegalArgumentException("no text for @" + tag + " of " + method.group());
      }
      all.put(tag, text);
    }
  }
}
