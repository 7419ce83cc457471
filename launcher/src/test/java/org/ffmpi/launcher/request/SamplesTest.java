// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SamplesTest {
  @Test
  void samplesAreTheProgramsOfThePackageAndNotTheirParts(@TempDir Path folder) throws Exception {
    Path jar = folder.resolve("samples.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      String names = "package-info Heat Heat$Inner SampleSort heat/Block heat/package-info";
      for (String name : List.of(names.split(" "))) {
        zip.putNextEntry(new ZipEntry("org/ffmpi/samples/" + name + ".class"));
      }
    }
    String before = System.setProperty(Samples.PROPERTY, jar.toString());
    try {
      assertEquals("org.ffmpi.samples.Heat", Samples.mainClass("heat"));
      assertEquals("org.ffmpi.samples.SampleSort", Samples.mainClass("sample-sort"));
      String message = assertThrows(UsageException.class, () -> Samples.mainClass("block")).getMessage();
      assertTrue(message.endsWith("no such sample among heat, samplesort"), message);
      assertTrue(Samples.list().startsWith("samples: heat, samplesort\n"), Samples.list());
    } finally {
      if (before == null) {
        System.clearProperty(Samples.PROPERTY);
      } else {
        System.setProperty(Samples.PROPERTY, before);
      }
    }
  }
}
