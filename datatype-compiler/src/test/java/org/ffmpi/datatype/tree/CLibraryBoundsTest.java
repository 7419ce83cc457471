// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.StringTokenizer;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Size and bounds of a thousand types against those of Open MPI and MPICH. The first lines of {@code
 * c-library-bounds.tsv} describe how its numbers were obtained.
 */
class CLibraryBoundsTest {
  @Test
  @DisplayName("§5.1.7: random types have the bounds of both C libraries, or the standard's where these differ")
  void boundsOfRandomTypes() throws IOException {
    int agreed = 0;
    for (String line : lines()) {
      String[] columns = line.split("\t");
      Reader reader = new Reader(columns[0]);
      Datatype<?> type = reader.type();
      assertFalse(reader.words.hasMoreTokens(), line);
      assertEquals(
          "size " + columns[1] + ", lb " + columns[2] + ", extent " + columns[3] + ", true lb " + columns[4]
              + ", true extent " + columns[5],
          "size " + type.size() + ", lb " + type.lowerBound() + ", extent " + type.extent() + ", true lb "
              + type.trueLowerBound() + ", true extent " + type.trueExtent(),
          line);
      assertEquals(type.extent(), TypeHandle.planOf(type.commit()).extent(), line);
      agreed += columns[6].equals("agree") ? 1 : 0;
    }
    assertTrue(agreed > 900, agreed + " types in which the libraries agree");
  }

  private static List<String> lines() throws IOException {
    try (InputStream file = CLibraryBoundsTest.class.getResourceAsStream("c-library-bounds.tsv")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8).lines()
          .filter(line -> !line.startsWith("#")).skip(1).toList();
    }
  }

  /** Reads a type that is written as its constructors: names, numbers and old types, in the order of C's arguments. */
  private static final class Reader {
    private final StringTokenizer words;

    Reader(String text) {
      words = new StringTokenizer(text);
    }

    private long number() {
      return Long.parseLong(words.nextToken());
    }

    private int integer() {
      return Integer.parseInt(words.nextToken());
    }

    private Datatype.Order order() {
      return words.nextToken().equals("C") ? Datatype.Order.C : Datatype.Order.FORTRAN;
    }

    Datatype<?> type() {
      String name = words.nextToken();
      return switch (name) {
        case "dup" -> type().dup();
        case "contiguous" -> {
          long count = number();
          yield Datatype.contiguous(count, type());
        }
        case "vector", "hvector" -> {
          long count = number();
          long length = number();
          long stride = number();
          yield name.equals("vector")
              ? Datatype.vector(count, length, stride, type()) : Datatype.hvector(count, length, stride, type());
        }
        case "indexed", "hindexed" -> {
          long[][] blocks = blocks(integer());
          yield name.equals("indexed")
              ? Datatype.indexed(blocks[0], blocks[1], type()) : Datatype.hindexed(blocks[0], blocks[1], type());
        }
        case "indexed_block", "hindexed_block" -> {
          long[] displacements = new long[integer()];
          long length = number();
          for (int i = 0; i < displacements.length; i++) {
            displacements[i] = number();
          }
          yield name.equals("indexed_block")
              ? Datatype.indexedBlock(length, displacements, type())
              : Datatype.hindexedBlock(length, displacements, type());
        }
        case "struct" -> struct(integer());
        case "subarray" -> subarray(integer(), order());
        case "darray" -> darray(integer(), integer(), integer(), order());
        case "resized" -> {
          long lowerBound = number();
          long extent = number();
          yield type().resized(lowerBound, extent);
        }
        default -> Datatype.predefined().stream()
            .filter(type -> type.name().equals("MPI_" + name.replace("TWO_", "2"))).findFirst().orElseThrow();
      };
    }

    /** Lengths and displacements in turns. */
    private long[][] blocks(int count) {
      long[][] blocks = new long[2][count];
      for (int i = 0; i < count; i++) {
        blocks[0][i] = number();
        blocks[1][i] = number();
      }
      return blocks;
    }

    private Datatype<?> struct(int count) {
      long[] lengths = new long[count];
      long[] displacements = new long[count];
      Datatype<?>[] types = new Datatype<?>[count];
      for (int i = 0; i < count; i++) {
        lengths[i] = number();
        displacements[i] = number();
        types[i] = type();
      }
      return Datatype.struct(lengths, displacements, types);
    }

    private Datatype<?> subarray(int dimensions, Datatype.Order order) {
      long[] sizes = new long[dimensions];
      long[] subsizes = new long[dimensions];
      long[] starts = new long[dimensions];
      for (int d = 0; d < dimensions; d++) {
        sizes[d] = number();
        subsizes[d] = number();
        starts[d] = number();
      }
      return Datatype.subarray(sizes, subsizes, starts, order, type());
    }

    private Datatype<?> darray(int size, int rank, int dimensions, Datatype.Order order) {
      long[] gsizes = new long[dimensions];
      Datatype.Distribution[] distribs = new Datatype.Distribution[dimensions];
      int[] dargs = new int[dimensions];
      int[] psizes = new int[dimensions];
      for (int d = 0; d < dimensions; d++) {
        gsizes[d] = number();
        distribs[d] = switch (words.nextToken()) {
          case "block" -> Datatype.Distribution.BLOCK;
          case "cyclic" -> Datatype.Distribution.CYCLIC;
          default -> Datatype.Distribution.NONE;
        };
        String darg = words.nextToken();
        dargs[d] = darg.equals("d") ? Constants.DISTRIBUTE_DFLT_DARG : Integer.parseInt(darg);
        psizes[d] = integer();
      }
      return Datatype.darray(size, rank, gsizes, distribs, dargs, psizes, order, type());
    }
  }
}
