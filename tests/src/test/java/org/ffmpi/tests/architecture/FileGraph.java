// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.architecture;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.attribute.EnclosingMethodAttribute;
import java.lang.classfile.attribute.InnerClassesAttribute;
import java.lang.classfile.attribute.NestHostAttribute;
import java.lang.classfile.attribute.NestMembersAttribute;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which files of a module's packages know which others of the same package. A file stands for all classes in it; a
 * sealed type and the types it permits, where they are in one package, stand for one file.
 */
final class FileGraph {
  private static final Pattern TYPE_IN_DESCRIPTOR = Pattern.compile("L([\\w/$]+)[;<]");

  /** The files that each file knows; by the representative of its family. */
  private final Map<String, Set<String>> known = new TreeMap<>();

  /** A file's representative, or the next one on the way to it. */
  private final Map<String, String> family = new HashMap<>();


  FileGraph(List<ClassModel> classes) {
    Set<String> files = new TreeSet<>();
    classes.forEach(type -> files.add(file(Codebase.name(type))));
    for (ClassModel type : classes) {
      type.findAttribute(Attributes.permittedSubclasses()).ifPresent(permitted -> permitted.permittedSubclasses()
          .forEach(subclass -> join(file(Codebase.name(type)), file(subclass.asInternalName().replace('/', '.')))));
    }
    for (ClassModel type : classes) {
      String file = file(Codebase.name(type));
      Set<String> others = known.computeIfAbsent(representative(file), unused -> new TreeSet<>());
      for (String mentioned : mentioned(type)) {
        if (files.contains(mentioned) && samePackage(mentioned, file)
            && !representative(mentioned).equals(representative(file))) {
          others.add(representative(mentioned));
        }
      }
    }
  }

  /** Returns the sets of two or more files of which each reaches each. */
  List<Set<String>> cycles() {
    return Components.of(known);
  }

  /** Returns the name of the top-level class that a class is in. */
  static String file(String className) {
    int nested = className.indexOf('$');
    return nested < 0 ? className : className.substring(0, nested);
  }

  private void join(String sealed, String permitted) {
    String first = representative(sealed);
    String second = representative(permitted);
    if (samePackage(sealed, permitted) && !first.equals(second)) {
      family.put(second, first);
    }
  }

  private String representative(String file) {
    String r = file;
    while (family.containsKey(r)) {
      r = family.get(r);
    }
    return r;
  }

  private static boolean samePackage(String file, String other) {
    return Codebase.packageOf(file).equals(Codebase.packageOf(other));
  }

  /** Returns the files whose classes a class names, in its code and in its signatures. */
  static Set<String> mentioned(ClassModel type) {
    Set<String> files = new TreeSet<>();
    named(type).forEach(name -> files.add(file(name)));
    return files;
  }

  /**
   * Returns the classes that a class names in its code and in its signatures. A nested class does not name the class
   * around it by being nested, nor does a class that names a nested class.
   */
  static Set<String> used(ClassModel type) {
    ClassFile classFile =
        ClassFile.of(ClassFile.ConstantPoolSharingOption.NEW_POOL, ClassFile.StackMapsOption.DROP_STACK_MAPS);
    return named(classFile.parse(classFile.transformClass(type, ClassTransform.dropping(
        element -> element instanceof InnerClassesAttribute || element instanceof NestHostAttribute
            || element instanceof NestMembersAttribute || element instanceof EnclosingMethodAttribute))));
  }

  private static Set<String> named(ClassModel type) {
    Set<String> names = new TreeSet<>(Codebase.references(type));
    for (PoolEntry entry : type.constantPool()) {
      if (entry instanceof Utf8Entry text) { // descriptors and generic signatures
        Matcher matcher = TYPE_IN_DESCRIPTOR.matcher(text.stringValue());
        while (matcher.find()) {
          names.add(matcher.group(1).replace('/', '.'));
        }
      }
    }
    return names;
  }
}
