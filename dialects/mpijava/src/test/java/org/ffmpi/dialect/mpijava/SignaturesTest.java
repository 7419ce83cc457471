// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Package {@code mpi} against the list of what programs of mpiJava and MPJ Express can name. */
class SignaturesTest {
  /** What differs from the list on purpose: what it says, and what is there. That class is one of MPJ's own. */
  private static final Map<String, String> INTENDED = Map.of(
      "int Pack(java.lang.Object,int,int,mpi.Datatype,mpjbuf.Buffer,int)",
      "int Pack(java.lang.Object,int,int,mpi.Datatype,byte[],int)",
      "int Unpack(mpjbuf.Buffer,int,java.lang.Object,int,int,mpi.Datatype)",
      "int Unpack(byte[],int,java.lang.Object,int,int,mpi.Datatype)");

  private static final Pattern QUALIFIED_NAME = Pattern.compile("[a-z][A-Za-z0-9_]*(\\.[A-Za-z0-9_$]+)+");

  private record Row(String className, String kind, String text) {
    static Row parse(String line) {
      String[] words = line.split("\t");
      return new Row(words[0], words[1], INTENDED.getOrDefault(words[2], words[2]));
    }

    Class<?> type() {
      try {
        return Class.forName(className);
      } catch (ClassNotFoundException e) {
        throw new AssertionError(className + " is missing", e);
      }
    }

    boolean isThere() {
      return switch (kind) {
        case "type" -> textOf(type()).equals(text);
        case "field" -> Stream.of(type().getDeclaredFields()).anyMatch(f -> isPublic(f) && textOf(f).equals(text));
        case "constructor" -> Stream.of(type().getDeclaredConstructors())
            .anyMatch(c -> isPublic(c) && parametersOf(c).equals(text));
        default -> Stream.of(type().getMethods()).anyMatch(m -> textOf(m).equals(text));
      };
    }
  }

  private static List<Row> rows() throws IOException {
    try (InputStream list = SignaturesTest.class.getResourceAsStream("/mpijava-signatures.tsv")) {
      return new String(list.readAllBytes(), StandardCharsets.UTF_8).lines().skip(1).map(Row::parse).toList();
    }
  }

  private static boolean isPublic(Member member) {
    return Modifier.isPublic(member.getModifiers());
  }

  private static String textOf(Class<?> type) {
    StringBuilder text = new StringBuilder(isPublic(type.getModifiers()) ? "" : "hidden ");
    text.append(Modifier.isFinal(type.getModifiers()) ? "final " : "");
    text.append(Modifier.isAbstract(type.getModifiers()) ? "abstract " : "").append("class ").append(type.getName());
    if (type.getSuperclass() != Object.class) {
      text.append(" extends ").append(type.getSuperclass().getName());
    }
    if (type.getInterfaces().length > 0) {
      text.append(Stream.of(type.getInterfaces()).map(Class::getName)
          .collect(Collectors.joining(",", " implements ", "")));
    }
    return text.toString();
  }

  private static boolean isPublic(int modifiers) {
    return Modifier.isPublic(modifiers);
  }

  private static String textOf(Field field) {
    String modifiers = Modifier.toString(field.getModifiers() & ~Modifier.PUBLIC);
    return (modifiers.isEmpty() ? "" : modifiers + " ") + field.getType().getCanonicalName() + " " + field.getName();
  }

  private static String textOf(Method method) {
    String modifiers = Modifier.toString(method.getModifiers() & (Modifier.STATIC | Modifier.ABSTRACT));
    return (modifiers.isEmpty() ? "" : modifiers + " ") + method.getReturnType().getCanonicalName() + " "
        + method.getName() + parametersOf(method);
  }

  private static String parametersOf(Executable executable) {
    return Stream.of(executable.getParameterTypes()).map(Class::getCanonicalName)
        .collect(Collectors.joining(",", "(", ")"));
  }

  @Test
  void nothingIsMissing() throws IOException {
    List<String> missing = new ArrayList<>();
    for (Row row : rows()) {
      if (!row.isThere()) {
        missing.add(row.className() + ": " + row.kind() + " " + row.text());
      }
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void theListIsTheWholeOne() throws IOException {
    assertEquals(Map.of("type", 18L, "field", 74L, "constructor", 10L, "method", 133L),
        rows().stream().collect(Collectors.groupingBy(Row::kind, Collectors.counting())));
  }

  private static List<? extends Class<?>> classes() throws IOException {
    return rows().stream().filter(row -> row.kind().equals("type")).map(Row::type).toList();
  }

  /** The compiler of a program needs no jar but this one. */
  @Test
  void noSignatureMentionsOtherPackages() throws IOException {
    Set<String> foreign = new TreeSet<>();
    for (Class<?> type : classes()) {
      look(type.getName(), textOf(type), type, foreign);
      for (Field field : type.getDeclaredFields()) {
        if (isSeen(field)) {
          look(type.getName() + "." + field.getName(), field.toGenericString(), field, foreign);
        }
      }
      List<Executable> executables = new ArrayList<>(List.of(type.getDeclaredConstructors()));
      executables.addAll(List.of(type.getDeclaredMethods()));
      for (Executable executable : executables) {
        if (isSeen(executable)) {
          look(type.getName() + "." + executable.getName(),
              executable.toGenericString() + Arrays.deepToString(executable.getParameterAnnotations()), executable,
              foreign);
        }
      }
    }
    assertEquals(Set.of(), foreign);
  }

  private static boolean isSeen(Member member) {
    return (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
  }

  private static void look(String where, String text, AnnotatedElement element, Set<String> foreign) {
    Matcher names = QUALIFIED_NAME.matcher(text + " " + Arrays.toString(element.getAnnotations()));
    while (names.find()) {
      if (Stream.of("java.", "mpi.", "mpjdev.").noneMatch(names.group()::startsWith)) {
        foreign.add(where + ": " + names.group());
      }
    }
  }

  /** Classes beyond the list would be in the way of a program's own. */
  @Test
  void noOtherClassIsPublic() throws Exception {
    Path folder = Path.of(mpi.MPI.class.getResource("MPI.class").toURI()).getParent();
    Set<String> listed = classes().stream().map(Class::getName).collect(Collectors.toSet());
    Set<String> more = new TreeSet<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String name = "mpi." + file.getFileName().toString().replace(".class", "");
        if (!name.endsWith("package-info")
            && isPublic(Class.forName(name, false, getClass().getClassLoader()).getModifiers())) {
          more.add(name);
        }
      }
    }
    more.removeAll(listed);
    assertEquals(Set.of(), more);
  }

  /** Programs that were compiled against MPJ Express have these numbers in their own class files. */
  @Test
  void constantsHaveTheOriginalsValues() {
    assertEquals(List.of(0, 3, 1, 2), List.of(mpi.MPI.IDENT, mpi.MPI.CONGRUENT, mpi.MPI.SIMILAR, mpi.MPI.UNEQUAL));
    assertEquals(-1, mpi.MPI.UNDEFINED);
    assertEquals(List.of(-2, -2, -3), List.of(mpi.MPI.ANY_SOURCE, mpi.MPI.ANY_TAG, mpi.MPI.PROC_NULL));
    assertEquals(List.of(1, 2), List.of(mpi.MPI.GRAPH, mpi.MPI.CART));
    assertEquals(List.of(1, 2, 3, 4), List.of(mpi.MPI.THREAD_SINGLE, mpi.MPI.THREAD_FUNNELED,
        mpi.MPI.THREAD_SERIALIZED, mpi.MPI.THREAD_MULTIPLE));
    assertEquals(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), Stream.of(mpi.MPI.BYTE, mpi.MPI.CHAR, mpi.MPI.SHORT,
        mpi.MPI.BOOLEAN, mpi.MPI.INT, mpi.MPI.LONG, mpi.MPI.FLOAT, mpi.MPI.DOUBLE, mpi.MPI.PACKED, mpi.MPI.LB,
        mpi.MPI.UB, mpi.MPI.OBJECT).map(mpi.Datatype::getType).toList());
  }
}
