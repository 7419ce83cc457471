// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Package {@code mpi} against the list of what programs of Open MPI's Java bindings can name. */
class SignaturesTest {
  /** What differs from the list on purpose: what it says, and what is there. */
  private static final Map<String, String> INTENDED = Map.of(
      // Programs that were written for either dialect compile, so the exception is not checked.
      "final class mpi.MPIException extends java.lang.Exception",
      "final class mpi.MPIException extends java.lang.RuntimeException");

  private static final Pattern QUALIFIED_NAME = Pattern.compile("[a-z][A-Za-z0-9_]*(\\.[A-Za-z0-9_$]+)+");

  private static List<Class<?>> classes() throws ClassNotFoundException {
    List<Class<?>> classes = new ArrayList<>();
    for (Signature row : Signature.all()) {
      if (row.kind().equals("type")) {
        classes.add(Class.forName(row.className()));
      }
    }
    return classes;
  }

  @Test
  void nothingIsMissing() {
    List<String> missing = new ArrayList<>();
    for (Signature row : Signature.all()) {
      if (!isThere(row)) {
        missing.add(row.className() + ": " + row.kind() + " " + row.text());
      }
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void theListIsTheWholeOne() {
    Map<String, Long> kinds =
        Signature.all().stream().collect(Collectors.groupingBy(Signature::kind, Collectors.counting()));
    assertEquals(Map.of("type", 41L, "field", 165L, "constructor", 21L, "method", 532L), kinds);
  }

  private static boolean isThere(Signature row) {
    Class<?> type;
    try {
      type = Class.forName(row.className());
    } catch (ClassNotFoundException _) {
      return false;
    }
    return switch (row.kind()) {
      case "type" -> textOf(type).equals(INTENDED.getOrDefault(row.text(), row.text()));
      case "field" -> Stream.of(type.getDeclaredFields()).anyMatch(f -> isPublic(f) && textOf(f).equals(row.text()));
      case "constructor" -> Stream.of(type.getDeclaredConstructors())
          .anyMatch(c -> isPublic(c) && parametersOf(c.getParameterTypes()).equals(row.text()));
      default -> Stream.of(type.getMethods()).anyMatch(m -> textOf(m).equals(row.text()));
    };
  }

  private static boolean isPublic(Member member) {
    return Modifier.isPublic(member.getModifiers());
  }

  private static String textOf(Class<?> type) {
    StringBuilder text = new StringBuilder();
    int modifiers = type.getModifiers();
    if (!Modifier.isPublic(modifiers)) {
      return "not public";
    }
    if (type.isInterface()) {
      return "interface " + type.getName();
    }
    text.append(Modifier.isFinal(modifiers) ? "final " : Modifier.isAbstract(modifiers) ? "abstract " : "");
    text.append("class ").append(type.getName());
    if (type.getSuperclass() != Object.class) {
      text.append(" extends ").append(type.getSuperclass().getName());
    }
    if (type.getInterfaces().length > 0) {
      text.append(
          Stream.of(type.getInterfaces()).map(Class::getName).collect(Collectors.joining(",", " implements ", "")));
    }
    return text.toString();
  }

  private static String textOf(Field field) {
    return Modifier.toString(field.getModifiers() & ~Modifier.PUBLIC) + " " + field.getType().getCanonicalName() + " "
        + field.getName();
  }

  private static String textOf(Method method) {
    return (Modifier.isStatic(method.getModifiers()) ? "static " : "") + nameOf(method.getReturnType()) + " "
        + method.getName() + parametersOf(method.getParameterTypes());
  }

  private static String parametersOf(Class<?>[] types) {
    return Stream.of(types).map(SignaturesTest::nameOf).collect(Collectors.joining(",", "(", ")"));
  }

  private static String nameOf(Class<?> type) {
    return type.isArray() ? nameOf(type.getComponentType()) + "[]" : type.getName();
  }

  @Test
  void noSignatureMentionsOtherPackages() throws ClassNotFoundException {
    Set<String> foreign = new TreeSet<>();
    for (Class<?> type : classes()) {
      look(type.getName(), type.toGenericString(), type, foreign);
      Stream.concat(Stream.of(type.getGenericInterfaces()), Stream.ofNullable(type.getGenericSuperclass()))
          .forEach(t -> look(type.getName(), t.getTypeName(), null, foreign));
      Set<Member> members = new LinkedHashSet<>();
      members.addAll(List.of(type.getDeclaredFields()));
      members.addAll(List.of(type.getDeclaredConstructors()));
      members.addAll(List.of(type.getDeclaredMethods()));
      for (Member member : members) {
        if ((member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0) {
          look(type.getName() + "." + member.getName(), signatureOf(member), (AnnotatedElement) member, foreign);
        }
      }
    }
    assertEquals(Set.of(), foreign);
  }

  private static String signatureOf(Member member) {
    return switch (member) {
      case Field field -> field.toGenericString() + " " + field.getType().getName();
      case Constructor<?> constructor ->
          constructor.toGenericString() + annotationsOf(constructor.getParameterAnnotations());
      case Method method -> method.toGenericString() + " " + Stream.of(method.getGenericParameterTypes())
          .map(Type::getTypeName).collect(Collectors.joining(" ")) + annotationsOf(method.getParameterAnnotations());
      default -> throw new AssertionError(member);
    };
  }

  private static String annotationsOf(Annotation[][] annotations) {
    return Arrays.deepToString(annotations);
  }

  private static void look(String where, String text, AnnotatedElement element, Set<String> foreign) {
    String annotations = element == null ? "" : Arrays.toString(element.getAnnotations());
    Matcher names = QUALIFIED_NAME.matcher(text + " " + annotations);
    while (names.find()) {
      if (!names.group().startsWith("java.") && !names.group().startsWith("mpi.")) {
        foreign.add(where + ": " + names.group());
      }
    }
  }

  /** Classes beyond the list would be in the way of a program's own. */
  @Test
  void noOtherClassIsPublic() throws Exception {
    Set<String> listed = classes().stream().map(Class::getName).collect(Collectors.toSet());
    Set<String> more = new TreeSet<>();
    for (String name : ClassFiles.of(mpi.MPI.class)) {
      Class<?> type = Class.forName(name, false, mpi.MPI.class.getClassLoader());
      if (Modifier.isPublic(type.getModifiers()) && !listed.contains(name)) {
        more.add(name);
      }
    }
    assertEquals(Set.of(), more);
    assertTrue(listed.size() > 40);
    assertFalse(listed.contains("mpi.Mpi"));
  }
}
