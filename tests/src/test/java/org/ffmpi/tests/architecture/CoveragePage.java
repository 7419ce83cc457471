// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.architecture;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page that lists which API serves each name of the standard, made from the {@code @Standard} annotations. */
final class CoveragePage {
  private static final String STANDARD = "Lorg/ffmpi/base/Standard;";

  /** End of the names of interfaces that hold a topic of the calls of those that extend them. */
  private static final String TOPIC = "Calls";

  /** The packages that programs import from; all others are internal. */
  private static final Set<String> PROGRAMS =
      Set.of("org.ffmpi", "org.ffmpi.datatype", "org.ffmpi.base", "org.ffmpi.tool");

  /** One row of the list of names; chapter and title are empty for constants and handles. */
  private record Name(String kind, String chapter, String title, String name) {}

  /** A statement of the standard that no test has the ID of, on purpose. */
  record Untested(String id, String statement, String reason) {}

  private final Map<String, Name> names = new LinkedHashMap<>();
  private final Map<String, Set<String>> served = new TreeMap<>();
  private final Map<String, ClassModel> types = new TreeMap<>();

  CoveragePage() {
    readNames();
    for (Codebase.Module module : Codebase.modules().values()) {
      module.classes().forEach(type -> types.put(Codebase.name(type), type));
    }
    types.values().forEach(this::readAnnotations);
  }

  /** Names in annotations that the standard does not have: typing errors. */
  Set<String> unknown() {
    Set<String> unknown = new TreeSet<>(served.keySet());
    unknown.removeAll(names.keySet());
    return unknown;
  }

  /** The page as Markdown. */
  String text() {
    Map<String, List<Name>> chapters = new LinkedHashMap<>();
    names.values().stream()
        .filter(name -> name.kind().equals("procedure"))
        .forEach(name -> chapters.computeIfAbsent(name.chapter(), c -> new ArrayList<>()).add(name));
    StringBuilder page = new StringBuilder();
    page.append("# Coverage of MPI\n\n");
    page.append("Made from the `@Standard` annotations by\n");
    page.append("`mvn test -Dtest=CoverageTest -Dsurefire.failIfNoSpecifiedTests=false ")
        .append("-Dffmpi.coverage.write=true`;\n");
    page.append("a test fails when it is out of date. Large-count forms (`_c`) are served by the same methods")
        .append(" and\n");
    page.append("counted as procedures of their own.\n\n");
    page.append("| chapter of MPI-4.1 | served | of |\n|---|---:|---:|\n");
    long all = 0;
    for (List<Name> chapter : chapters.values()) {
      long here = chapter.stream().filter(this::isServed).count();
      all += here;
      page.append("| %s %s | %d | %d |%n".formatted(
          chapter.getFirst().chapter(), chapter.getFirst().title(), here, chapter.size()));
    }
    page.append("| all | %d | %d |%n".formatted(all, chapters.values().stream().mapToInt(List::size).sum()));
    chapters.values().forEach(chapter -> chapter(chapter, page));
    constants(page);
    untested(page);
    return page.toString();
  }

  private static void untested(StringBuilder page) {
    page.append("\n## Statements without a test\n\n");
    page.append("Tests carry the IDs of the statements that they prove in their display names. These have none, on")
        .append(" purpose:\n\n");
    page.append("| ID | statement | why there is no test |\n|---|---|---|\n");
    untested().forEach(row -> page.append("| %s | %s | %s |%n".formatted(row.id(), row.statement(), row.reason())));
  }

  /** Returns the statements that are left without a test on purpose. */
  static List<Untested> untested() {
    return rowsOf("untested-statements.tsv").stream().map(row -> new Untested(row[0], row[1], row[2])).toList();
  }

  private static List<String[]> rowsOf(String table) {
    try (BufferedReader in = new BufferedReader(new InputStreamReader(
        CoveragePage.class.getResourceAsStream(table), StandardCharsets.UTF_8))) {
      return in.lines().skip(1).map(line -> line.split("\t")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void chapter(List<Name> chapter, StringBuilder page) {
    page.append("%n## %s %s%n%n".formatted(chapter.getFirst().chapter(), chapter.getFirst().title()));
    if (chapter.stream().anyMatch(this::isServed)) {
      rows(chapter, page);
    }
    List<String> missing = chapter.stream().filter(name -> !isServed(name)).map(n -> "`" + n.name() + "`").toList();
    if (!missing.isEmpty()) {
      page.append("Not there: ").append(String.join(", ", missing)).append(".\n");
    }
  }

  private void constants(StringBuilder page) {
    page.append("\n## Constants, handles, operations, fields\n\n");
    page.append("Integer constants are in `org.ffmpi.base.Constants`, error classes in `org.ffmpi.base.ErrorClass`,\n");
    page.append("datatypes in `org.ffmpi.datatype.Datatype`. Others:\n\n");
    rows(names.values().stream().filter(name -> !name.kind().equals("procedure")).toList(), page);
  }

  private void rows(List<Name> candidates, StringBuilder page) {
    page.append("| MPI | Java |\n|---|---|\n");
    for (Name name : candidates) {
      if (isServed(name)) {
        page.append("| `%s` | %s |%n".formatted(name.name(), String.join(", ", served.get(name.name()))));
      }
    }
    page.append('\n');
  }

  private boolean isServed(Name name) {
    return served.containsKey(name.name());
  }

  private void readNames() {
    rowsOf("standard-names.tsv").forEach(row -> names.put(row[3], new Name(row[0], row[1], row[2], row[3])));
  }

  private void readAnnotations(ClassModel type) {
    for (String simple : publicNames(type)) {
      serve(type, "`" + simple + "`");
      for (FieldModel field : type.fields()) {
        serve(field, "`" + simple + "." + field.fieldName().stringValue() + "`");
      }
      for (MethodModel method : type.methods()) {
        String called = method.methodName().stringValue();
        serve(method, "`" + (called.equals("<init>") ? "new " + simple : simple + "." + called) + "`");
      }
    }
  }

  /**
   * Returns the names that programs use for a type: its own, those of the nearest public heirs of a base class that is
   * not public, or that of the one interface which a part of an interface was split from.
   */
  private Set<String> publicNames(ClassModel type) {
    String name = Codebase.name(type);
    Optional<ClassModel> whole = whole(type);
    if (whole.isPresent()) {
      return publicNames(whole.get());
    }
    if (name.endsWith(TOPIC) && type.flags().has(AccessFlag.INTERFACE)) {
      return type.findAttribute(Attributes.permittedSubclasses()).orElseThrow().permittedSubclasses().stream()
          .map(heir -> types.get(heir.asInternalName().replace('/', '.')))
          .flatMap(heir -> publicNames(heir).stream())
          .collect(Collectors.toCollection(TreeSet::new));
    }
    if (!PROGRAMS.contains(Codebase.packageOf(name))) {
      return Set.of();
    }
    if (type.flags().has(AccessFlag.PUBLIC)) {
      return Set.of(name.substring(Codebase.packageOf(name).length() + 1).replace('$', '.'));
    }
    Set<String> heirs = new TreeSet<>();
    for (ClassModel other : types.values()) {
      if (Stream.concat(other.superclass().stream(), other.interfaces().stream())
          .anyMatch(parent -> parent.asInternalName().replace('/', '.').equals(name))) {
        heirs.addAll(publicNames(other));
      }
    }
    return heirs;
  }

  /** Returns the interface that is the only heir of a sealed interface of its package. */
  private Optional<ClassModel> whole(ClassModel type) {
    return type.findAttribute(Attributes.permittedSubclasses())
        .filter(heirs -> type.flags().has(AccessFlag.INTERFACE) && heirs.permittedSubclasses().size() == 1)
        .map(heirs -> types.get(heirs.permittedSubclasses().getFirst().asInternalName().replace('/', '.')))
        .filter(heir -> heir.flags().has(AccessFlag.INTERFACE)
            && Codebase.packageOf(Codebase.name(heir)).equals(Codebase.packageOf(Codebase.name(type))));
  }

  private void serve(AttributedElement element, String java) {
    element.findAttribute(Attributes.runtimeVisibleAnnotations()).ifPresent(annotations -> {
      for (Annotation annotation : annotations.annotations()) {
        if (annotation.className().stringValue().equals(STANDARD)) {
          AnnotationValue.OfArray values = (AnnotationValue.OfArray) annotation.elements().getFirst().value();
          for (AnnotationValue value : values.values()) {
            String mpi = ((AnnotationValue.OfString) value).stringValue();
            served.computeIfAbsent(mpi, key -> new TreeSet<>()).add(java);
          }
        }
      }
    });
  }
}
