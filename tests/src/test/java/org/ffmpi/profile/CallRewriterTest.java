// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.profile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.file.RankFiles;
import org.ffmpi.object.CodecObjects;
import org.ffmpi.window.MemoryWindows;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The classes of ffmpi as the agent rewrites them, without an agent. */
@Tag("long")
class CallRewriterTest {
  private static final Map<String, byte[]> CLASSES = new TreeMap<>();

  @BeforeAll
  static void readClasses() throws Exception {
    List<Class<?>> anchors =
        List.of(MpiException.class, Datatype.class, Comm.class, MemoryWindows.class, RankFiles.class,
            CodecObjects.class);
    for (Class<?> anchor : anchors) {
      URI home = anchor.getProtectionDomain().getCodeSource().getLocation().toURI();
      Path path = Path.of(home);
      if (Files.isDirectory(path)) {
        readClasses(path);
      } else {
        try (FileSystem jar = FileSystems.newFileSystem(path)) {
          readClasses(jar.getPath("/"));
        }
      }
    }
    assertTrue(CLASSES.size() > 100, "found only " + CLASSES.size() + " classes");
  }

  private static void readClasses(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
        String name = root.relativize(file).toString().replace('\\', '/').replaceAll("\\.class$", "");
        CLASSES.put(name, Files.readAllBytes(file));
      }
    }
  }

  @Test
  void whatIsRewrittenIsValid() {
    int rewritten = 0;
    for (String name : CLASSES.keySet()) {
      byte[] changed = CallRewriter.isOurs(name) ? CallRewriter.rewritten(name, CLASSES.get(name)) : null;
      if (changed != null) {
        assertEquals(List.of(), ClassFile.of().verify(changed), name);
        rewritten++;
      }
    }
    assertTrue(rewritten > 20, "only " + rewritten + " classes report");
  }

  @Test
  @DisplayName("S1-2.6.5: all calls can be intercepted")
  void everyMethodOfTheStandardReports() throws Exception {
    List<String> missed = new ArrayList<>();
    int seen = 0;
    for (String name : CLASSES.keySet()) {
      if (!new String(CLASSES.get(name), StandardCharsets.ISO_8859_1).contains("org/ffmpi/base/Standard")) {
        continue; // some of the others need modules that are not here
      }
      Class<?> type = Class.forName(name.replace('/', '.'), false, CallRewriterTest.class.getClassLoader());
      List<Executable> members = new ArrayList<>(List.of(type.getDeclaredMethods()));
      members.addAll(List.of(type.getDeclaredConstructors()));
      byte[] changed = CallRewriter.isOurs(name) ? CallRewriter.rewritten(name, CLASSES.get(name)) : null;
      for (Executable member : members) {
        if (isCall(member)) {
          seen++;
          if (changed == null || sameCode(member, CLASSES.get(name), changed)) {
            missed.add(member.toString());
          }
        }
      }
    }
    assertEquals(List.of(), missed);
    assertTrue(seen > 300, "the scan found only " + seen + " calls");
  }

  private static boolean isCall(Executable member) {
    Standard standard = member.getAnnotation(Standard.class);
    boolean runsTheProgram = List.of(member.getParameterTypes()).contains(Mpi.Body.class);
    return standard != null
        && Arrays.stream(standard.value()).anyMatch(word -> word.chars().anyMatch(Character::isLowerCase))
        && !Modifier.isAbstract(member.getModifiers())
        && !(member instanceof Method method && method.isBridge())
        && !runsTheProgram;
  }

  private static boolean sameCode(Executable member, byte[] before, byte[] after) {
    return Arrays.equals(codeOf(member, before), codeOf(member, after));
  }

  private static byte[] codeOf(Executable member, byte[] bytes) {
    String name = member instanceof Method ? member.getName() : "<init>";
    int parameters = member.getParameterCount();
    ClassModel type = ClassFile.of().parse(bytes);
    for (MethodModel method : type.methods()) {
      List<String> own = method.methodTypeSymbol().parameterList().stream().map(d -> d.descriptorString()).toList();
      if (method.methodName().equalsString(name) && own.size() == parameters
          && own.equals(Arrays.stream(member.getParameterTypes()).map(Class::descriptorString).toList())
          && (!(member instanceof Method m)
              || method.methodTypeSymbol().returnType().descriptorString()
                  .equals(m.getReturnType().descriptorString()))) {
        return ((CodeAttribute) method.code().orElseThrow()).codeArray();
      }
    }
    throw new AssertionError(member + " is not in its class file");
  }

  /** A method that overrides one that reports, and does not report itself, would be a call that nobody sees. */
  @Test
  void whatOverridesACallIsOneToo() throws Exception {
    List<String> missed = new ArrayList<>();
    for (String name : CLASSES.keySet()) {
      if (!CallRewriter.isOurs(name) || name.endsWith("-info")) {
        continue;
      }
      Class<?> type = Class.forName(name.replace('/', '.'), false, CallRewriterTest.class.getClassLoader());
      for (Method method : type.getDeclaredMethods()) {
        boolean own = (method.getModifiers() & (Modifier.ABSTRACT | Modifier.STATIC)) == 0 && !method.isBridge();
        if (own && !method.isAnnotationPresent(Standard.class) && overridesACall(type, method)) {
          missed.add(method.toString());
        }
      }
    }
    assertEquals(List.of(), missed);
  }

  private static boolean overridesACall(Class<?> type, Method method) {
    List<Class<?>> above = new ArrayList<>(List.of(type.getInterfaces()));
    if (type.getSuperclass() != null) {
      above.add(type.getSuperclass());
    }
    for (Class<?> parent : above) {
      boolean call = Arrays.stream(parent.getDeclaredMethods())
          .anyMatch(m -> m.getName().equals(method.getName())
              && Arrays.equals(m.getParameterTypes(), method.getParameterTypes())
              && m.isAnnotationPresent(Standard.class)
              && !Modifier.isPrivate(m.getModifiers()));
      if (call || overridesACall(parent, method)) {
        return true;
      }
    }
    return false;
  }

  @Test
  void classesWithoutCallsStayAsTheyAre() {
    assertNull(CallRewriter.rewritten("org/ffmpi/process/Failures", CLASSES.get("org/ffmpi/process/Failures")));
    assertArrayEquals(new boolean[] {false, false, false}, new boolean[] {
      CallRewriter.isOurs("org/ffmpi/shm/engine/ShmEngine"),
      CallRewriter.isOurs("org/ffmpi/spi/Channel"),
      CallRewriter.isOurs("org/example/Main")
    });
  }
}
