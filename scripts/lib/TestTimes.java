// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The account of a build's tests: {@code scripts/test-times} runs it, and its help describes the use. Times are those
 * of the reports that Surefire writes; JVMs are counted by a second copy of this program, which looks through
 * {@code /proc} while the build runs and writes the working directory of each new process named {@code java}.
 */
public final class TestTimes {
  private static final String BUDGETS = "docs/developer-guide.md";
  private static final long LOOK_MILLIS = 40;

  private static final Pattern SUITE = Pattern.compile("<testsuite [^>]*?\\bname=\"([^\"]*)\"[^>]*>");
  private static final Pattern ATTRIBUTE = Pattern.compile("\\b(time|tests)=\"([^\"]*)\"");
  private static final Pattern BUDGET = Pattern.compile("\\| `([a-z/-]+)` \\| (\\d+) s \\|");

  /** What the reports of one module add up to. */
  private static final class Module {
    private double seconds;
    private int tests;
    private int jvms;
    private int budget;
  }

  /** One report. */
  private record Report(String module, String name, double seconds, int tests) {}

  private TestTimes() {}

  /**
   * Watches, or prints the account.
   *
   * @param args root of the project; then {@code --watch FILE}, or {@code --jvms FILE} and {@code --classes N}
   * @throws IOException when a report cannot be read
   * @throws InterruptedException never
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path root = Path.of(args[0]).toRealPath();
    Path jvms = null;
    int classes = 12;
    for (int i = 1; i + 1 < args.length; i += 2) {
      switch (args[i]) {
        case "--watch" -> watch(Path.of(args[i + 1]));
        case "--jvms" -> jvms = Path.of(args[i + 1]);
        case "--classes" -> classes = Integer.parseInt(args[i + 1]);
        default -> throw new IllegalArgumentException("test-times: unknown option " + args[i]);
      }
    }
    print(root, jvms, classes);
  }

  // ---- counting processes

  /** Writes a line for each new JVM until this process is ended. A JVM that lives for less than two looks is missed. */
  private static void watch(Path file) throws IOException, InterruptedException {
    Set<String> known = new HashSet<>();
    long own = ProcessHandle.current().pid();
    boolean first = true;
    while (true) {
      Set<String> there = new HashSet<>();
      StringBuilder lines = new StringBuilder();
      try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
        for (Path process : processes) {
          String pid = process.getFileName().toString();
          if (known.contains(pid)) {
            there.add(pid);
          } else if (isJava(process)) { // a process takes this name some time after its start
            there.add(pid);
            lines.append(first || pid.equals(Long.toString(own)) ? "" : folder(process) + "\n");
          }
        }
      }
      known = there;
      first = false;
      Files.writeString(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private static boolean isJava(Path process) {
    try {
      return Files.readString(process.resolve("comm")).strip().equals("java");
    } catch (IOException e) {
      return false; // it has ended
    }
  }

  private static String folder(Path process) {
    try {
      return Files.readSymbolicLink(process.resolve("cwd")).toString();
    } catch (IOException e) {
      return "?";
    }
  }

  // ---- the account

  private static void print(Path root, Path jvms, int classes) throws IOException {
    Map<String, Module> modules = new TreeMap<>();
    List<Report> reports = new ArrayList<>();
    try (Stream<Path> found = Files.find(root, 7, (file, attributes) -> isReport(file))) {
      for (Path file : found.toList()) {
        Report report = read(root, file);
        reports.add(report);
        Module module = modules.computeIfAbsent(report.module, name -> new Module());
        module.seconds += report.seconds;
        module.tests += report.tests;
      }
    }
    Matcher budget = BUDGET.matcher(Files.readString(root.resolve(BUDGETS)));
    while (budget.find()) {
      modules.computeIfAbsent(budget.group(1), name -> new Module()).budget = Integer.parseInt(budget.group(2));
    }
    int elsewhere = jvms == null ? 0 : count(root, jvms, modules);
    System.out.printf("%nThe account of the tests%n%-28s%10s%10s%10s%10s%n", "module", "seconds", "budget", "tests",
        jvms == null ? "" : "JVMs");
    Module sum = new Module();
    modules.forEach((name, module) -> {
      line(name, module, jvms != null);
      sum.seconds += module.seconds;
      sum.tests += module.tests;
      sum.jvms += module.jvms;
      sum.budget += module.budget;
    });
    sum.jvms += elsewhere;
    line("all, JVMs of the build too", sum, jvms != null);
    System.out.printf("%nThe longest classes%n");
    reports.stream().sorted(Comparator.comparingDouble(Report::seconds).reversed()).limit(classes).forEach(report ->
        System.out.printf(Locale.ROOT, "%10.1f s  %s: %s%n", report.seconds, report.module, report.name));
  }

  private static void line(String name, Module module, boolean counted) {
    System.out.printf(Locale.ROOT, "%-28s%10.1f%10s%10d%10s%s%n", name, module.seconds,
        module.budget == 0 ? "" : Integer.toString(module.budget), module.tests,
        counted ? Integer.toString(module.jvms) : "",
        module.budget > 0 && module.seconds > module.budget ? "  over its budget" : "");
  }

  private static boolean isReport(Path file) {
    String name = file.getFileName().toString();
    return name.startsWith("TEST-") && name.endsWith(".xml")
        && file.getParent().getFileName().toString().startsWith("surefire-reports");
  }

  /** Reads the first element of a report, which has the sums. */
  private static Report read(Path root, Path file) throws IOException {
    Path module = root.relativize(file.getParent().getParent().getParent());
    Matcher suite = SUITE.matcher(Files.readString(file));
    if (!suite.find()) {
      throw new IOException(file + " is no report of Surefire");
    }
    double seconds = 0;
    int tests = 0;
    Matcher attribute = ATTRIBUTE.matcher(suite.group());
    while (attribute.find()) {
      if (attribute.group(1).equals("time")) {
        seconds = Double.parseDouble(attribute.group(2).replace(",", ""));
      } else {
        tests = Integer.parseInt(attribute.group(2));
      }
    }
    return new Report(module.toString(), suite.group(1), seconds, tests);
  }

  /** Adds JVMs to the modules in whose folders they were started; returns how many were started elsewhere. */
  private static int count(Path root, Path jvms, Map<String, Module> modules) throws IOException {
    int elsewhere = 0;
    for (String line : Files.readAllLines(jvms)) {
      Path folder = Path.of(line);
      String name = folder.startsWith(root) ? root.relativize(folder).toString() : "";
      Module module = null;
      for (Map.Entry<String, Module> entry : modules.entrySet()) {
        if (name.equals(entry.getKey()) || name.startsWith(entry.getKey() + "/")) {
          module = entry.getValue();
        }
      }
      if (module == null) {
        elsewhere++;
      } else {
        module.jvms++;
      }
    }
    return elsewhere;
  }
}
