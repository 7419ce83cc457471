// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.reflect.AccessFlag;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.ffmpi.base.Setting;
import org.ffmpi.launcher.command.Libraries;
import org.junit.jupiter.api.Test;

class LaunchSettingsTest {
  private static final String SETTING = "Lorg/ffmpi/base/Setting;";

  /** A class that holds a setting and is not listed would be missing from --help and unknown as an option. */
  @Test
  void everyClassThatHoldsSettingsIsListed() throws IOException {
    Set<String> found = new TreeSet<>();
    for (String library : Libraries.located()) {
      Path path = Path.of(library);
      if (Files.isDirectory(path)) {
        scan(path, found);
      } else {
        try (FileSystem jar = FileSystems.newFileSystem(path)) {
          scan(jar.getPath("/"), found);
        }
      }
    }
    Set<String> listed = new TreeSet<>(LaunchSettings.HOLDERS);
    listed.add(LaunchSettings.class.getName());
    assertEquals(listed, found);
  }

  private static void scan(Path root, Set<String> found) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files.filter(f -> f.toString().endsWith(".class"))::iterator) {
        ClassModel model = ClassFile.of().parse(file);
        if (model.fields().stream().anyMatch(
            f -> f.flags().has(AccessFlag.STATIC) && f.fieldType().equalsString(SETTING))) {
          found.add(model.thisClass().asInternalName().replace('/', '.'));
        }
      }
    }
  }

  @Test
  void namesAreSpelledAsTheSettingsSpellThem() {
    LaunchSettings.loadAll();
    for (Setting<?> setting : Setting.all()) {
      assertEquals(setting.environmentVariable(), LaunchSettings.environmentVariable(setting.name()));
      assertEquals(LaunchSettings.isForUsers(setting), LaunchSettings.find(setting.flag()).isPresent(), setting.name());
    }
    assertTrue(List.copyOf(Setting.all()).size() > 20);
  }
}
