// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.Table;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.tree.TypeTree;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The operations valid for each type, against the standard's table. */
class PredefinedOpTest {
  /** The standard's verdicts: yes, no, or RMA-only. */
  private static Map<String, String> verdicts(PredefinedOp op) {
    Map<String, String> verdicts = new HashMap<>();
    Map<String, String> constants = new HashMap<>();
    Table.read("predefined.tsv").forEach(row -> constants.put(row.get("name"), row.get("java_name")));
    Table.read("operations.tsv").stream().filter(row -> row.get("operation").equals(op.mpiName()))
        .forEach(row -> verdicts.put(constants.get(row.get("datatype")), row.get("valid")));
    return verdicts;
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("S1-5.9.2-a S1-5.9.2-b S1-5.9.2-c S1-5.9.2-d S1-5.9.2-e: each operation takes the types of its groups")
  void operationsTakeTheTypesOfTheTable(PredefinedOp op) {
    Map<String, String> verdicts = verdicts(op);
    assertEquals(67, verdicts.size());
    verdicts.forEach((javaName, verdict) -> {
      Datatype<?> type = Table.constant(javaName);
      Basic basic = ((TypeTree.Named) TypeHandle.of(type).tree()).basic();
      String what = op.mpiName() + " of " + type.name();
      assertEquals(verdict.equals("yes"), op.isValidFor(basic), what);
      if (verdict.equals("yes")) {
        assertNotNull(ReduceKernels.kernel(op, type), what);
        assertSame(ReduceKernels.kernel(op, type), ReduceKernels.kernel(op, type), what);
        return;
      }
      MpiException refused = assertThrows(MpiException.class, () -> ReduceKernels.kernel(op, type), what);
      assertEquals(ErrorClass.ERR_OP, refused.errorClass(), what);
      assertTrue(refused.getMessage().contains(op.mpiName()), refused.getMessage());
      if (op.isReduction()) {
        assertTrue(refused.getMessage().contains(basic.mpiName()), refused.getMessage());
      }
    });
  }

  @Test
  void theTableHas345ValidPairs() {
    long valid = Table.read("operations.tsv").stream().filter(row -> row.get("valid").equals("yes")).count();
    assertEquals(345, valid);
  }

  @Test
  void refusalsSayWhatIsAllowed() {
    MpiException group =
        assertThrows(MpiException.class, () -> ReduceKernels.kernel(PredefinedOp.BAND, Datatype.DOUBLE));
    assertTrue(group.getMessage().contains("Floating point"), group.getMessage());
    assertTrue(group.getMessage().contains("C integer, Fortran integer, Byte"), group.getMessage());
    MpiException oneSided =
        assertThrows(MpiException.class, () -> ReduceKernels.kernel(PredefinedOp.REPLACE, Datatype.INT));
    assertTrue(oneSided.getMessage().contains("one-sided"), oneSided.getMessage());
  }

  @Test
  @DisplayName("S0-17: predefined reductions are commutative")
  void codesAndCommutativity() {
    Map<PredefinedOp, Integer> codes = new EnumMap<>(PredefinedOp.class);
    List.of(PredefinedOp.values()).forEach(op -> codes.put(op, op.code()));
    assertEquals("{MAX=35, MIN=34, SUM=33, PROD=36, LAND=48, BAND=40, LOR=49, BOR=41, LXOR=50, BXOR=42, MAXLOC=57, "
        + "MINLOC=56, REPLACE=60, NO_OP=61}", codes.toString());
    for (PredefinedOp op : PredefinedOp.values()) {
      boolean reduction = op != PredefinedOp.REPLACE && op != PredefinedOp.NO_OP;
      assertEquals(reduction, op.isReduction());
      assertEquals(reduction, op.isCommutative());
    }
  }
}
