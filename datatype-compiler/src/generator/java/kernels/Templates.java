// SPDX-License-Identifier: Apache-2.0
package kernels;

/**
 * The kernels' text. Words that begin with {@code @} are replaced: {@code @load(x)} and the like by an expression, the
 * others by a name, a type or a number of the representation.
 */
final class Templates {
  private Templates() {}

  /** One operation on elements of one number: native memory, tiles, and the choice among arrays. */
  static final String SCALAR_KERNEL = """
        /** @Op of @Name elements. */
        static final class @Op extends ElementKernel {
          @Op() {
            super(@width, @width, @width);
          }

          private static @arith apply(@arith a, @arith b) {
            return @scalar;
          }

          @Override
          public void reduce(long in, long inout, long count) {
            combine(in, inout, inout, count);
          }

          /** Works also when the results replace the right operands: each is read before its result is written. */
          @Override
          public void combine(long left, long right, long out, long count) {
      @vectorCall@tiles      combineFew(left, right, out, count);
          }

          private static void combineFew(long left, long right, long out, long count) {
            long at = 0;
      @lanes      for (long end = count * @width; at < end; at += @width) {
              @type x = Raw.get@raw(left + at);
              @type y = Raw.get@raw(right + at);
              @arith r = apply(@load(x), @load(y));
              Raw.put@raw(out + at, @store(r));
            }
          }
      @tilesMethod
          @Override
          boolean reduceArray(long in, Object array, int kind, int from, int count) {
            switch (kind) {
      @cases        default -> {
                return false;
              }
            }
            return true;
          }
      @arrayMethods  }
      """;

  /** Part of SCALAR_KERNEL for numbers that are long enough, with LANE eight times. */
  static final String LANES = """
            for (long end = (count & -Lanes.COUNT) * @width; at < end; at += Lanes.COUNT * @width) {
              long left8 = left + at;
              long right8 = right + at;
              long out8 = out + at;
      @eight      }
      """;

  /** One of eight numbers. */
  static final String LANE = """
              @type x@lane = @getLeft;
              @type y@lane = @getRight;
              @arith r@lane = apply(@load(x@lane), @load(y@lane));
              @putOut;
      """;

  /** The same in ARRAY_METHODS. */
  static final String ARRAY_LANES = """
            for (int end = count - Lanes.COUNT; done <= end; done += Lanes.COUNT) {
              long left8 = in + (long) done * @width;
              int right8 = from + done;
      @eight      }
      """;

  /** One of eight numbers. */
  static final String ARRAY_LANE = """
              @type x@lane = @getLeft;
              @element y@lane = array[right8 + @lane];
              @arith r@lane = apply(@load(x@lane), @loadElement(y@lane));
              array[right8 + @lane] = @storeElement(r@lane);
      """;

  /** Part of SCALAR_KERNEL for numbers with faster loops over arrays than over native memory, even after a copy. */
  static final String TILES = """

          private static void combineTiles(long left, long right, long out, long count) {
            @type[][] tiles = acquireTiles();
            @type[] a = tiles[0];
            @type[] b = tiles[1];
            for (long done = 0; done < count; done += TILE) {
              int n = (int) Math.min(count - done, TILE);
              long at = done * @width;
              long bytes = (long) n * @width;
              Memory.write(Memory.@kind, a, 0, left + at, bytes);
              Memory.write(Memory.@kind, b, 0, right + at, bytes);
              combine(a, b, n);
              Memory.read(Memory.@kind, b, 0, out + at, bytes);
            }
            releaseTiles(tiles);
          }

          private static void combine(@type[] a, @type[] b, int count) {
            if (count == TILE) {
              combineWhole(a, b);
              return;
            }
            for (int i = 0; i < count; i++) {
              @type x = a[i];
              @type y = b[i];
              @arith r = apply(@load(x), @load(y));
              b[i] = @store(r);
            }
          }

          /** A loop of its own, of one length, so that the compiler does not see shorter calls in its profile. */
          private static void combineWhole(@type[] a, @type[] b) {
            for (int i = 0; i < TILE; i++) {
              @type x = a[i];
              @type y = b[i];
              @arith r = apply(@load(x), @load(y));
              b[i] = @store(r);
            }
          }
      """;

  /** Two tiles for all kernels of a representation. */
  static final String POOL = """
        private static final int TILE = ElementKernel.TILE_BYTES / @width;

        /** The tiles that are not in use. A second thread allocates its own; one pair is kept afterwards. */
        private static final AtomicReference<@type[][]> TILES = new AtomicReference<>();

        private static @type[][] acquireTiles() {
          @type[][] tiles = TILES.getAndSet(null);
          return tiles != null ? tiles : new @type[2][TILE];
        }

        private static void releaseTiles(@type[][] tiles) {
          TILES.setRelease(tiles);
        }

      """;

  /** Part of SCALAR_KERNEL for each kind of array: for few elements, or for all when no other loop is faster. */
  static final String ARRAY_METHODS = """

          private static void reduceInto(long in, @element[] array, int from, int count) {
      @vectorCall@many      reduceFew(in, array, from, count);
          }

          private static void reduceFew(long in, @element[] array, int from, int count) {
            int done = 0;
      @lanes      for (; done < count; done++) {
              @type x = Raw.get@raw(in + (long) done * @width);
              @element y = array[from + done];
              @arith r = apply(@load(x), @loadElement(y));
              array[from + done] = @storeElement(r);
            }
          }
      """;

  /** Part of SCALAR_KERNEL for arrays of integers longer than bytes: the compiler makes vector code of it. */
  static final String ARRAY_LOOP = """

          private static void reduceMany(long in, @element[] array, int from, int count) {
            for (int i = 0; i < count; i++) {
              @type x = Raw.get@raw(in + (long) i * @width);
              @element y = array[from + i];
              @arith r = apply(@load(x), @loadElement(y));
              array[from + i] = @storeElement(r);
            }
          }
      """;

  /** The same for other numbers: the compiler makes vector code of two arrays only, with the same index into both. */
  static final String ARRAY_TILES = """

          private static void reduceMany(long in, @element[] array, int from, int count) {
            @type[][] tiles = acquireTiles();
            @type[] a = tiles[0];
            @type[] b = tiles[1];
            for (int done = 0, n; done < count; done += n) {
              n = Math.min(count - done, TILE);
              Memory.write(Memory.@kind, a, 0, in + (long) done * @width, (long) n * @width);
              System.arraycopy(array, from + done, b, 0, n);
              combine(a, b, n);
              System.arraycopy(b, 0, array, from + done, n);
            }
            releaseTiles(tiles);
          }
      """;

  /** Vector loop over native memory. */
  static final String VECTOR_KERNEL = """
        static void @op(long left, long right, long out, long count) {
          for (long done = 0; done < count; done += BLOCK) {
            long at = done * @width;
            @opBlock(left + at, right + at, out + at, (int) Math.min(count - done, BLOCK));
          }
        }

        private static void @opBlock(long left, long right, long out, int count) {
          int i = 0;
          for (int end = SPECIES.loopBound(count); i < end; i += SPECIES.length()) {
            long at = (long) i * @width;
            @Vector a = @Vector.fromMemorySegment(SPECIES, MEMORY, left + at, ORDER);
            @Vector b = @Vector.fromMemorySegment(SPECIES, MEMORY, right + at, ORDER);
            @vector.intoMemorySegment(MEMORY, out + at, ORDER);
          }
          for (; i < count; i++) {
            long at = (long) i * @width;
            @type x = Raw.get@raw(left + at);
            @type y = Raw.get@raw(right + at);
            @arith a = @load(x);
            @arith b = @load(y);
            @arith r = @scalar;
            Raw.put@raw(out + at, @store(r));
          }
        }
      """;

  /** Vector loop into one kind of array. */
  static final String VECTOR_ARRAY_KERNEL = """

        static void @op(long in, @element[] array, int from, int count) {
          int i = 0;
          for (int end = SPECIES.loopBound(count); i < end; i += SPECIES.length()) {
            @Vector a = @Vector.fromMemorySegment(SPECIES, MEMORY, in + (long) i * @width, ORDER);
            @Vector b = @Vector.from@ArrayArray(SPECIES, array, from + i);
            @vector.into@ArrayArray(array, from + i);
          }
          for (; i < count; i++) {
            @type x = Raw.get@raw(in + (long) i * @width);
            @element y = array[from + i];
            @arith a = @load(x);
            @arith b = @loadElement(y);
            @arith r = @scalar;
            array[from + i] = @storeElement(r);
          }
        }
      """;

  /** One operation on elements of two numbers. */
  static final String PAIR_KERNEL = """
        /** @Op of @Name elements. */
        static final class @Op extends ElementKernel {
          @Op() {
            super(@unit, @stride, @span);
          }

          @Override
          public void reduce(long in, long inout, long count) {
            combine(in, inout, inout, count);
          }

          /** Works also when the results replace the right operands: each is read before its result is written. */
          @Override
          public void combine(long left, long right, long out, long count) {
            for (long at = 0, end = count * @stride; at < end; at += @stride) {
              @S0 x0 = Raw.get@raw0(left + at);
              @S1 x1 = Raw.get@raw1(left + at + @second);
              @S0 y0 = Raw.get@raw0(right + at);
              @S1 y1 = Raw.get@raw1(right + at + @second);
              @compute
              Raw.put@raw0(out + at, @store(r0));
              Raw.put@raw1(out + at + @second, @store(r1));
            }
          }

          @Override
          boolean reduceArray(long in, Object array, int kind, int from, int count) {
      @array    }
        }
      """;

  /** Part of PAIR_KERNEL where both numbers have one type, so that an array can hold them. */
  static final String PAIR_ARRAY = """
            if (kind != Memory.@kind) {
              return false;
            }
            @S0[] b = (@S0[]) array;
            long at = in;
            for (int i = from, end = from + 2 * count; i < end; i += 2, at += @stride) {
              @S0 x0 = Raw.get@raw0(at);
              @S0 x1 = Raw.get@raw0(at + @second);
              @S0 y0 = b[i];
              @S0 y1 = b[i + 1];
              @compute
              b[i] = @store(r0);
              b[i + 1] = @store(r1);
            }
            return true;
      """;
}
