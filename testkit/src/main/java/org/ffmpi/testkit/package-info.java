// SPDX-License-Identifier: Apache-2.0
/**
 * Tests that run on several ranks, with JUnit 5.
 *
 * {@snippet :
 * class SumTest {
 *   @MpiTest(ranks = {1, 2, 4})
 *   void everyRankSeesTheSum(Comm world) {
 *     int[] x = {world.rank() + 1};
 *     world.allreduce(Buf.of(x), Op.SUM);
 *     assertEquals(world.size() * (world.size() + 1) / 2, x[0]);
 *   }
 * }
 * }
 *
 * <p>{@code ffmpi-testkit} on the test class path brings all that is needed, the engine, the launcher and JUnit's own
 * engine included. {@link org.ffmpi.testkit.MpiTest} has the details.
 *
 * <p>The JVM that runs tests warns of native access unless it is started with
 * {@code --enable-native-access=ALL-UNNAMED}: with Maven the {@code argLine} of maven-surefire-plugin, with Gradle
 * {@code jvmArgs} of the task {@code test}. Ranks that are processes get that option from the launcher.
 *
 * <p>How it works: {@code MpiTestExtension} makes one JUnit invocation of each number of ranks and each {@link
 * org.ffmpi.testkit.MpiVariant}. Its interceptor does not call the method once with the arguments that JUnit has
 * resolved; {@code ThreadRun} or {@code ProcessRun} calls it in every rank.
 */
package org.ffmpi.testkit;
