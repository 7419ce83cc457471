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
      @vectorCall      if (count < TILED_FROM) {
              for (long at = 0, end = count * @width; at < end; at += @width) {
                @type x = Raw.get@raw(in + at);
                @type y = Raw.get@raw(inout + at);
                @arith r = apply(@load(x), @load(y));
                Raw.put@raw(inout + at, @store(r));
              }
            } else {
              reduceTiles(in, inout, count);
            }
          }

          @Override
          public void combine(long left, long right, long out, long count) {
            for (long done = 0; done < count; done += TILE) {
              long n = Math.min(count - done, TILE);
              long at = done * @width;
              Raw.copy(right + at, out + at, n * @width);
              reduce(left + at, out + at, n);
            }
          }

          private static void reduceTiles(long in, long inout, long count) {
            @type[] a = new @type[TILE];
            @type[] b = new @type[TILE];
            long left = in;
            long right = inout;
            for (long rest = count; rest > 0; rest -= TILE, left += TILE_BYTES, right += TILE_BYTES) {
              int n = (int) Math.min(rest, TILE);
              long bytes = (long) n * @width;
              Memory.write(Memory.@kind, a, 0, left, bytes);
              Memory.write(Memory.@kind, b, 0, right, bytes);
              combine(a, b, 0, n);
              Memory.read(Memory.@kind, b, 0, right, bytes);
            }
          }

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

  /** Part of SCALAR_KERNEL for each kind of array. */
  static final String ARRAY_METHODS = """

          private static void combine(@type[] a, @element[] b, int from, int count) {
            for (int i = 0; i < count; i++) {
              @type x = a[i];
              @element y = b[from + i];
              @arith r = apply(@load(x), @loadElement(y));
              b[from + i] = @storeElement(r);
            }
          }

          private static void reduceTiles(long in, @element[] array, int from, int count) {
            if (count < TILED_FROM) {
              for (int i = 0; i < count; i++) {
                @type x = Raw.get@raw(in + (long) i * @width);
                @element y = array[from + i];
                @arith r = apply(@load(x), @loadElement(y));
                array[from + i] = @storeElement(r);
              }
              return;
            }
            @type[] a = new @type[Math.min(count, TILE)];
            for (int done = 0; done < count; done += TILE) {
              int n = Math.min(count - done, TILE);
              Memory.write(Memory.@kind, a, 0, in + (long) done * @width, (long) n * @width);
              combine(a, array, from + done, n);
            }
          }
      """;

  /** Vector loop over native memory. */
  static final String VECTOR_KERNEL = """
        static void @op(long in, long inout, long count) {
          long left = in;
          long right = inout;
          for (long rest = count; rest > 0; rest -= BLOCK, left += BLOCK_BYTES, right += BLOCK_BYTES) {
            @opBlock(left, right, (int) Math.min(rest, BLOCK));
          }
        }

        private static void @opBlock(long in, long inout, int count) {
          int i = 0;
          for (int end = SPECIES.loopBound(count); i < end; i += SPECIES.length()) {
            long at = (long) i * @width;
            @Vector a = @Vector.fromMemorySegment(SPECIES, MEMORY, in + at, ORDER);
            @Vector b = @Vector.fromMemorySegment(SPECIES, MEMORY, inout + at, ORDER);
            @vector.intoMemorySegment(MEMORY, inout + at, ORDER);
          }
          for (; i < count; i++) {
            long at = (long) i * @width;
            @type x = Raw.get@raw(in + at);
            @type y = Raw.get@raw(inout + at);
            @arith a = @load(x);
            @arith b = @load(y);
            @arith r = @scalar;
            Raw.put@raw(inout + at, @store(r));
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

          /** Also where the results go to the right operands: each is read before its result is written. */
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
