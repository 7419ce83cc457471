// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds docs/gallery.md against the samples. */
class GalleryTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Path SOURCES = Path.of("..", "samples/src/main/java/org/ffmpi/samples");
  private static final Pattern COMMAND = Pattern.compile("^    scripts/mpirun .*--sample (\\S+)", Pattern.MULTILINE);
  private static final Pattern HEADING = Pattern.compile("^## (\\S+)$", Pattern.MULTILINE);
  private static final Pattern PICTURE = Pattern.compile("!\\[[^\\]]+]\\(gallery/([^)]+)\\)");
  private static final int MOST_BYTES = 100_000;

  private static Set<String> found(Pattern pattern) throws IOException {
    return pattern.matcher(Files.readString(DOCS.resolve("gallery.md"))).results().map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> samples() throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.list(SOURCES)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (Files.readString(file).contains("public static void main(")) {
          names.add(file.getFileName().toString().replace(".java", "").toLowerCase(Locale.ROOT));
        }
      }
    }
    return names;
  }

  @Test
  void eachSampleHasAnEntryAndEachCommandNamesASample() throws IOException {
    assertTrue(samples().size() > 10, samples().toString());
    assertEquals(samples(), found(HEADING));
    assertEquals(samples(), found(COMMAND));
  }

  @Test
  void picturesAreThereAndSmall() throws IOException {
    Set<String> there = new TreeSet<>();
    try (Stream<Path> files = Files.list(DOCS.resolve("gallery"))) {
      List<Path> pictures = files.toList();
      for (Path picture : pictures) {
        there.add(picture.getFileName().toString());
        assertTrue(Files.size(picture) <= MOST_BYTES, picture + " has " + Files.size(picture) + " bytes");
      }
    }
    assertEquals(there, found(PICTURE));
  }
}
