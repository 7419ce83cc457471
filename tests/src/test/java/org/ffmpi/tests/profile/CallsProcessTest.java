// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.tools.ToolProvider;
import org.ffmpi.tests.support.RankJvm;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Listeners in ranks that were started with the agent. */
@Tag("process")
@Timeout(240)
class CallsProcessTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(int ranks, String listeners, Class<?> program) throws InterruptedException {
    return RankJvm.launcher(ranks)
        .main(program.getName())
        .setting("ffmpi.profile", listeners)
        .output(out)
        .errors(err)
        .timeout(Duration.ofSeconds(120))
        .run();
  }

  private List<String> lines(String prefix) {
    return out.toString(StandardCharsets.UTF_8).lines().filter(line -> line.startsWith(prefix)).toList();
  }

  private String errors() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName("S1-2.6.5: a listener sees every call with its communicator, bytes, time and error")
  void everyCallIsSeen() throws Exception {
    assertEquals(0, run(2, Programs.Printer.class.getName(), Programs.ManyCalls.class), this::errors);
    for (int rank = 0; rank < 2; rank++) {
      String begin = "seen: " + rank + " ";
      assertEquals(
          List.of(
              begin + "MPI_Init init - 0 true",
              begin + "MPI_Comm_rank rank MPI_COMM_WORLD 0 true",
              begin + "MPI_Irecv irecv MPI_COMM_WORLD 16 true",
              begin + "MPI_Send send MPI_COMM_WORLD 16 true",
              begin + "MPI_Wait await MPI_COMM_WORLD 0 true",
              begin + "MPI_Barrier barrier MPI_COMM_WORLD 0 true",
              begin + "MPI_Type_contiguous contiguous - 0 true",
              begin + "MPI_Type_commit commit - 0 true",
              begin + "MPI_Send send MPI_COMM_WORLD 16 true",
              begin + "MPI_Type_free close - 0 true",
              begin + "MPI_Info_create <init> - 0 true",
              begin + "MPI_Info_set set - 0 true",
              begin + "MPI_Waitall waitAll - 0 true",
              begin + "MPI_Comm_create_keyval notCopied - 0 true",
              begin + "MPI_Type_set_attr set - 0 true",
              begin + "MPI_Comm_set_errhandler setErrhandler MPI_COMM_WORLD 0 true",
              begin + "MPI_Send send MPI_COMM_WORLD 16 true MPI_ERR_RANK: dest = 9: allowed are 0..1 or PROC_NULL",
              begin + "MPI_Finalize close - 0 true"),
          lines(begin));
    }
    assertEquals(2, lines("says: caught").size());
    assertEquals("", errors());
  }

  @Test
  void severalListenersAreToldInOrderAndABrokenOneIsRemoved() throws Exception {
    assertEquals(0, run(1, "on", Programs.Several.class), this::errors);
    assertEquals(
        List.of(
            "says: [begin a, begin b, end b, end a]",
            "says: [begin a, end a]",
            "says: []",
            "says: 1 [begin c, end c, begin c, end c]"),
        lines("says:"));
    assertEquals(1, errors().split("is removed: it threw java.lang.IllegalStateException", -1).length - 1, errors());
  }

  @Test
  void callsInsideCallsAreNotSeen() throws Exception {
    assertEquals(0, run(1, "on", Programs.Inside.class), this::errors);
    assertEquals(
        List.of("says: [MPI_Comm_create_keyval, MPI_Type_contiguous, MPI_Type_set_attr, MPI_Type_dup, MPI_Allreduce]"),
        lines("says:"));
  }

  @Test
  void callsOfAllThreadsAreSeen() throws Exception {
    assertEquals(0, run(1, "on", Programs.ManyThreads.class), this::errors);
    assertEquals(List.of("says: all"), lines("says:"));
  }

  private boolean hasLine(String pattern) {
    return errors().lines().anyMatch(line -> line.matches(pattern));
  }

  @Test
  void theTableOfAllRanksIsPrintedBesideAListener() throws Exception {
    assertEquals(0, run(2, "summary," + Programs.Printer.class.getName(), Programs.ManyCalls.class), this::errors);
    List<String> sends = errors().lines().filter(line -> line.startsWith("mpirun: send at Programs.java:")).toList();
    assertEquals(1, sends.size(), errors());
    assertTrue(sends.getFirst().matches("mpirun: send at Programs.java:\\d+ +2 +32 B .*"), sends.getFirst());
    assertTrue(hasLine("mpirun: barrier at Programs.java:\\d+ +2 .*"), errors());
    assertEquals(2, lines("says: caught").size());
    assertEquals(2, lines("seen: 0 MPI_Barrier").size() + lines("seen: 1 MPI_Barrier").size());
  }

  @Test
  void ranksThatAreThreadsAreInTheTableToo() throws Exception {
    assertEquals(0, run(1, "summary", Programs.RankThreads.class), this::errors);
    assertTrue(hasLine("mpirun: barrier at Programs.java:\\d+ +3 .*"), errors());
    List<String> ranks = errors().lines().filter(line -> line.matches("mpirun: [012] .*")).toList();
    assertEquals(3, ranks.size(), errors());
  }

  @Test
  void listenersThatCannotBeMadeEndTheRankWithASentence() throws Exception {
    assertEquals(1, run(1, "org.example.Nowhere", Programs.ManyCalls.class));
    assertTrue(errors().contains("ffmpi: --profile: there is no class org.example.Nowhere"), errors());
    err.reset();
    assertEquals(1, run(1, "java.lang.String", Programs.ManyCalls.class));
    assertTrue(errors().contains("java.lang.String does not implement org.ffmpi.CallListener"), errors());
    err.reset();
    assertEquals(1, run(1, Programs.Named.class.getName(), Programs.ManyCalls.class));
    assertTrue(errors().contains("a constructor without parameters"), errors());
  }

  @Test
  void onTheModulePathListenersMayBePrivateToTheirModule(@TempDir Path folder) throws Exception {
    Path main = Files.createDirectory(folder.resolve("m")).resolve("Main.java");
    Files.writeString(main, """
        package m;
        import org.ffmpi.*;
        public class Main {
          static class Watcher implements CallListener {
            @Override
            public void end(Call call) {
              System.out.println("seen: " + call.name());
            }
          }
          public static void main(String[] args) {
            Mpi.run(args, mpi -> mpi.world().barrier());
          }
        }
        """);
    Path module = folder.resolve("module-info.java");
    Files.writeString(module, "module m.app { requires org.ffmpi.api; }");
    String out = folder.resolve("out").toString();
    int compiled = ToolProvider.getSystemJavaCompiler().run(
        null, err, err, "-p", System.getProperty("java.class.path"), "-d", out, module.toString(), main.toString());
    assertEquals(0, compiled, this::errors);
    int code = RankJvm.launcher(1)
        .javaOptions("-p", out)
        .module("m.app/m.Main")
        .setting("ffmpi.profile", "m.Main$Watcher")
        .output(this.out)
        .errors(err)
        .timeout(Duration.ofSeconds(120))
        .run();
    assertEquals(0, code, () -> errors() + this.out);
    assertEquals(List.of("seen: MPI_Init", "seen: MPI_Barrier", "seen: MPI_Finalize"), lines("seen: "));
  }

  @Test
  void withoutTheAgentInstallingSaysHowToAddIt() throws Exception {
    assertEquals(0, run(1, "off", Programs.Installs.class), this::errors);
    assertEquals(1, lines("says: false MPI_ERR_OTHER: this JVM was started without ffmpi's agent").size());
  }
}
