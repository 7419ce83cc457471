// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.attribute.ModuleExportInfo;
import java.lang.classfile.constantpool.ClassEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.ffmpi.tests.architecture.Codebase.Member;
import org.ffmpi.tests.architecture.Codebase.Module;
import org.junit.jupiter.api.Test;

/** The prohibitions for all parts of ffmpi, checked in the class files. The reasons are in the developer guide. */
class ArchitectureTest {
  private static final Map<String, Module> MODULES = Codebase.modules();

  /**
   * What each module may require, of ours and of others'; the JDK's own modules are free, but for the incubating ones,
   * and so is JUnit for the test kit.
   */
  private static final Map<String, Set<String>> MAY_REQUIRE = Map.ofEntries(
      Map.entry("org.ffmpi.base", Set.of()),
      Map.entry("org.ffmpi.datatype", Set.of("org.ffmpi.base")),
      Map.entry("org.ffmpi.spi", Set.of("org.ffmpi.datatype")),
      Map.entry("org.ffmpi.api", Set.of("org.ffmpi.spi")),
      Map.entry("org.ffmpi.windows", Set.of("org.ffmpi.api")),
      Map.entry("org.ffmpi.files", Set.of("org.ffmpi.api")),
      Map.entry("org.ffmpi.objects", Set.of("org.ffmpi.api")),
      Map.entry("org.ffmpi.tools", Set.of("org.ffmpi.api")),
      Map.entry("org.ffmpi.proof", Set.of("org.ffmpi.api")),
      Map.entry("org.ffmpi.collectives", Set.of("org.ffmpi.spi")),
      Map.entry("org.ffmpi.shm", Set.of("org.ffmpi.spi")),
      Map.entry("org.ffmpi.mpi", Set.of("org.ffmpi.spi", "org.ffmpi.shm")),
      Map.entry("org.ffmpi.launcher", Set.of(
          "org.ffmpi.api", "org.ffmpi.windows", "org.ffmpi.files", "org.ffmpi.objects", "org.ffmpi.tools",
          "org.ffmpi.proof", "org.ffmpi.collectives",
          "org.ffmpi.shm", "org.ffmpi.mpi")),
      Map.entry("org.ffmpi.testkit", Set.of("org.ffmpi")),
      Map.entry("org.ffmpi.chronicle", Set.of("org.ffmpi", "chronicle.bytes", "chronicle.core")),
      Map.entry("org.ffmpi.samples", Set.of("org.ffmpi")));

  private static final Pattern JUNIT = Pattern.compile("org\\.junit\\..*|org\\.opentest4j");

  private static final String RAW = "org.ffmpi.base.raw";

  /** The two packages that may touch memory they cannot check. */
  private static final Set<String> RAW_MEMORY = Set.of(RAW, "org.ffmpi.shm.posix");

  private static final Set<String> LINKING = Set.of("java.lang.foreign.Linker", "java.lang.foreign.SymbolLookup");

  /** The two packages that may call C: the system's library, and its MPI. */
  private static final Set<String> LINKERS = Set.of("org.ffmpi.shm.posix", "org.ffmpi.mpi.binding");

  private static final Set<String> BYTES_ONLY = Set.of("org.ffmpi.shm.ring", "org.ffmpi.shm.segment");

  private static final Pattern MPI_WORD =
      Pattern.compile("(^|[a-z0-9_])(Tag|Comm|Communicator|Context|Cookie|Datatype|Envelope)([A-Z0-9_]|s?$)"
          + "|^(tag|comm|communicator|context|cookie|datatype|envelope)([A-Z0-9_]|s?$)"
          + "|(^|_)(TAG|COMM|COMMUNICATOR|CONTEXT|COOKIE|DATATYPE|ENVELOPE)S?(_|$)");

  @Test
  void everyModuleIsThere() {
    assertEquals(new TreeSet<>(MAY_REQUIRE.keySet()), MODULES.keySet());
    MODULES.values().forEach(module -> assertFalse(module.classes().isEmpty(), module.name() + " has no classes"));
  }

  @Test
  void modulesRequireOnlyWhatIsBelowThem() {
    List<String> wrong = new ArrayList<>();
    for (Module module : MODULES.values()) {
      for (String required : module.requires()) {
        boolean platform = required.startsWith("java.") || required.startsWith("jdk.");
        boolean allowed = platform
            ? !required.startsWith("jdk.incubator")
            : MAY_REQUIRE.getOrDefault(module.name(), Set.of()).contains(required)
                || module.name().equals("org.ffmpi.testkit") && JUNIT.matcher(required).matches();
        if (!allowed) {
          wrong.add(module.name() + " requires " + required);
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void rawMemoryIsExportedToOurModulesOnly() {
    List<String> wrong = new ArrayList<>();
    for (ModuleExportInfo export : MODULES.get("org.ffmpi.base").exports()) {
      if (export.exportedPackage().name().stringValue().equals(RAW.replace('.', '/'))) {
        List<String> targets = export.exportsTo().stream().map(target -> target.name().stringValue()).toList();
        if (targets.isEmpty()) {
          wrong.add(RAW + " is exported to everybody");
        }
        targets.stream().filter(target -> !target.startsWith("org.ffmpi.")).forEach(wrong::add);
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void rawMemoryIsTouchedInItsOwnPackagesOnly() {
    assertEquals(
        List.of(),
        members(type -> !RAW_MEMORY.contains(packageOf(type)), ArchitectureTest::touchesRawMemory));
    List<String> inside = members(type -> packageOf(type).equals(RAW), ArchitectureTest::touchesRawMemory);
    for (String name : List.of("MemorySegment.address", "MemorySegment.reinterpret", "ValueLayout.varHandle")) {
      assertTrue(inside.contains(RAW + ".Raw uses java.lang.foreign." + name), "the scan misses " + name);
    }
  }

  private static boolean touchesRawMemory(Member member) {
    String owner = member.owner();
    return switch (member.name()) {
      case "address", "reinterpret" -> owner.equals("java.lang.foreign.MemorySegment");
      case "varHandle", "arrayElementVarHandle" -> owner.startsWith("java.lang.foreign.");
      case "memorySegmentViewVarHandle" -> true;
      default -> owner.endsWith(".misc.Unsafe");
    };
  }

  @Test
  void onlyBindingsCallC() {
    assertEquals(List.of(), references(type -> !LINKERS.contains(packageOf(type)), LINKING::contains));
    for (String linker : LINKERS) {
      assertFalse(
          references(type -> packageOf(type).equals(linker), LINKING::contains).isEmpty(),
          "the scan misses the linker in " + linker);
    }
  }

  @Test
  void segmentAndRingsKnowBytesAndPeersOnly() {
    assertEquals(
        List.of(),
        references(
            type -> BYTES_ONLY.contains(packageOf(type)),
            name -> name.startsWith("org.ffmpi.") && !name.startsWith("org.ffmpi.base.")
                && !name.startsWith("org.ffmpi.shm.posix.") && !BYTES_ONLY.contains(Codebase.packageOf(name))));
    List<String> words = new ArrayList<>();
    for (ClassModel type : types(type -> BYTES_ONLY.contains(packageOf(type)))) {
      for (String name : Codebase.declaredNames(type)) {
        if (MPI_WORD.matcher(name).find()) {
          words.add(Codebase.name(type) + " declares " + name);
        }
      }
    }
    assertEquals(List.of(), words);
  }

  @Test
  void wordsOfMpiAreRecognisedInNames() {
    List<String> words = List.of("tag", "sendTag", "TAG", "MAX_TAG", "commOf", "Envelope", "envelopes", "DATATYPE_ID",
        "nextContext", "cookies");
    assertEquals(words, words.stream().filter(word -> MPI_WORD.matcher(word).find()).toList());
    List<String> others = List.of("stage", "command", "commit", "COMMIT", "percentage", "tagged", "Commands",
        "contextual");
    assertEquals(List.of(), others.stream().filter(word -> MPI_WORD.matcher(word).find()).toList());
  }

  @Test
  void servicesAreDeclaredForBothPaths() {
    for (Module module : MODULES.values()) {
      assertEquals(module.provides(), module.services(), module.name());
    }
    Set<String> provided = new TreeSet<>();
    MODULES.values().forEach(module -> provided.addAll(module.provides().keySet()));
    String engines = "org.ffmpi.spi.";
    String families = "org.ffmpi.port.";
    assertEquals(
        Set.of(engines + "Collectives", engines + "EngineLayer", engines + "EngineProvider",
            engines + "SettingCatalog", engines + "SpawnHelper", engines + "WorldStarter",
            families + "FileProvider", families + "ObjectProvider", families + "WindowProvider"),
        provided);
  }

  @Test
  void samplesAreWrittenAgainstTheApiAlone() {
    Set<String> open = Set.of("org.ffmpi", "org.ffmpi.base", "org.ffmpi.datatype");
    assertEquals(
        List.of(),
        references(
            type -> packageOf(type).startsWith("org.ffmpi.samples"),
            name -> name.startsWith("org.ffmpi.") && !name.startsWith("org.ffmpi.samples.")
                && !open.contains(Codebase.packageOf(name))));
  }

  @Test
  void sealedHierarchiesStayInsideOneModule() {
    List<String> wrong = new ArrayList<>();
    for (Module module : MODULES.values()) {
      Set<String> own = module.classes().stream().map(Codebase::name).collect(Collectors.toSet());
      for (ClassModel type : module.classes()) {
        type.findAttribute(Attributes.permittedSubclasses()).ifPresent(permitted -> {
          for (ClassEntry subclass : permitted.permittedSubclasses()) {
            String name = subclass.asInternalName().replace('/', '.');
            if (!own.contains(name)) {
              wrong.add(Codebase.name(type) + " permits " + name);
            }
          }
        });
      }
    }
    assertEquals(List.of(), wrong);
  }

  private static String packageOf(ClassModel type) {
    return Codebase.packageOf(Codebase.name(type));
  }

  private static List<ClassModel> types(Predicate<ClassModel> which) {
    return MODULES.values().stream().flatMap(module -> module.classes().stream()).filter(which).toList();
  }

  private static List<String> references(Predicate<ClassModel> from, Predicate<String> forbidden) {
    List<String> found = new ArrayList<>();
    for (ClassModel type : types(from)) {
      for (String name : Codebase.references(type)) {
        if (forbidden.test(name)) {
          found.add(Codebase.name(type) + " uses " + name);
        }
      }
    }
    return found;
  }

  private static List<String> members(Predicate<ClassModel> from, Predicate<Member> forbidden) {
    List<String> found = new ArrayList<>();
    for (ClassModel type : types(from)) {
      for (Member member : Codebase.members(type)) {
        if (forbidden.test(member)) {
          found.add(Codebase.name(type) + " uses " + member.owner() + "." + member.name());
        }
      }
    }
    return found;
  }
}
