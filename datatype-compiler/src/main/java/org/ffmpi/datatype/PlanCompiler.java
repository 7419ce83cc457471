// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import java.util.List;

/**
 * Lowers a type tree to a plan: lists the runs of bytes in typemap order, joins neighbours, and picks the plan that is
 * made for the shape found. Called by commit, in any thread; has no state.
 */
final class PlanCompiler {
  private PlanCompiler() {}

  /**
   * Compiles a tree.
   *
   * @param tree what to compile
   * @return a plan that packs and unpacks elements of that type
   */
  static Plan compile(TypeTree tree) {
    Bounds bounds = tree.bounds();
    BlockList blocks = new BlockList();
    switch (tree) {
      case TypeTree.Named(Basic basic) -> addParts(basic.element().parts(), blocks);
    }
    // Equal size and extent do not make elements contiguous: their bytes may be permuted, or lie at a shifted place.
    boolean oneRun = blocks.count() == 1 && bounds.size() == bounds.extent();
    return oneRun ? new ContiguousPlan(bounds) : new BlockPlan(bounds, blocks.displacements(), blocks.lengths());
  }

  private static void addParts(List<Element.Part> parts, BlockList blocks) {
    for (Element.Part part : parts) {
      blocks.add(part.displacement(), part.size());
    }
  }
}
