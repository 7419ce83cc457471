// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Settings;
import org.ffmpi.launcher.command.Program;
import org.ffmpi.launcher.request.CommandLine;
import org.ffmpi.launcher.request.LaunchSettings;
import org.ffmpi.launcher.request.UsageException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random command lines and settings: a sentence, or something that works. Seeds are printed. */
@Timeout(1200)
@Tag("long")
class LaunchFuzzTest {
  private static final boolean STRESS = Boolean.getBoolean("ffmpi.test.stress");

  private static final String[] VALUES = {
      "", " ", "0", "-1", "1", "2", "3", "7", "64", "128", "4K", "1M", "1 M", "5000000000", "9999999999999999999",
      "-9223372036854775808", "2147483648", "1e3", "0x10", "NaN", "true", "false", "yes", "TRUE", "auto", "none",
      "full", "return", "fatal", "thread", "linear", "ring<=8K", "region,linear", "a<=", "<=1", ",", "linear<=9G,",
      "é\u0000", "../../etc", "%s%n", "a=b=c", "-", "--", "@x", "1,2", "0,0,0,x", "funneled"
  };

  private static final String[] WORDS = {
      "-n", "-np", "-n=3", "-cp", "-classpath", "--class-path", "-jar", "-m", "--module", "-p", "--help", "--version",
      "--algorithms", "--prepare", "--train", "--sample", "--source", "heat", "hello", ":", "-Xmx1g", "-ea", "-D",
      "-Da=b", "--add-opens", "--", "-", "Main", "org.x.Main", "Main.java", "app.jar", "x/y", "@args",
      "--enable-preview", "-?"
  };

  /** Settings that name files and folders which ranks write: these stay in the folder of the build. */
  private static final Set<String> WRITTEN =
      Set.of("ffmpi.jfr", "ffmpi.record", "ffmpi.trace", "ffmpi.trace.folder");

  /** Values that only take long. */
  private static final Set<String> SLOW = Set.of("ffmpi.spin", "ffmpi.yield", "ffmpi.timeout");

  private final long seed = Long.getLong("ffmpi.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final List<Setting<?>> settings;

  LaunchFuzzTest() {
    LaunchSettings.loadAll();
    settings = List.copyOf(Setting.all());
  }

  private String say(Object what) {
    return "with -Dffmpi.test.seed=" + seed + ": " + what;
  }

  private String value() {
    return random.nextInt(8) == 0
        ? random.ints(random.nextInt(12), 1, 0x250).collect(
            StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString()
        : VALUES[random.nextInt(VALUES.length)];
  }

  private String word() {
    Setting<?> setting = settings.get(random.nextInt(settings.size()));
    return switch (random.nextInt(6)) {
      case 0 -> value();
      case 1 -> setting.flag();
      case 2 -> setting.flag() + "=" + value();
      case 3 -> "--" + value();
      default -> WORDS[random.nextInt(WORDS.length)];
    };
  }

  @Test
  void commandLines() {
    int refused = 0;
    int cases = STRESS ? 1_000_000 : 20_000;
    for (int i = 0; i < cases; i++) {
      List<String> words = new ArrayList<>();
      for (int n = random.nextInt(8); n >= 0; n--) {
        words.add(word());
      }
      try {
        CommandLine line = CommandLine.parse(words.toArray(new String[0]));
        for (Program program : line.programs()) {
          assertTrue(program.ranks() > 0, say(words));
        }
      } catch (UsageException e) {
        assertFalse(e.getMessage().isBlank(), say(words));
        refused++;
      } catch (RuntimeException | Error e) {
        throw new AssertionError(say(words), e);
      }
    }
    assertTrue(refused > cases / 10 && refused < cases, say(refused));
  }

  @Test
  void valuesOfSettings() {
    for (int i = 0; i < (STRESS ? 1_000_000 : 20_000); i++) {
      Setting<?> setting = settings.get(random.nextInt(settings.size()));
      String text = value();
      try {
        setting.get(Settings.of(Map.of(setting.name(), text)));
      } catch (MpiException e) {
        assertTrue(e.getMessage().contains(setting.name()), say(setting.name() + " = " + text + ": " + e));
      } catch (RuntimeException | Error e) {
        throw new AssertionError(say(setting.name() + " = " + text), e);
      }
    }
  }

  /** Worlds with random settings work, or their start says what is wrong. */
  @Test
  void worlds() {
    int worked = 0;
    for (int i = 0; i < (STRESS ? 3_000 : 150); i++) {
      Map<String, String> chosen = new HashMap<>(Map.of("ffmpi.errors", "return"));
      for (int n = random.nextInt(3); n >= 0; n--) {
        Setting<?> setting = settings.get(random.nextInt(settings.size()));
        if (WRITTEN.contains(setting.name())) {
          chosen.put(setting.name(), "target/fuzz/" + value().replace("..", ""));
        } else if (!SLOW.contains(setting.name())) {
          chosen.put(setting.name(), value());
        }
      }
      chosen.put("ffmpi.shm.limit", "8M");
      try {
        Mpi.runThreads(1 + random.nextInt(3), chosen, mpi -> useful(mpi.world()));
        worked++;
      } catch (MpiException e) {
        assertFalse(e.getMessage().isBlank(), say(chosen));
      } catch (Exception | Error e) {
        throw new AssertionError(say(chosen), e);
      }
    }
    assertTrue(worked > 10, say(worked));
  }

  private static void useful(IntraComm world) {
    int[] data = new int[5_000];
    data[0] = world.rank();
    int next = (world.rank() + 1) % world.size();
    world.sendrecvReplace(Buf.of(data), next, 1, (world.rank() + world.size() - 1) % world.size(), 1);
    assertEquals((world.rank() + world.size() - 1) % world.size(), data[0]);
    for (int i = 0; i < 6; i++) {
      long[] sum = {1};
      world.allreduce(Buf.of(sum), Op.SUM);
      assertEquals(world.size(), sum[0]);
    }
  }
}
