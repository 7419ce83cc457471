// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test method that every rank of a world runs, once for each number of ranks.
 *
 * {@snippet :
 * @MpiTest(ranks = {1, 2, 4})
 * void ringPassesOn(Comm world) {
 *   int next = (world.rank() + 1) % world.size();
 *   int previous = (world.rank() + world.size() - 1) % world.size();
 *   int[] sent = {world.rank()};
 *   int[] received = new int[1];
 *   world.sendrecv(Buf.of(sent), next, 0, Buf.of(received), previous, 0);
 *   assertEquals(previous, received[0]);
 * }
 *
 * @MpiTest(ranks = 2, processes = true, timeout = 120, settings = {"ffmpi.ring.slots=4"})
 * void alsoInProcesses(Mpi mpi, @TempDir Path directory) { ... }
 * }
 *
 * <h2>Parameters</h2>
 * A parameter of type {@code Mpi}, {@code Comm} or {@code IntraComm} gets the rank's own environment or its world
 * communicator. All other parameters are resolved by JUnit as usual ({@code TestInfo}, {@code @TempDir}, extensions of
 * yours), once for the invocation: all ranks get the same object.
 *
 * <h2>Ranks as threads</h2>
 * By default the ranks are threads of the JUnit JVM that run the same engine as processes do. They share the one test
 * instance: a field is shared memory, which is handy for collecting what ranks have seen (in something thread-safe) and
 * a trap otherwise. {@code @BeforeEach} and {@code @AfterEach} methods run once per invocation, before the first rank
 * starts and after the last one has ended, on JUnit's thread; what they write the ranks see, and the other way round.
 *
 * <h2>Ranks as processes</h2>
 * With {@code processes = true} each rank is a JVM of its own, started by the launcher that is on the test class path.
 * Each of them makes its own test instance with the class's constructor without parameters and runs the class's
 * {@code @BeforeEach} methods, the test method and the {@code @AfterEach} methods on it. JUnit's own thread runs
 * {@code @BeforeEach} and {@code @AfterEach} around the whole job as well, on an instance that the ranks never see;
 * {@code @BeforeAll}, {@code @AfterAll} and extensions act in the JUnit JVM alone. Arguments that JUnit resolved must
 * be strings, paths, files, enum constants or primitive values, which can be handed to another process as text.
 *
 * <h2>Errors</h2>
 * Communicators of these worlds begin with {@code Errhandler.RETURN}, so that {@code assertThrows} sees errors of MPI
 * calls and nothing ends a job behind the test's back; {@code settings = "ffmpi.errors=fatal"} changes that.
 *
 * <h2>Failures</h2> The test fails when any rank throws. The report names the rank that failed first and holds its
 * assertion as cause, then what other ranks threw, then where every rank was at that moment. The world of the failed
 * rank is aborted, so that the others do not wait for it. A test that is not over after {@link #timeout} fails with the
 * stacks of all ranks, and of other threads that were in MPI calls or in the test class; its world is aborted, its
 * threads interrupted, and the remaining tests continue. There is no time limit while a debugger is attached. An
 * assumption that fails in the first rank to throw aborts the test as JUnit's assumptions do.
 *
 * <p>The annotation may stand on annotations of your own, together with {@link MpiVariant}s.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(MpiTestExtension.class)
public @interface MpiTest {
  /** Value of {@link #orders}: every order that the messages can come in. */
  String ALL = "all";

  /**
   * The numbers of ranks to run with, one invocation for each.
   *
   * @return numbers of ranks, each at least 1
   */
  int[] ranks() default {1, 2, 3, 4};

  /**
   * Whether ranks are processes instead of threads.
   *
   * @return true for a JVM per rank
   */
  boolean processes() default false;

  /**
   * How long one invocation may take. Choose it far above the usual time: it is there to end a hang, and machines that
   * build software are busy.
   *
   * @return seconds, more than 0
   */
  long timeout() default 60;

  /**
   * The orders of messages in which the test runs. By default it runs once, in the order that comes. With {@link #ALL}
   * it runs again and again, until every relevant order has been seen, without and with waiting sends; it fails in the
   * first that is wrong. {@code "some:1000"} makes so many runs with random choices and prints their seed, which
   * {@code "some:1000:42"} gives. Any other text is the line of choices that a failed test has printed: the one order
   * to run. Explored tests have ranks that are threads, a new test instance for each run, whose {@code @BeforeEach}
   * and {@code @AfterEach} methods run around each run and have no parameters, and may take a parameter of type {@link
   * Orders}.
   *
   * @return {@link #ALL}, {@code some:} with a number, or a line of choices; empty for one run
   */
  String orders() default "";

  /**
   * Settings of the world, over system properties and environment.
   *
   * @return texts of the form {@code name=value}, for example {@code ffmpi.ring.slots=4}
   */
  String[] settings() default {};

  /**
   * Options of the ranks' JVMs, when ranks are processes. They follow those that the system property
   * {@code ffmpi.test.jvm.options} names for all tests, separated by blanks.
   *
   * @return each as one argument of the java command
   */
  String[] jvmOptions() default {};
}
