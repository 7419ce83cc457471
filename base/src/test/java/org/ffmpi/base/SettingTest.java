// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingTest {
  private enum Flavor {
    PLAIN,
    EXTRA_HOT
  }

  private static final Setting<Integer> SLOTS =
      Setting.ofInt("ffmpi.test.ring-slots", 64, 2, 4096, Setting.Scope.JOB, "slots in a ring");
  private static final Setting<Long> NUMBER =
      Setting.ofLong("ffmpi.test.number", 5L, -10L, 1L << 40, Setting.Scope.RANK, "a number");
  private static final Setting<Long> SIZE =
      Setting.ofBytes("ffmpi.test.size", 65536L, 0L, 1L << 46, Setting.Scope.JOB, "a size");
  private static final Setting<Boolean> SWITCH =
      Setting.ofBoolean("ffmpi.test.switch", true, Setting.Scope.LAUNCHER, "a switch");
  private static final Setting<String> WORD =
      Setting.ofChoice("ffmpi.test.word", "auto", List.of("auto", "on", "off"), Setting.Scope.JOB, "a word");
  private static final Setting<Flavor> FLAVOR =
      Setting.ofChoice("ffmpi.test.flavor", Flavor.PLAIN, Setting.Scope.JOB, "a flavor");
  private static final Setting<String> TEXT =
      Setting.ofString("ffmpi.test.text", "", Setting.Scope.JOB, "a text");
  private static final Setting<Long> MICROS =
      Setting.ofDurationMicros("ffmpi.test.micros", 40L, 0L, 1_000_000L, Setting.Scope.RANK, "a time");

  private static Settings explicit(Setting<?> setting, String text) {
    return Settings.of(Map.of(setting.name(), text), Map.of(), Map.of());
  }

  @Test
  void defaultsApplyWhenNothingIsSet() {
    Settings none = Settings.of(Map.of(), Map.of(), Map.of());
    assertEquals(64, SLOTS.get(none));
    assertEquals(5, NUMBER.get(none));
    assertEquals(65536, SIZE.get(none));
    assertTrue(SWITCH.get(none));
    assertEquals("auto", WORD.get(none));
    assertEquals(Flavor.PLAIN, FLAVOR.get(none));
    assertEquals("", TEXT.get(none));
    assertEquals(40, MICROS.get(none));
    assertFalse(none.isSet(SLOTS));
  }

  @Test
  void explicitBeatsPropertyBeatsEnvironment() {
    Map<String, String> explicit = Map.of("ffmpi.test.ring-slots", "3");
    Map<String, String> properties = Map.of("ffmpi.test.ring-slots", "4");
    Map<String, String> environment = Map.of("FFMPI_TEST_RING_SLOTS", "5", "PATH", "/bin");
    assertEquals(3, SLOTS.get(Settings.of(explicit, properties, environment)));
    assertEquals(4, SLOTS.get(Settings.of(Map.of(), properties, environment)));
    assertEquals(5, SLOTS.get(Settings.of(Map.of(), Map.of(), environment)));
  }

  @Test
  void systemPropertiesAreRead() {
    System.setProperty("ffmpi.test.number", "9");
    try {
      Settings taken = Settings.ofProcess();
      System.setProperty("ffmpi.test.number", "10");
      assertEquals(9, NUMBER.get(taken), "a snapshot");
      assertEquals("9", taken.toPassOn().get("ffmpi.test.number"));
      assertEquals(11, NUMBER.get(Settings.of(Map.of("ffmpi.test.number", "11"))));
    } finally {
      System.clearProperty("ffmpi.test.number");
    }
  }

  @Test
  void pathsThatNameNoFileAreRefused() {
    Setting<String> path = Setting.ofPath("ffmpi.test.path", "", Setting.Scope.JOB, "a path");
    assertEquals("/tmp/", path.get(Settings.of(Map.of("ffmpi.test.path", "/tmp/"))));
    MpiException error =
        assertThrows(MpiException.class, () -> path.get(Settings.of(Map.of("ffmpi.test.path", "a\0b"))));
    assertTrue(error.getMessage().contains("ffmpi.test.path"), error.getMessage());
  }

  @Test
  void withLeavesTheOriginalAlone() {
    Settings one = Settings.of(Map.of(), Map.of("ffmpi.test.text", "p"), Map.of());
    Settings two = one.with(SLOTS, 7).with("ffmpi.test.size", "2K").with(FLAVOR, Flavor.EXTRA_HOT);
    assertEquals(64, SLOTS.get(one));
    assertEquals(7, SLOTS.get(two));
    assertEquals(2048, SIZE.get(two));
    assertEquals(Flavor.EXTRA_HOT, FLAVOR.get(two));
    assertEquals(
        Map.of(
            "ffmpi.test.flavor", "extra-hot", "ffmpi.test.ring-slots", "7", "ffmpi.test.size", "2K",
            "ffmpi.test.text", "p"),
        two.toPassOn());
  }

  @ParameterizedTest
  @CsvSource({"0,0", "1023,1023", "64K,65536", "64k,65536", "1M,1048576", "2G,2147483648", "1T,1099511627776"})
  void sizesHaveUnits(String text, long bytes) {
    assertEquals(bytes, SIZE.get(explicit(SIZE, text)));
    assertEquals(bytes, SIZE.parse(SIZE.format(bytes), "itself"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "K", "1.5M", "64KB", "-1", "9223372036854775807K", "8388608T", "65T"})
  void sizesThatAreNone(String text) {
    assertRefused(SIZE, text);
  }

  @ParameterizedTest
  @CsvSource({"true,true", "ON,true", "yes,true", "1,true", "False,false", "off,false", "no,false", "0,false"})
  void switchesHaveManySpellings(String text, boolean value) {
    assertEquals(value, SWITCH.get(explicit(SWITCH, text)));
  }

  @Test
  void wordsIgnoreCaseAndSpacesAround() {
    assertEquals("off", WORD.get(explicit(WORD, " OFF ")));
    assertEquals(Flavor.EXTRA_HOT, FLAVOR.get(explicit(FLAVOR, "Extra-Hot")));
  }

  @Test
  void whatIsNotAllowedIsRefusedWithItsOrigin() {
    assertRefused(SLOTS, "1");
    assertRefused(SLOTS, "4097");
    assertRefused(SLOTS, "99999999999");
    assertRefused(SLOTS, "many");
    assertRefused(NUMBER, "-11");
    assertRefused(SWITCH, "maybe");
    assertRefused(WORD, "of");
    assertRefused(FLAVOR, "hot");
    assertRefused(MICROS, "1ms");
    Settings fromEnvironment = Settings.of(Map.of(), Map.of(), Map.of("FFMPI_TEST_RING_SLOTS", "7x"));
    MpiException e = assertThrows(MpiException.class, () -> SLOTS.get(fromEnvironment));
    assertEquals(
        "MPI_ERR_ARG: ffmpi.test.ring-slots = 7x (from environment variable FFMPI_TEST_RING_SLOTS): "
            + "allowed are whole numbers 2..4096",
        e.getMessage());
  }

  private static void assertRefused(Setting<?> setting, String text) {
    MpiException e = assertThrows(MpiException.class, () -> setting.get(explicit(setting, text)));
    assertEquals(ErrorClass.ERR_ARG, e.errorClass());
    assertTrue(e.getMessage().contains(setting.name() + " = " + text), e.getMessage());
    assertTrue(e.getMessage().contains(setting.flag()), e.getMessage());
  }

  @Test
  void oneNameHasThreeSpellings() {
    assertEquals("ffmpi.test.ring-slots", SLOTS.name());
    assertEquals("FFMPI_TEST_RING_SLOTS", SLOTS.environmentVariable());
    assertEquals("--test-ring-slots", SLOTS.flag());
    for (String spelling : List.of("ffmpi.test.ring-slots", "FFMPI_TEST_RING_SLOTS", "--test-ring-slots")) {
      assertSame(SLOTS, Setting.find(spelling).orElseThrow());
    }
    assertEquals(Optional.empty(), Setting.find("--no-such-setting"));
  }

  @Test
  void allAreListedInOrderOfName() {
    List<String> names = new ArrayList<>();
    Settings.registered().forEach(setting -> names.add(setting.name()));
    assertTrue(names.containsAll(List.of("ffmpi.test.flavor", "ffmpi.test.number", "ffmpi.test.word")));
    assertEquals(names.stream().sorted(Comparator.naturalOrder()).toList(), names);
    assertEquals("auto, on, off", WORD.allowed());
    assertEquals("plain, extra-hot", FLAVOR.allowed());
  }

  @Test
  void namesAndDefaultsAreChecked() {
    for (String name : List.of("test.x", "ffmpi", "ffmpi.", "ffmpi.Test", "ffmpi.a..b", "ffmpi.a_b")) {
      assertThrows(
          MpiException.class, () -> Setting.ofBoolean(name, true, Setting.Scope.JOB, "wrong name"), name);
    }
    assertThrows(
        MpiException.class, () -> Setting.ofInt("ffmpi.test.bad", 9, 0, 5, Setting.Scope.JOB, "wrong default"));
    assertThrows(
        MpiException.class, () -> Setting.ofInt("ffmpi.test.number", 1, 0, 5, Setting.Scope.JOB, "taken name"));
    assertEquals(Optional.empty(), Setting.find("ffmpi.test.bad"));
  }
}
