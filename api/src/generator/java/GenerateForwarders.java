// SPDX-License-Identifier: Apache-2.0

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Writes the classes that have the abstract methods of public interfaces and hand the arguments on. Run by the
 * build as {@code java GenerateForwarders.java TABLE OUTPUT SOURCES...}, where each of {@code SOURCES} is the root of a
 * source tree.
 *
 * <p>The table has a line for each class, and below it a line for each interface, or for one of its methods, with the
 * expression that gets its calls:
 *
 * <pre>
 * class org.ffmpi.communicator.ForwardingIntraComm extends CommImpl of IntraComm permits IntraCommImpl
 *   ProbeCalls        probes
 *   Comm.topology     -
 * </pre>
 *
 * <p>So {@code probe(int source, int tag)} becomes a method that returns {@code probes.probe(source, tag)}. In an
 * expression, {@code {call}} stands for the call with its arguments, where more follows or surrounds it, and {@code
 * {array}} for the arguments of a call with a bare array; a dash leaves a method to a class written by hand. An
 * expression may call a method of the subclass: a line {@code abstract CartTopology gridTopology()} declares it. A rule
 * for a method precedes that for its interface, and a class has the rules of those that {@code like} names. Every
 * forwarder carries its method's annotations, by which profilers and diagnosis know a call.
 *
 * <p>{@code observe} as a rule makes a method that reports to an observer: it calls {@code begin(name, target, buffer)}
 * of its class, the same method of its parent, and {@code end(number)}; an epoch that the call returns passes through
 * {@code epoch(result, name, target)}.
 */
public final class GenerateForwarders {
  private static final Pattern CLASS = Pattern.compile(
      "class (?<name>[\\w.]+)(?: extends (?<parent>\\w+))? of (?<type>\\w+)"
          + "(?: with (?<also>\\w+))?(?: permits (?<heir>\\w+))?(?: like (?<like>\\w+))?");

  private static final Pattern WORD = Pattern.compile("\\b[A-Z]\\w*");

  private static final Map<String, String> KINDS = Map.of(
      "double[]", "DOUBLES", "float[]", "FLOATS", "int[]", "INTS", "long[]", "LONGS", "short[]", "SHORTS",
      "char[]", "CHARS", "byte[]", "BYTES", "boolean[]", "BOOLEANS");

  /** A parsed source file. */
  private record Source(String packageName, ClassTree type, Map<String, String> imports) {}

  /** One generated class, as the table describes it. */
  private record Target(
      String packageName, String name, String parent, String type, String also, String heir,
      Map<String, String> rules, List<String> declared) {}

  private final Map<String, Path> files = new HashMap<>();
  private final Map<String, Source> parsed = new HashMap<>();
  private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();

  private GenerateForwarders(List<Path> roots) throws IOException {
    for (Path root : roots) {
      try (Stream<Path> all = Files.walk(root)) {
        all.filter(file -> file.toString().endsWith(".java"))
            .forEach(file -> files.put(file.getFileName().toString().replace(".java", ""), file));
      }
    }
  }

  /**
   * Writes all classes of the table.
   *
   * @param args table, folder to write to, roots of the sources
   * @throws IOException when a file cannot be read or written
   */
  public static void main(String[] args) throws IOException {
    Path output = Path.of(args[1]);
    GenerateForwarders generator = new GenerateForwarders(Stream.of(args).skip(2).map(Path::of).toList());
    for (Target target : table(Files.readAllLines(Path.of(args[0])))) {
      Path file = output.resolve(target.packageName.replace('.', '/')).resolve(target.name + ".java");
      Files.createDirectories(file.getParent());
      String text = generator.write(target);
      if (!Files.exists(file) || !Files.readString(file).equals(text)) {
        Files.writeString(file, text);
      }
    }
  }

  private static Collection<Target> table(List<String> lines) {
    Map<String, Target> targets = new LinkedHashMap<>();
    Target last = null;
    for (String line : lines) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      Matcher head = CLASS.matcher(line);
      if (head.matches()) {
        String name = head.group("name");
        int dot = name.lastIndexOf('.');
        Map<String, String> rules = new LinkedHashMap<>();
        if (head.group("like") != null) {
          rules.putAll(targets.get(head.group("like")).rules);
        }
        last = new Target(
            name.substring(0, dot), name.substring(dot + 1), head.group("parent"), head.group("type"),
            head.group("also"), head.group("heir"), rules, new ArrayList<>());
        targets.put(last.name, last);
      } else if (line.startsWith("  abstract ") && last != null) {
        last.declared.add(line.strip());
      } else if (line.startsWith("  ") && last != null) {
        String[] rule = line.strip().split("\\s+", 2);
        last.rules.put(rule[0], rule[1]);
      } else {
        throw new IllegalArgumentException("not a line of the table: " + line);
      }
    }
    return targets.values();
  }

  private Source source(String name) throws IOException {
    Source known = parsed.get(name);
    if (known == null) {
      try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
        JavacTask task = (JavacTask) compiler.getTask(
            null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjects(files.get(name)));
        CompilationUnitTree unit = task.parse().iterator().next();
        Map<String, String> imports = new HashMap<>();
        for (ImportTree tree : unit.getImports()) {
          String imported = tree.getQualifiedIdentifier().toString();
          imports.put(imported.substring(imported.lastIndexOf('.') + 1), imported);
        }
        ClassTree type = unit.getTypeDecls().stream()
            .filter(tree -> tree instanceof ClassTree)
            .map(tree -> (ClassTree) tree)
            .findFirst().orElseThrow();
        known = new Source(unit.getPackageName().toString(), type, imports);
        parsed.put(name, known);
      }
    }
    return known;
  }

  // ---- one class

  private String write(Target target) throws IOException {
    TreeSet<String> imports = new TreeSet<>();
    StringBuilder body = new StringBuilder();
    if (target.parent != null) {
      constructor(target, imports, body);
    }
    for (String method : target.declared) {
      String type = method.split(" ")[1];
      String packageName = source(type).packageName;
      if (!packageName.equals(target.packageName)) {
        imports.add(packageName + "." + type);
      }
      body.append("\n  ").append(method).append(";\n");
    }
    Map<String, Boolean> done = new HashMap<>();
    collect(target, target.type, imports, body, done);
    String head = "abstract " + (target.heir == null ? "" : "sealed ") + "class " + target.name
        + (target.parent == null ? "" : " extends " + target.parent)
        + (target.also == null ? "" : " implements " + target.also)
        + (target.heir == null ? "" : " permits " + target.heir);
    return "// SPDX-License-Identifier: Apache-2.0\npackage " + target.packageName + ";\n\n"
        + imports.stream().map(name -> "import " + name + ";\n").collect(Collectors.joining())
        + "\n/** Forwards the calls of {@link " + source(target.type).packageName + "." + target.type
        + "} to the objects of their topics. Generated. */\n"
        + "public " + head + " {" + body + "}\n"; // from a hidden class, javac would repeat each method in its subclass
  }

  /** Repeats the constructor of the parent. */
  private void constructor(Target target, TreeSet<String> imports, StringBuilder body) throws IOException {
    Source parent = source(target.parent);
    for (Tree member : parent.type.getMembers()) {
      if (member instanceof MethodTree method && method.getReturnType() == null
          && !method.getModifiers().getFlags().contains(Modifier.PRIVATE)) {
        body.append("\n  ").append(target.name).append('(').append(parameters(target, parent, method, imports))
            .append(") {\n    super(").append(arguments(method)).append(");\n  }\n");
      }
    }
  }

  /** Writes the forwarders of an interface, then of those it extends; a method of one hides that of the others. */
  private void collect(
      Target target, String name, TreeSet<String> imports, StringBuilder body, Map<String, Boolean> done)
      throws IOException {
    Source source = source(name);
    for (Tree member : source.type.getMembers()) {
      if (!(member instanceof MethodTree method)
          || method.getModifiers().getFlags().contains(Modifier.STATIC)
          || method.getModifiers().getFlags().contains(Modifier.PRIVATE)) {
        continue;
      }
      String signature = method.getName() + "(" + method.getParameters().stream()
          .map(p -> p.getType().toString().replaceAll("<.*>", "")).collect(Collectors.joining(",")) + ")";
      if (done.putIfAbsent(signature, true) == null && method.getBody() == null) {
        forward(target, name, source, method, imports, body);
      }
    }
    for (Tree parent : source.type.getImplementsClause()) {
      String above = parent.toString().replaceAll("<.*>", "");
      if (files.containsKey(above)) {
        collect(target, above, imports, body, done);
      }
    }
  }

  private void forward(
      Target target, String owner, Source source, MethodTree method, TreeSet<String> imports, StringBuilder body)
      throws IOException {
    String rule = target.rules.get(owner + "." + method.getName());
    if (rule == null) {
      rule = target.rules.get(owner);
    }
    if (rule == null) {
      throw new IllegalArgumentException(target.name + ": no rule for " + owner + "." + method.getName());
    }
    if (rule.equals("-")) {
      return;
    }
    String returned = method.getReturnType().toString();
    String types = method.getTypeParameters().stream().map(Object::toString).collect(Collectors.joining(", "));
    needAll(target, source, returned + " " + types, imports);
    method.getModifiers().getAnnotations().forEach(annotation -> {
      String text = annotation.toString();
      if (!text.startsWith("@Override")) {
        needAll(target, source, text.replaceAll("\"[^\"]*\"", ""), imports);
        body.append("\n  ").append(text.replaceAll("\\((?:value = )?\\{?(.*?)}?\\)$", "({$1})"));
      }
    });
    if (rule.equals("observe")) {
      observe(target, source, method, types, imports, body);
      return;
    }
    String call;
    if (rule.contains("{array}")) {
      VariableTree array = method.getParameters().getFirst();
      String kind = KINDS.get(array.getType().toString());
      String rest = method.getParameters().stream().skip(1)
          .map(p -> ", " + p.getName()).collect(Collectors.joining());
      imports.add("org.ffmpi.base.raw.Memory");
      call = rule.replace("{name}", method.getName()).replace("{array}",
          "Memory." + kind + ", data, data == null ? 0 : data.length, ArrayPlans." + kind + rest);
    } else {
      String plain = method.getName() + "(" + arguments(method) + ")";
      call = rule.contains("{call}") ? rule.replace("{call}", plain) : rule + "." + plain;
    }
    for (String word : WORD.matcher(call).results().map(found -> found.group()).toList()) {
      if (files.containsKey(word) && !source(word).packageName.equals(target.packageName)) {
        imports.add(source(word).packageName + "." + word);
      }
    }
    body.append("\n  public ").append(types.isEmpty() ? "" : "<" + types + "> ").append(returned).append(' ')
        .append(method.getName()).append('(').append(parameters(target, source, method, imports)).append(") {\n    ")
        .append(returned.equals("void") ? "" : "return ").append(call).append(";\n  }\n");
  }

  /** Writes a method that reports its beginning and its end. */
  private void observe(
      Target target, Source source, MethodTree method, String types, TreeSet<String> imports, StringBuilder body) {
    String returned = method.getReturnType().toString();
    boolean hasTarget = method.getParameters().stream().anyMatch(p -> p.getName().contentEquals("target"));
    String buffer = method.getParameters().stream()
        .filter(p -> p.getType().toString().startsWith("Buf<"))
        .map(p -> p.getName().toString()).findFirst().orElse("null");
    String reported = "\"" + method.getName() + "\", " + (hasTarget ? "target" : "-1");
    String call = "super." + method.getName() + "(" + arguments(method) + ")";
    body.append("\n  @Override\n  public ").append(types.isEmpty() ? "" : "<" + types + "> ").append(returned)
        .append(' ').append(method.getName()).append('(').append(parameters(target, source, method, imports))
        .append(") {\n")
        .append("    long begun = begin(")
        .append(reported).append(", ").append(buffer).append(");\n    try {\n      ")
        .append(returned.equals("void") ? "" : "return ")
        .append(returned.equals("Epoch") ? "epoch(" + call + ", " + reported + ")" : call)
        .append(";\n    } finally {\n      end(begun);\n    }\n  }\n");
  }

  private String parameters(Target target, Source source, MethodTree method, TreeSet<String> imports) {
    List<String> all = new ArrayList<>();
    for (VariableTree parameter : method.getParameters()) {
      needAll(target, source, parameter.getType().toString(), imports);
      all.add(parameter.toString());
    }
    return String.join(", ", all);
  }

  private static String arguments(MethodTree method) {
    return method.getParameters().stream().map(p -> p.getName().toString()).collect(Collectors.joining(", "));
  }

  // ---- imports

  private void needAll(Target target, Source source, String types, TreeSet<String> imports) {
    WORD.matcher(types).results().forEach(word -> need(target, source, word.group(), imports));
  }

  /** Imports a type that a source names, unless it needs none. */
  private void need(Target target, Source source, String name, TreeSet<String> imports) {
    String imported = source.imports.get(name);
    boolean isBeside = imported == null && files.containsKey(name)
        && files.get(name).getParent().toString().replace('\\', '/').endsWith(source.packageName.replace('.', '/'));
    boolean isInside = source.type.getMembers().stream()
        .anyMatch(member -> member instanceof ClassTree type && type.getSimpleName().contentEquals(name));
    String needed = isInside ? source.packageName + "." + source.type.getSimpleName() + "." + name
        : isBeside ? source.packageName + "." + name : imported;
    if (needed != null && !needed.equals(target.packageName + "." + name)) {
      imports.add(needed);
    }
  }
}
