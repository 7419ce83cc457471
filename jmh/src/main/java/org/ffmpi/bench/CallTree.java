// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A method of the library that one call has entered, with those entered below it. The root is no method. */
final class CallTree {
  private final String className;
  private final String method;
  private final List<CallTree> below = new ArrayList<>();

  /** Makes a root. */
  CallTree() {
    this("", "");
  }

  private CallTree(String className, String method) {
    this.className = className;
    this.method = method;
  }

  /** Adds a method that has been entered from this one. */
  CallTree add(String ofClass, String name) {
    CallTree entered = new CallTree(ofClass, name);
    below.add(entered);
    return entered;
  }

  /** Returns whether this is that method. */
  boolean is(String ofClass, String name) {
    return className.equals(ofClass) && method.equals(name);
  }

  /** Returns how many methods have been entered below this one. */
  int entered() {
    return below.stream().mapToInt(t -> 1 + t.entered()).sum();
  }

  /** Returns how many different ones. Methods of one name in one class count as one. */
  int different() {
    Set<String> methods = new HashSet<>();
    visit(t -> methods.add(t.className + "." + t.method));
    return methods.size();
  }

  /** Returns of how many classes they are. */
  int classes() {
    Set<String> classes = new HashSet<>();
    visit(t -> classes.add(t.className));
    return classes.size();
  }

  /** Returns the most of them that were active at once. */
  int depth() {
    return below.stream().mapToInt(t -> 1 + t.depth()).max().orElse(0);
  }

  private interface Visitor {
    void visit(CallTree tree);
  }

  private void visit(Visitor visitor) {
    for (CallTree t : below) {
      visitor.visit(t);
      t.visit(visitor);
    }
  }

  /** Returns a line for each method, indented by its depth. Equal neighbours are one, with their number. */
  String text() {
    StringBuilder b = new StringBuilder();
    append(b, 0);
    return b.toString();
  }

  private void append(StringBuilder b, int depth) {
    for (int i = 0; i < below.size();) {
      CallTree t = below.get(i);
      int times = 1;
      while (i + times < below.size() && below.get(i + times).equalTo(t)) {
        times++;
      }
      b.repeat(' ', 2 * depth).append(simple(t.className)).append('.').append(t.method);
      if (times > 1) {
        b.append(" x").append(times);
      }
      b.append('\n');
      t.append(b, depth + 1);
      i += times;
    }
  }

  private boolean equalTo(CallTree other) {
    if (!is(other.className, other.method) || below.size() != other.below.size()) {
      return false;
    }
    for (int i = 0; i < below.size(); i++) {
      if (!below.get(i).equalTo(other.below.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static String simple(String name) {
    int lambda = name.indexOf("$$Lambda");
    String named = lambda < 0 ? name : name.substring(0, lambda + "$$Lambda".length());
    return named.substring(named.lastIndexOf('.') + 1);
  }
}
