// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.tool;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.ffmpi.ThreadLevel;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.tool.Tool;
import org.ffmpi.tool.ToolCategory;
import org.junit.jupiter.api.Test;

/** Categories of variables and events (MPI-4.1 §15.3.9). */
class CategoriesTest {
  @Test
  void everyVariableAndEventIsInOneCategory() {
    try (Tool tool = Tool.init(ThreadLevel.MULTIPLE)) {
      List<String> found = new ArrayList<>();
      for (ToolCategory category : tool.categories()) {
        assertEquals(category.name(), tool.category(category.index()).name());
        assertEquals(category.index(), tool.category(category.name()).index());
        assertTrue(category.description().length() > 3);
        category.controlVariables().forEach(one -> found.add("control " + one.name()));
        category.performanceVariables().forEach(one -> found.add("measure " + one.name()));
        category.eventTypes().forEach(one -> found.add("event " + one.name()));
      }
      Set<String> all = new HashSet<>();
      tool.controlVariables().forEach(one -> all.add("control " + one.name()));
      tool.performanceVariables().forEach(one -> all.add("measure " + one.name()));
      tool.eventTypes().forEach(one -> all.add("event " + one.name()));
      assertEquals(all, new HashSet<>(found));
      assertEquals(all.size(), found.size(), "something is in two categories");
    }
  }

  @Test
  void oneCategoryHasAllOthersWithinIt() {
    try (Tool tool = Tool.init(ThreadLevel.MULTIPLE)) {
      Set<String> names = new HashSet<>();
      List<ToolCategory> open = new ArrayList<>(List.of(tool.category("ffmpi")));
      while (!open.isEmpty()) {
        ToolCategory next = open.removeLast();
        assertTrue(names.add(next.name()), () -> next + " is within two others");
        open.addAll(next.categories());
      }
      assertEquals(tool.categories().size(), names.size());
      assertEquals(3, tool.category("ffmpi.settings").categories().size());
    }
  }

  @Test
  void categoriesThatDoNotExistAreRefused() {
    try (Tool tool = Tool.init(ThreadLevel.MULTIPLE)) {
      assertError(ErrorClass.T_ERR_INVALID_NAME, () -> tool.category("ffmpi.weather"), "name = ffmpi.weather");
      assertError(ErrorClass.T_ERR_INVALID_NAME, () -> tool.category(null), "name = null");
      assertError(ErrorClass.T_ERR_INVALID_INDEX, () -> tool.category(99), "index = 99");
    }
  }
}
