// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.ffmpi.Worlds.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Settings;
import org.junit.jupiter.api.Test;

/** Keys and values of infos, their order and limits, and the info about the start of a program. */
class InfoTest {
  @Test
  void keysKeepTheirOrder() {
    Info info = new Info().set("b", "1").set("a", "2").set("c", "3");
    assertEquals(3, info.size());
    assertEquals(List.of("b", "a", "c"), info.keys());
    info.set("a", "");
    assertEquals(Optional.of(""), info.get("a"), "an empty value is a value");
    assertEquals("a", info.key(1), "a key that is set again keeps its place");
    info.delete("a");
    assertEquals(Optional.empty(), info.get("a"));
    info.set("a", "4");
    assertEquals("a", info.key(2));
    assertEquals("Info{b=1, c=3, a=4}", info.toString());
    info.set("B", "5");
    assertEquals(Optional.of("1"), info.get("b"), "upper and lower case are different");
  }

  @Test
  void duplicatesAreIndependent() {
    Info info = new Info().set("x", "1").set("y", "2");
    Info copy = info.dup();
    assertEquals(info.keys(), copy.keys());
    copy.set("x", "3");
    copy.delete("y");
    assertEquals("Info{x=1, y=2}", info.toString());
    info.close();
    assertEquals("Info{x=3}", copy.toString());
    assertNotEquals(new Info(), new Info());
  }

  @Test
  void limitsOfKeysAndValues() {
    Info info = new Info();
    String longest = "k".repeat(Constants.MAX_INFO_KEY - 1);
    info.set(longest, "v".repeat(Constants.MAX_INFO_VAL - 1));
    assertTrue(info.get(longest).isPresent());
    for (String key : new String[] {null, "", longest + "k"}) {
      assertError(ErrorClass.ERR_INFO_KEY, () -> info.set(key, "1"), "key = ", "1 to 255");
      assertError(ErrorClass.ERR_INFO_KEY, () -> info.get(key));
      assertError(ErrorClass.ERR_INFO_KEY, () -> info.delete(key));
    }
    assertError(ErrorClass.ERR_INFO_VALUE, () -> info.set("a", null), "value = null");
    assertError(ErrorClass.ERR_INFO_VALUE, () -> info.set("a", "v".repeat(Constants.MAX_INFO_VAL)), "1024");
    assertError(ErrorClass.ERR_INFO_NOKEY, () -> info.delete("a"), "key = a");
    assertError(ErrorClass.ERR_ARG, () -> info.key(1), "n = 1", "0..0");
    assertError(ErrorClass.ERR_ARG, () -> info.key(-1), "n = -1");
    assertError(ErrorClass.ERR_ARG, () -> new Info().key(0), "no key");
  }

  @Test
  void freedInfosCannotBeUsed() {
    Info info = new Info().set("a", "1");
    info.close();
    info.close();
    assertEquals("Info(freed)", info.toString());
    assertError(ErrorClass.ERR_INFO, () -> info.set("a", "1"), "freed");
    assertError(ErrorClass.ERR_INFO, () -> info.get("a"));
    assertError(ErrorClass.ERR_INFO, () -> info.delete("a"));
    assertError(ErrorClass.ERR_INFO, info::size);
    assertError(ErrorClass.ERR_INFO, () -> info.key(0));
    assertError(ErrorClass.ERR_INFO, info::keys);
    assertError(ErrorClass.ERR_INFO, info::dup);
  }

  @Test
  void randomCallsDoWhatAMapDoes() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Info info = new Info();
    Map<String, String> model = new LinkedHashMap<>();
    for (int i = 0; i < 5_000; i++) {
      String key = "k" + random.nextInt(12);
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          info.set(key, "v" + i);
          model.put(key, "v" + i);
        }
        case 2 -> {
          if (model.remove(key) == null) {
            assertError(ErrorClass.ERR_INFO_NOKEY, () -> info.delete(key), key);
          } else {
            info.delete(key);
          }
        }
        default -> assertEquals(Optional.ofNullable(model.get(key)), info.get(key));
      }
      assertEquals(model.size(), info.size(), "seed " + seed);
      List<String> keys = new ArrayList<>();
      for (int n = 0; n < info.size(); n++) {
        keys.add(info.key(n));
      }
      assertEquals(List.copyOf(model.keySet()), keys, "seed " + seed);
    }
  }

  @Test
  void anyThreadMayCall() throws InterruptedException {
    Info info = new Info();
    int threads = 4;
    CountDownLatch done = new CountDownLatch(threads);
    for (int t = 0; t < threads; t++) {
      String prefix = t + ".";
      Thread.ofVirtual().start(() -> {
        for (int i = 0; i < 500; i++) {
          info.set(prefix + i, "x");
          info.get(prefix + i).orElseThrow();
          info.key(info.size() - 1);
        }
        done.countDown();
      });
    }
    done.await();
    assertEquals(threads * 500, info.size());
  }

  @Test
  void environmentWithoutALauncher() {
    Info info = Info.env();
    assertFalse(info.keys().contains("command"));
    assertFalse(info.keys().contains("argv"));
    assertFalse(info.keys().contains("maxprocs"));
    assertEquals(Optional.of(Mpi.processorName()), info.get("host"));
    assertEquals(Optional.of(System.getProperty("user.dir")), info.get("wdir"));
    assertEquals(Optional.of(System.getProperty("os.arch")), info.get("arch"));
    info.set("mine", "1");
    assertFalse(Info.env().keys().contains("mine"), "each is one's own");
  }

  @Test
  void environmentOfARank() {
    Map<String, String> told = Map.of(
        "ffmpi.program", "1", "ffmpi.program.command", "org.example.Main", "ffmpi.program.arguments", "-x 3",
        "ffmpi.program.ranks", "3", "ffmpi.thread.level", "funneled", "ffmpi.errors", "abort");
    Info info = Info.ofRun(Settings.of(told));
    assertEquals(
        List.of("command", "argv", "maxprocs", "host", "arch", "wdir", "thread_level", "mpi_initial_errhandler"),
        info.keys());
    assertEquals(Optional.of("org.example.Main"), info.get("command"));
    assertEquals(Optional.of("-x 3"), info.get("argv"));
    assertEquals(Optional.of("3"), info.get("maxprocs"));
    assertEquals(Optional.of("MPI_THREAD_FUNNELED"), info.get("thread_level"));
    assertEquals(Optional.of("mpi_errors_abort"), info.get("mpi_initial_errhandler"));
    String[] handlers = {"fatal", "mpi_errors_are_fatal", "return", "mpi_errors_return"};
    for (int i = 0; i < handlers.length; i += 2) {
      Info other = Info.ofRun(Settings.of(Map.of("ffmpi.errors", handlers[i])));
      assertEquals(Optional.of(handlers[i + 1]), other.get("mpi_initial_errhandler"));
    }
    Info longest = Info.ofRun(Settings.of(Map.of("ffmpi.program.arguments", "a".repeat(3000))));
    assertEquals(Constants.MAX_INFO_VAL - 1, longest.get("argv").orElseThrow().length());
    Mpi.runThreads(1, Map.of("ffmpi.thread.level", "serialized"), mpi ->
        assertEquals(Optional.of("MPI_THREAD_SERIALIZED"), Info.env().get("thread_level"), "that of this world"));
  }
}
