// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.MethodRefEntry;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the test programs show of the whole dialect: that they compile against it alone, and call all of it. */
@Tag("long")
class UserCodeTest {
  private static final String PROGRAMS = "org/ffmpi/dialect/openmpi/programs/";

  /** Classes whose methods no program calls: those of an open file, and what programs implement. */
  private static final Set<String> UNREACHABLE = Set.of("mpi.Freeable", "mpi.UserFunction");

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/test/java/org/ffmpi/dialect/openmpi/programs"))) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
  }

  /** With ffmpi's own classes out of sight: no signature may ask for one. */
  @Test
  void programsCompileAgainstTheDialectAlone(@TempDir Path folder) throws Exception {
    Path alone = Files.createDirectory(folder.resolve("alone"));
    Path dialect = ClassFiles.root(mpi.MPI.class);
    Files.createDirectory(alone.resolve("mpi"));
    try (Stream<Path> classes = Files.list(dialect.resolve("mpi"))) {
      for (Path file : classes.toList()) {
        Files.copy(file, alone.resolve("mpi").resolve(file.getFileName()));
      }
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options = List.of("-proc:none", "-nowarn", "-cp", alone.toString(), "-d", folder.toString());
      boolean compiled = compiler
          .getTask(messages, files, null, options, null, files.getJavaFileObjectsFromPaths(sources())).call();
      assertTrue(compiled, messages::toString);
    }
  }

  @Test
  void programsCallAllOfTheDialect() throws Exception {
    Set<String> called = calls();
    Set<String> missing = new TreeSet<>();
    for (Signature row : Signature.all()) {
      if (!row.kind().equals("method") && !row.kind().equals("constructor")
          || UNREACHABLE.contains(row.className()) && row.kind().equals("method") && !row.text().startsWith("static")) {
        continue;
      }
      String name = row.kind().equals("constructor") ? "<init>" + row.text()
          : row.text().substring(row.text().lastIndexOf(' ', row.text().indexOf('(')) + 1);
      if (!isCalled(row, name, called)) {
        missing.add(row.className() + " " + row.text());
      }
    }
    assertEquals(Set.of(), missing);
  }

  /** A method is also called where a program names a subclass; a view is made by its struct. */
  private static boolean isCalled(Signature row, String name, Set<String> called) throws ClassNotFoundException {
    Class<?> owner = Class.forName(row.className());
    if (row.className().endsWith("$Data") && row.kind().equals("constructor")) {
      return true;
    }
    for (String call : called) {
      int at = call.indexOf('#');
      if (call.substring(at + 1).equals(name)
          && owner.isAssignableFrom(Class.forName(call.substring(0, at)))) {
        return true;
      }
    }
    return false;
  }

  /** Returns what the programs call, as class#name(types). */
  private static Set<String> calls() throws IOException {
    Set<String> called = new HashSet<>();
    try (Stream<Path> files = Files.list(ClassFiles.root(UserCodeTest.class).resolve(PROGRAMS))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
        ClassModel model = ClassFile.of().parse(file);
        for (MethodModel method : model.methods()) {
          method.code().ifPresent(code -> code.forEach(element -> {
            if (element instanceof InvokeInstruction invoke) {
              add(called, invoke.owner().asInternalName(), invoke.name().stringValue(), invoke.typeSymbol());
            }
          }));
        }
        addHandles(model, called);
      }
    }
    return called;
  }

  /** Adds methods that are named by references, such as {@code request::waitFor}. */
  private static void addHandles(ClassModel model, Set<String> called) {
    model.constantPool().forEach(entry -> {
      if (entry instanceof MethodRefEntry method) {
        add(called, method.owner().asInternalName(), method.name().stringValue(), method.typeSymbol());
      }
    });
  }

  private static void add(Set<String> called, String owner, String name, MethodTypeDesc type) {
    if (owner.startsWith("mpi/") || owner.startsWith(PROGRAMS)) {
      StringBuilder text = new StringBuilder(owner.replace('/', '.')).append('#').append(name).append('(');
      for (int i = 0; i < type.parameterCount(); i++) {
        text.append(i == 0 ? "" : ",").append(nameOf(type.parameterType(i)));
      }
      called.add(text.append(')').toString());
    }
  }

  private static String nameOf(ClassDesc type) {
    if (type.isArray()) {
      return nameOf(type.componentType()) + "[]";
    }
    return type.isPrimitive() ? type.displayName()
        : type.descriptorString().substring(1, type.descriptorString().length() - 1).replace('/', '.');
  }
}
