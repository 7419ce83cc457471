// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.ffmpi.tests.architecture.Codebase.Module;
import org.junit.jupiter.api.Test;

/** The rules of docs/architecture.md and docs/glossary.md for the inside of the modules. */
class RoomsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  /** The types of the API name each other in their signatures: Mpi, Comm, Win, MpiFile, Request, Requests, Message. */
  private static final int LONGEST_CYCLE = 7;
  private static final int LONG_FILE = 500;

  /** Packages that a program imports from. */
  private static final Set<String> OF_USERS =
      Set.of("org.ffmpi", "org.ffmpi.base", "org.ffmpi.datatype", "org.ffmpi.testkit", "org.ffmpi.chronicle",
          "org.ffmpi.launcher", "org.ffmpi.tool", "org.ffmpi.samples", "org.ffmpi.samples.heat");

  /** Ports for engines outside this project: exported, and documented as unstable. */
  private static final Set<String> PORTS = Set.of("org.ffmpi.spi");

  /** Modules with structures that several processes see. */
  private static final List<String> SHARING = List.of("ffm-shm", "collectives", "windows", "files");

  /**
   * A package of users that is above and below all rooms of its module: the rooms name the types that programs see, and
   * the factories of these name the classes that implement them, as in java.lang.foreign.
   */
  private static final Set<String> FACADES = Set.of("org.ffmpi");

  private static final String DATATYPES = "org.ffmpi.datatype";

  /** The values of {@link #DATATYPES} below all rooms of the module. They name no room and no other type of it. */
  private static final Set<String> VOCABULARY = Set.of(
      "org.ffmpi.datatype.Combiner", "org.ffmpi.datatype.Datatype$Order", "org.ffmpi.datatype.Datatype$Distribution",
      "org.ffmpi.datatype.Length");

  /**
   * The only cycle of packages. {@code Datatype} is sealed and permits {@code TypeHandle}; its factories and default
   * methods make and call handles, and handles are made and returned as datatypes. No other room below {@code handle}
   * names a type of {@link #DATATYPES} beside the vocabulary; {@code reduce} and {@code external32}, which take
   * datatypes and user functions, are above both.
   */
  private static final Set<String> SEALED = Set.of(DATATYPES, DATATYPES + ".handle");

  private static final Map<String, Module> MODULES = Codebase.modules();

  @Test
  void packagesHaveNoCycles() {
    List<String> wrong = new ArrayList<>();
    int arrows = 0;
    for (Module module : MODULES.values()) {
      Map<String, Set<String>> known = new TreeMap<>();
      for (ClassModel type : module.classes()) {
        Set<String> others = known.computeIfAbsent(floor(Codebase.name(type)), unused -> new TreeSet<>());
        FileGraph.used(type).forEach(name -> others.add(floor(name)));
      }
      known.keySet().removeAll(FACADES);
      known.forEach((room, others) -> {
        others.retainAll(known.keySet());
        others.remove(room);
      });
      arrows += known.values().stream().mapToInt(Set::size).sum();
      Components.of(known).forEach(cycle -> wrong.add(module.name() + ": " + cycle));
    }
    assertTrue(arrows > 80, "found only " + arrows + " arrows");
    assertEquals(List.of("org.ffmpi.datatype: " + new TreeSet<>(SEALED)), wrong);
    assertEquals(
        List.of(Set.of("a", "b")),
        Components.of(Map.of("a", Set.of("b"), "b", Set.of("a", "c"), "c", Set.of())), "cycles are not found");
  }

  @Test
  void vocabularyKnowsNoRoom() {
    Set<String> found = new TreeSet<>();
    List<String> wrong = new ArrayList<>();
    for (ClassModel type : MODULES.get("org.ffmpi.datatype").classes()) {
      String name = Codebase.name(type);
      if (VOCABULARY.contains(name)) {
        found.add(name);
        FileGraph.used(type).stream()
            .filter(used -> used.startsWith(DATATYPES) && !VOCABULARY.contains(used))
            .forEach(used -> wrong.add(name + " uses " + used));
      }
    }
    assertEquals(new TreeSet<>(VOCABULARY), found);
    assertEquals(List.of(), wrong);
  }

  /** Returns the package of a class; the vocabulary of the datatypes is a package of its own here. */
  private static String floor(String className) {
    return VOCABULARY.contains(className) ? "vocabulary" : Codebase.packageOf(className);
  }

  @Test
  void cyclesInPackagesAreShort() {
    List<String> wrong = new ArrayList<>();
    for (Module module : MODULES.values()) {
      for (Set<String> cycle : new FileGraph(module.classes()).cycles()) {
        if (cycle.size() > LONGEST_CYCLE) {
          wrong.add(module.name() + ": " + cycle);
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void cyclesAreFound() {
    FileGraph testkit = new FileGraph(MODULES.get("org.ffmpi.testkit").classes());
    assertFalse(testkit.cycles().isEmpty(), "the scan finds no cycle");
  }

  @Test
  void noSimpleNameHasTwoMeanings() {
    Map<String, Set<String>> places = new TreeMap<>();
    for (Module module : MODULES.values()) {
      for (ClassModel type : module.classes()) {
        String name = FileGraph.file(Codebase.name(type));
        String simple = name.substring(name.lastIndexOf('.') + 1);
        if (!simple.equals("package-info")) {
          places.computeIfAbsent(simple, unused -> new TreeSet<>()).add(name);
        }
      }
    }
    places.values().removeIf(names -> names.size() == 1);
    assertEquals(Map.of(), places);
  }

  @Test
  void replacedWordsAreGone() throws IOException {
    Set<String> replaced = replacedWords();
    assertTrue(replaced.contains("board"), "the glossary's words are not found: " + replaced);
    List<String> wrong = new ArrayList<>();
    for (Module module : MODULES.values()) {
      for (ClassModel type : module.classes()) {
        for (String name : Codebase.declaredNames(type)) {
          for (String word : words(name)) {
            boolean plural = word.endsWith("s") && replaced.contains(word.substring(0, word.length() - 1));
            if (plural || replaced.contains(word)) {
              wrong.add(Codebase.name(type) + " declares " + name);
            }
          }
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void namesAreCutIntoWords() {
    assertEquals(List.of("on", "board", "slot"), words("onBoardSlot"));
    assertEquals(List.of("max", "boards"), words("MAX_BOARDS"));
    assertEquals(List.of("keyboard"), words("keyboard"));
  }

  @Test
  void programsImportFromFewPackages() {
    List<String> wrong = new ArrayList<>();
    for (Module module : MODULES.values()) {
      module.exports().forEach(export -> {
        String name = export.exportedPackage().name().stringValue().replace('/', '.');
        if (export.exportsTo().isEmpty() && !OF_USERS.contains(name) && !PORTS.contains(name)) {
          wrong.add(module.name() + " exports " + name + " to everybody");
        }
      });
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void portsDoNotKnowThePublicApi() {
    List<String> wrong = new ArrayList<>();
    for (ClassModel type : MODULES.get("org.ffmpi.spi").classes()) {
      if (PORTS.contains(Codebase.packageOf(Codebase.name(type)))) {
        Codebase.references(type).stream()
            .filter(name -> Codebase.packageOf(name).equals("org.ffmpi"))
            .forEach(name -> wrong.add(Codebase.name(type) + " uses " + name));
      }
    }
    assertEquals(List.of(), wrong);
  }

  /** Scripting languages and frameworks call by reflection, which needs a public type that declares the method. */
  @Test
  void publicMethodsAreDeclaredByPublicTypes() throws ClassNotFoundException {
    List<String> wrong = new ArrayList<>();
    for (Module module : MODULES.values()) {
      for (ClassModel type : module.classes()) {
        String name = Codebase.name(type);
        if (OF_USERS.contains(Codebase.packageOf(name)) && (type.flags().flagsMask() & ClassFile.ACC_PUBLIC) != 0) {
          for (Method method : Class.forName(name, false, RoomsTest.class.getClassLoader()).getMethods()) {
            if (!Modifier.isPublic(method.getDeclaringClass().getModifiers())) {
              wrong.add(name + ": " + method);
            }
          }
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void sharedStructuresHaveADiagramAndATest() throws IOException {
    List<String> wrong = new ArrayList<>();
    int found = 0;
    for (String module : SHARING) {
      String tests = "";
      for (Path test : sources(ROOT.resolve(module).resolve("src/test"))) {
        tests += test.getFileName().toString().endsWith("LayoutTest.java")
            || test.getFileName().toString().equals("LayoutsTest.java") ? Files.readString(test) : "";
      }
      for (Path source : sources(ROOT.resolve(module).resolve("src/main"))) {
        String name = source.getFileName().toString().replace(".java", "");
        if (name.endsWith("Layout")) {
          found++;
          if (!Files.readString(source).contains("<pre>")) {
            wrong.add(name + " has no diagram");
          }
          if (!Pattern.compile("\\b" + name + "\\b").matcher(tests).find()) {
            wrong.add(name + " has no layout test");
          }
        }
      }
    }
    assertTrue(found >= 6, "found only " + found + " layouts");
    assertEquals(List.of(), wrong);
  }

  @Test
  void longFilesSayWhy() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Path source : sources(ROOT)) {
      List<String> lines = Files.readAllLines(source);
      if (lines.size() > LONG_FILE && lines.stream().noneMatch(line -> line.contains("This file is long"))) {
        wrong.add(ROOT.relativize(source) + ": " + lines.size() + " lines");
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void everyRoomIsOnTheMap() throws IOException {
    String map = Files.readString(ROOT.resolve("docs/architecture.md"));
    Set<String> missing = new TreeSet<>();
    for (Module module : MODULES.values()) {
      for (ClassModel type : module.classes()) {
        String room = Codebase.packageOf(Codebase.name(type));
        String shortened = room.replace("org.ffmpi.", "….");
        if (!map.contains("`" + room + "`") && !map.contains("`" + shortened + "`")
            && !room.startsWith("org.ffmpi.samples") && !map.contains("**" + room.replace("org.ffmpi.", "") + "**")) {
          missing.add(room);
        }
      }
    }
    assertEquals(Set.of(), missing);
    Matcher room = Pattern.compile("^\\| `([….a-z0-9]+)`", Pattern.MULTILINE).matcher(map);
    Set<String> there = new TreeSet<>();
    MODULES.values().forEach(module -> module.classes().forEach(
        type -> there.add(Codebase.packageOf(Codebase.name(type)))));
    Set<String> gone = new TreeSet<>();
    while (room.find()) {
      String name = room(room.group(1));
      if (!there.contains(name)) {
        gone.add(name);
      }
    }
    assertEquals(Set.of(), gone, "rooms on the map that do not exist");
  }

  /** The developer guide walks through files, each named by its folder and its class. */
  @Test
  void walkedFilesExist() throws IOException {
    Set<String> files = new TreeSet<>();
    for (Module module : MODULES.values()) {
      module.classes().forEach(type -> files.add("/" + FileGraph.file(Codebase.name(type)).replace('.', '/')));
    }
    Set<String> missing = new TreeSet<>();
    int walked = 0;
    Matcher file = Pattern.compile("`([a-z/]+/[A-Z]\\w+)`").matcher(
        Files.readString(ROOT.resolve("docs/developer-guide.md")));
    while (file.find()) {
      walked++;
      if (files.stream().noneMatch(name -> name.endsWith("/" + file.group(1)))) {
        missing.add(file.group(1));
      }
    }
    assertTrue(walked > 30, "found only " + walked + " files");
    assertEquals(Set.of(), missing);
  }

  /** The last column of the map: which rooms of its own module a room uses, beside the packages of users. */
  @Test
  void roomsKnowWhatTheMapSays() throws IOException {
    Map<String, Set<String>> onMap = new TreeMap<>();
    for (String line : Files.readAllLines(ROOT.resolve("docs/architecture.md"))) {
      String[] cells = line.split("\\|");
      if (cells.length == 4 && cells[1].matches(" `[….a-z0-9]+` ")) {
        onMap.put(room(cells[1].replaceAll("[` ]", "")), new TreeSet<>(Pattern.compile("`([^`]+)`").matcher(cells[3])
            .results().map(found -> found.group(1)).toList()));
      }
    }
    Map<String, Set<String>> known = new TreeMap<>();
    for (Module module : MODULES.values()) {
      Set<String> own = new TreeSet<>();
      module.classes().forEach(type -> own.add(Codebase.packageOf(Codebase.name(type))));
      for (ClassModel type : module.classes()) {
        String room = Codebase.packageOf(Codebase.name(type));
        Set<String> others = known.computeIfAbsent(room, unused -> new TreeSet<>());
        for (String name : Codebase.references(type)) {
          String other = Codebase.packageOf(name);
          if (own.contains(other) && !other.equals(room) && !OF_USERS.contains(other)) {
            others.add(other.substring(other.lastIndexOf('.') + 1));
          }
        }
      }
    }
    known.keySet().retainAll(onMap.keySet());
    assertTrue(known.size() > 20, "the map's rows are not found");
    assertEquals(lines(known), lines(onMap));
  }

  private static String room(String onMap) {
    return onMap.replace("….", "org.ffmpi.");
  }

  private static String lines(Map<String, Set<String>> rooms) {
    StringBuilder text = new StringBuilder();
    rooms.forEach((room, known) -> text.append(room).append(" knows ").append(known).append('\n'));
    return text.toString();
  }

  /** Returns the words in the last column of the glossary's tables that end in an asterisk. */
  private static Set<String> replacedWords() throws IOException {
    Set<String> found = new TreeSet<>();
    for (String line : Files.readAllLines(ROOT.resolve("docs/glossary.md"))) {
      String[] cells = line.split("\\|");
      if (cells.length > 3) {
        Matcher word = Pattern.compile("(\\w+)\\*").matcher(cells[3]);
        while (word.find()) {
          found.add(word.group(1).toLowerCase(Locale.ROOT));
        }
      }
    }
    return found;
  }

  private static List<String> words(String name) {
    return Stream.of(name.split("_|\\$|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"))
        .filter(word -> !word.isEmpty())
        .map(word -> word.toLowerCase(Locale.ROOT))
        .toList();
  }

  private static List<Path> sources(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !ROOT.relativize(file).toString().contains("target/"))
          .sorted()
          .toList();
    }
  }
}
