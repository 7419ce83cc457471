// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.architecture;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.ModuleAttribute;
import java.lang.classfile.attribute.ModuleExportInfo;
import java.lang.classfile.attribute.ModuleProvideInfo;
import java.lang.classfile.attribute.ModuleRequireInfo;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.net.URI;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Our own modules as they lie on the class path, read from their class files. */
final class Codebase {
  /** A member that some class mentions, owner in dotted form. */
  record Member(String owner, String name) {}

  /** What lies in one folder or jar; services as {@code META-INF/services} has them. */
  private record Content(List<ClassModel> classes, Map<String, Set<String>> services) {}

  /** A module with its descriptor, all its classes, and its services as the class path sees them. */
  record Module(
      String name, ModuleAttribute descriptor, List<ClassModel> classes, Map<String, Set<String>> services) {
    Set<String> requires() {
      Set<String> names = new TreeSet<>();
      for (ModuleRequireInfo required : descriptor.requires()) {
        names.add(required.requires().name().stringValue());
      }
      return names;
    }

    /** Providers by service, as the module path sees them. */
    Map<String, Set<String>> provides() {
      Map<String, Set<String>> found = new TreeMap<>();
      for (ModuleProvideInfo provided : descriptor.provides()) {
        Set<String> providers = new TreeSet<>();
        provided.providesWith().forEach(provider -> providers.add(dotted(provider)));
        found.put(dotted(provided.provides()), providers);
      }
      return found;
    }

    List<ModuleExportInfo> exports() {
      return descriptor.exports();
    }
  }

  private Codebase() {}

  /** Finds every module of ours that has a descriptor on the class path, by name. */
  static Map<String, Module> modules() {
    Map<String, Module> found = new TreeMap<>();
    try {
      for (URL url : Collections.list(Codebase.class.getClassLoader().getResources("module-info.class"))) {
        ModuleAttribute descriptor = descriptor(url);
        String name = descriptor.moduleName().name().stringValue();
        if (name.startsWith("org.ffmpi.") && !found.containsKey(name)) {
          Content content = contentBeside(url);
          found.put(name, new Module(name, descriptor, content.classes(), content.services()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  private static ModuleAttribute descriptor(URL url) throws IOException {
    try (InputStream in = url.openStream()) {
      return ClassFile.of().parse(in.readAllBytes()).findAttribute(Attributes.module()).orElseThrow();
    }
  }

  private static Content contentBeside(URL url) throws IOException {
    URI uri = URI.create(url.toString());
    if (!"jar".equals(uri.getScheme())) {
      return contentUnder(Path.of(uri).getParent());
    }
    Path jar = Path.of(URI.create(uri.getRawSchemeSpecificPart().replaceAll("!/.*", "")));
    try (FileSystem inside = FileSystems.newFileSystem(jar)) {
      return contentUnder(inside.getPath("/"));
    }
  }

  private static Content contentUnder(Path root) throws IOException {
    return new Content(classesUnder(root), servicesUnder(root.resolve("META-INF/services")));
  }

  private static Map<String, Set<String>> servicesUnder(Path folder) throws IOException {
    Map<String, Set<String>> services = new TreeMap<>();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Set<String> providers = new TreeSet<>(Files.readAllLines(file));
          providers.removeIf(line -> line.isBlank() || line.startsWith("#"));
          services.put(file.getFileName().toString(), providers);
        }
      }
    }
    return services;
  }

  private static List<ClassModel> classesUnder(Path root) throws IOException {
    List<ClassModel> classes = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).sorted().toList()) {
        ClassModel model = ClassFile.of().parse(Files.readAllBytes(file));
        if (!model.isModuleInfo()) {
          classes.add(model);
        }
      }
    }
    return classes;
  }

  static String name(ClassModel type) {
    return dotted(type.thisClass());
  }

  static String packageOf(String className) {
    return className.substring(0, Math.max(0, className.lastIndexOf('.')));
  }

  /** Every class a class mentions in its code and signatures, itself left out. */
  static Set<String> references(ClassModel type) {
    Set<String> names = new TreeSet<>();
    for (PoolEntry entry : type.constantPool()) {
      if (entry instanceof ClassEntry mentioned) {
        names.add(dotted(mentioned));
      }
    }
    type.methods().forEach(method -> addDescriptor(method.methodType().stringValue(), names));
    type.fields().forEach(field -> addDescriptor(field.fieldType().stringValue(), names));
    names.remove(name(type));
    return names;
  }

  /** Every method and field a class mentions in its code. */
  static Set<Member> members(ClassModel type) {
    Set<Member> members = new LinkedHashSet<>();
    for (PoolEntry entry : type.constantPool()) {
      if (entry instanceof MemberRefEntry mentioned) {
        members.add(new Member(dotted(mentioned.owner()), mentioned.name().stringValue()));
      }
    }
    return members;
  }

  /** Names that a class declares: its own, its methods' and its fields'. */
  static List<String> declaredNames(ClassModel type) {
    List<String> names = new ArrayList<>();
    String own = name(type);
    names.add(own.substring(own.lastIndexOf('.') + 1));
    for (MethodModel method : type.methods()) {
      names.add(method.methodName().stringValue());
    }
    for (FieldModel field : type.fields()) {
      names.add(field.fieldName().stringValue());
    }
    return names;
  }

  private static void addDescriptor(String descriptor, Set<String> names) {
    int from = descriptor.indexOf('L');
    while (from >= 0) {
      int to = descriptor.indexOf(';', from);
      names.add(descriptor.substring(from + 1, to).replace('/', '.'));
      from = descriptor.indexOf('L', to);
    }
  }

  private static String dotted(ClassEntry entry) {
    String internal = entry.asInternalName();
    if (internal.startsWith("[")) { // an array: its element type, or a primitive's letter
      int element = internal.lastIndexOf('[') + 1;
      internal = internal.charAt(element) == 'L'
          ? internal.substring(element + 1, internal.length() - 1)
          : internal.substring(element);
    }
    return internal.replace('/', '.');
  }
}
