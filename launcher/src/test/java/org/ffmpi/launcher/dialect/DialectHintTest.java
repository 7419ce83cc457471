// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.dialect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.Settings;
import org.ffmpi.launcher.command.Program;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users are told whose program imports package mpi and was started without the right dialect. */
class DialectHintTest {
  private static final String OF_OPENMPI = "import mpi.*;\nclass A { int r = MPI.COMM_WORLD.getRank(); }";
  private static final String OF_MPIJAVA = "  import mpi.MPI;\nclass A { int s = MPI.COMM_WORLD.Size( ); }";
  private static final String OF_EITHER = "import mpi.MPI;\nclass A { { MPI.Init(null); } }";
  private static final String OF_NEITHER = "import org.ffmpi.Mpi;\nclass A { int r = world.getRank(); }";

  @TempDir
  private Path folder;

  private static Program program(Program.Kind kind, String target, String classPath) {
    return new Program(2, List.of(), classPath, kind, target, List.of(), Map.of(), Map.of());
  }

  private static String hint(Program program, String dialect) {
    return DialectHint.of(List.of(program), Settings.of(Map.of("ffmpi.dialect", dialect)));
  }

  private Program source(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("Prog.java"), text);
    return program(Program.Kind.SOURCE, file.toString(), null);
  }

  @Test
  void aSourceFileShowsItsDialect() throws IOException {
    assertEquals(
        "Prog.java imports package mpi and calls it as programs for Open MPI's Java bindings do: try --dialect openmpi",
        hint(source(OF_OPENMPI), "none"));
    String sentence = hint(source(OF_MPIJAVA), "none");
    assertTrue(sentence.endsWith("try --dialect mpijava, or mpj if it reads its arguments as MPJ Express gives them"));
    sentence = hint(source(OF_EITHER), "none");
    assertTrue(sentence.contains("--dialect openmpi, mpijava or mpj"), sentence);
    assertNull(hint(source(OF_NEITHER), "none"));
  }

  @Test
  void theRightDialectNeedsNoHint() throws IOException {
    assertNull(hint(source(OF_OPENMPI), "openmpi"));
    assertNull(hint(source(OF_MPIJAVA), "mpijava"));
    assertNull(hint(source(OF_MPIJAVA), "mpj"));
    assertNull(hint(source(OF_EITHER), "openmpi"));
  }

  @Test
  void aDialectAmongTheArgumentsIsFound() throws IOException {
    Program p = source(OF_MPIJAVA);
    Program asked = new Program(
        2, List.of(), null, p.kind(), p.target(), List.of("--dialect", "mpj"), Map.of(), Map.of());
    assertEquals(
        "Prog.java imports package mpi and got --dialect as an argument of its own: give it before Prog.java",
        hint(asked, "none"));
  }

  @Test
  void theOtherDialectIsNamed() throws IOException {
    assertTrue(hint(source(OF_OPENMPI), "mpj").endsWith("try --dialect openmpi"));
    assertTrue(hint(source(OF_MPIJAVA), "openmpi").contains("try --dialect mpijava"));
  }

  private static byte[] classThatCalls(String owner, String method) {
    return ClassFile.of().build(ClassDesc.of("app.Main"), made -> made.withMethodBody(
        "main", ConstantDescs.MTD_void, ClassFile.ACC_STATIC,
        code -> code.invokestatic(ClassDesc.of(owner), method, MethodTypeDesc.of(ConstantDescs.CD_void)).return_()));
  }

  @Test
  void aClassShowsItsDialect() {
    assertEquals("openmpi", DialectHint.ofClass(classThatCalls("mpi.Comm", "getRank")));
    assertEquals("mpijava", DialectHint.ofClass(classThatCalls("mpi.Comm", "Rank")));
    assertEquals("", DialectHint.ofClass(classThatCalls("mpi.MPI", "Init")));
    assertEquals("", DialectHint.ofClass(classThatCalls("mpi.MPIException", "getMessage")));
    assertNull(DialectHint.ofClass(classThatCalls("org.ffmpi.Mpi", "Rank")));
  }

  private void writeClass(String name, byte[] bytes) throws IOException {
    Path file = folder.resolve(name + ".class");
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
  }

  @Test
  void aClassIsFoundOnItsClassPath() throws IOException {
    writeClass("app/Main", classThatCalls("mpi.Comm", "Size"));
    String path = "nowhere.jar:" + folder;
    assertTrue(hint(program(Program.Kind.CLASS, "app.Main", path), "none").startsWith("app.Main imports package mpi"));
    assertNull(hint(program(Program.Kind.CLASS, "app.Other", path), "none"));
    assertNull(hint(program(Program.Kind.JAR, "nowhere.jar", path), "none"));
  }

  @Test
  void aProgramThatBringsPackageMpiNeedsNone() throws IOException {
    writeClass("app/Main", classThatCalls("mpi.Comm", "Size"));
    writeClass("mpi/MPI", new byte[] {0});
    assertNull(hint(program(Program.Kind.CLASS, "app.Main", folder.toString()), "none"));
  }
}
