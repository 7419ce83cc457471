// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/** A family of benchmarks with one subcommand, and a row of the table {@link Suites}, which alone writes the fields. */
final class Suite {
  final String name;
  /** One line of help. */
  final String summary;
  final Measurement measurement;
  /** In the order of the tables. */
  List<String> benches;
  /** Further benches, which run only when they are asked for by name. */
  List<String> controls = List.of();
  /** The cases of ffmpi, in the order of the columns. */
  List<String> cases;
  /** A case of ffmpi that the others of the same size are compared with as well, or null. */
  String reference;
  /** The names of the peers for {@code --vs}; all of them run when the option is not given. */
  List<String> peers = List.of("openmpi", "mpich");
  /** The numbers of ranks when none are given. */
  List<Integer> ranks = List.of(2);
  private List<Long> sizes = List.of(0L);
  private List<Long> quickSizes;
  /** Benches and cases that the peers do not have. */
  private List<String> own = List.of();
  private UnaryOperator<String> peerCase = UnaryOperator.identity();
  private SizeRule sizeRule = (bench, name, given) -> given;
  private IntFunction<String> refusal = n -> null;

  /** Chooses the sizes that make sense for a bench and case; a bandwidth of no bytes, for one, does not. */
  interface SizeRule {
    List<Long> of(String bench, String name, List<Long> given);
  }

  Suite(String name, String summary, Measurement measurement) {
    this.name = name;
    this.summary = summary;
    this.measurement = measurement;
  }

  Suite benches(String... names) {
    benches = List.of(names);
    return this;
  }

  Suite controls(String... names) {
    controls = List.of(names);
    return this;
  }

  Suite cases(List<String> names) {
    cases = names;
    return this;
  }

  Suite cases(String... names) {
    return cases(List.of(names));
  }

  Suite reference(String ffmpiCase) {
    reference = ffmpiCase;
    return this;
  }

  Suite peers(String... ids) {
    peers = List.of(ids);
    return this;
  }

  /** Sets which case of the peers a case of ffmpi is compared with; a case of theirs is compared with itself. */
  Suite peerCase(UnaryOperator<String> rule) {
    peerCase = rule;
    return this;
  }

  /** Sets benches and cases that the peers do not have. */
  Suite own(String... names) {
    own = List.of(names);
    return this;
  }

  Suite ranks(Integer... numbers) {
    ranks = List.of(numbers);
    return this;
  }

  /** Sets a rule that returns a sentence where the suite cannot run on so many ranks, else null. */
  Suite refusal(IntFunction<String> rule) {
    refusal = rule;
    return this;
  }

  /** Refuses all numbers of ranks but one. */
  Suite only(int number, String sentence) {
    return ranks(number).refusal(n -> n == number ? null : sentence);
  }

  Suite sizes(List<Long> all) {
    sizes = all;
    return this;
  }

  Suite sizes(Long... all) {
    return sizes(List.of(all));
  }

  /** Sets the sizes of {@code --quick} where these are fewer. */
  Suite quickSizes(Long... few) {
    quickSizes = List.of(few);
    return this;
  }

  Suite sizeRule(SizeRule rule) {
    sizeRule = rule;
    return this;
  }

  /**
   * Returns whether {@code --cases} with this word selects a case: a word may leave out parts of the case's name.
   *
   * @param word a word of the option
   * @param ffmpiCase one of {@link #cases}
   */
  boolean selects(String word, String ffmpiCase) {
    return Arrays.asList(ffmpiCase.split("\\|")).containsAll(Arrays.asList(word.split("\\|")));
  }

  /** Returns the C peers' case that a case is compared with, one of theirs with itself; those are what they run. */
  String peerCase(String ffmpiCase) {
    return peerCase.apply(ffmpiCase);
  }

  /** Returns whether an implementation has a bench or a case. */
  boolean isFor(Implementation implementation, String name) {
    return implementation.isOurs() || !own.contains(name);
  }

  /** Returns the sizes when none are given. */
  List<Long> sizes(boolean quick) {
    return quick && quickSizes != null ? quickSizes : sizes;
  }

  /** Returns those of the given sizes, or of the suite's own, that make sense for a bench and case. */
  List<Long> sizesOf(String bench, String ofCase, List<Long> given) {
    return sizeRule.of(bench, ofCase, given);
  }

  /** Returns a sentence when the suite cannot run on so many ranks, else null. */
  String refuses(int number) {
    return refusal.apply(number);
  }

  /**
   * Returns the implementation that runs the suite's programs.
   *
   * @param id {@code ffmpi}, or a peer's name
   * @param root where the project lies
   * @param classPath of this program
   * @throws BenchOptions.UsageException when there is no such peer, or not on this machine
   */
  Implementation implementation(String id, Path root, String classPath) {
    return id.equals(Implementation.OURS)
        ? measurement.ours(id, root, classPath)
        : measurement.peer(id, root, classPath);
  }
}
