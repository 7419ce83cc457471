// SPDX-License-Identifier: Apache-2.0
package copies;

/**
 * The kernels' text. {@code @dir} is the name of a direction; {@code @array} and {@code @a} are how a loop is given the
 * array and hands it on. {@code @getLong}, {@code @putLong} and the like reach a word at a byte offset on the side that
 * is read or written; {@code @get} and {@code @put} reach an element some elements after a cursor of type {@code @S} or
 * {@code @D}, which {@code @s} and {@code @d} make of bytes.
 */
final class CopyTemplates {
  private CopyTemplates() {}

  /** The class: what {@code Copier} wants, in terms of the loops. */
  static final String CLASS = """
      /** Copies between @what and native memory. */
      final class @PrefixCopies extends Copier {
        /** Blocks in a loop that counts with ints, which the compiler knows best. */
        private static final long CHUNK = 1 << 24;

        /** Up to here a block is a few loads and stores in line. */
        private static final long SMALL = 64;

@gates@constants
        @Override
        void pack(Object array, long at, long stride, long count, long block, long dst) {
          @outBlocks(@castat, stride, dst, block, count, block);
        }

        @Override
        void unpack(long src, Object array, long at, long stride, long count, long block) {
          @inBlocks(@castsrc, block, at, stride, count, block);
        }

        @Override
        void copy(long src, long srcStride, Object array, long at, long stride, long count, long block) {
          @inBlocks(@castsrc, srcStride, at, stride, count, block);
        }

        @Override
        void packGrid(
            Object array, long at, long outerStride, long outerCount, long innerStride, long innerCount, long block,
            long dst) {
          long row = innerCount * block;
          @outGrid(@castat, outerStride, innerStride, dst, row, block, outerCount, innerCount, block);
        }

        @Override
        void unpackGrid(
            long src,
            Object array, long at, long outerStride, long outerCount, long innerStride, long innerCount, long block) {
          long row = innerCount * block;
          @inGrid(@castsrc, row, block, at, outerStride, innerStride, outerCount, innerCount, block);
        }

        @Override
        void copyGrid(
            long src, long srcOuterStride, long srcInnerStride,
            Object array, long at, long outerStride, long outerCount, long innerStride, long innerCount, long block) {
          @inGrid(
              @castsrc, srcOuterStride, srcInnerStride,
              at, outerStride, innerStride, outerCount, innerCount, block);
        }

        @Override
        void packRuns(
            Object array, long at, long stride, long count, long[] displacements, long[] lengths, int from, int to,
            long dst) {
          if (Vectors.PRESENT && from < to && RUNS_PACKED.open(count * (to - from) * RUN)) {
            @PrefixVectors.@outRunsPacked(@castat, stride, dst, count, displacements, lengths, from, to);
            return;
          }
          long d = dst;
          for (long i = 0, n = from == to ? 0 : count; i < n; i++) {
            d = @outRunsPacked(@castat + i * stride, displacements, lengths, from, to, d);
          }
        }

        @Override
        void unpackRuns(
            long src,
            Object array, long at, long stride, long count, long[] displacements, long[] lengths, int from, int to) {
          if (Vectors.PRESENT && from < to && RUNS_UNPACKED.open(count * (to - from) * RUN)) {
            @PrefixVectors.@inRunsUnpacked(@castsrc, at, stride, count, displacements, lengths, from, to);
            return;
          }
          long s = src;
          for (long i = 0, n = from == to ? 0 : count; i < n; i++) {
            s = @inRunsUnpacked(@casts, at + i * stride, displacements, lengths, from, to);
          }
        }

        @Override
        void copyRuns(
            long src, long srcStride,
            Object array, long at, long stride, long count, long[] displacements, long[] lengths, int from, int to) {
          if (Vectors.PRESENT && from < to && RUNS_COPIED.open(count * (to - from) * RUN)) {
            @PrefixVectors.@inRunsCopied(
                @castsrc, srcStride, at, stride, count, displacements, lengths, from, to);
            return;
          }
          for (long i = 0, n = from == to ? 0 : count; i < n; i++) {
            @inRuns(@castsrc + i * srcStride, at + i * stride, displacements, lengths, from, to);
          }
        }

        @Override
        void packBlocks(
            Object array, long at, long stride, long count, long[] displacements, int from, int to, long block,
            long dst) {
          long d = dst;
          for (long i = 0, n = block == 0 || from == to ? 0 : count; i < n; i++) {
            for (int r = from; r < to; r++, d += block) {
              @outOne(@castat + i * stride + displacements[r], d, block);
            }
          }
        }

        @Override
        void unpackBlocks(
            long src, Object array, long at, long stride, long count, long[] displacements, int from, int to,
            long block) {
          long s = src;
          for (long i = 0, n = block == 0 || from == to ? 0 : count; i < n; i++) {
            for (int r = from; r < to; r++, s += block) {
              @inOne(@casts, at + i * stride + displacements[r], block);
            }
          }
        }

        @Override
        void copyBlocks(
            long src, long srcStride,
            Object array, long at, long stride, long count, long[] displacements, int from, int to, long block) {
          for (long i = 0, n = block == 0 || from == to ? 0 : count; i < n; i++) {
            for (int r = from; r < to; r++) {
              long displacement = displacements[r];
              @inOne(@castsrc + i * srcStride + displacement, at + i * stride + displacement, block);
            }
          }
        }

      @loops
      }
      """;

  /** The gates to vector loops. */
  static final String GATES = """
        /** Bytes that a run of a list counts for. */
        private static final long RUN = 16;

      """;

  /** One of them. */
  static final String GATE = """
        private static final VectorGate @NAME = VectorGate.of(Memory.@KIND, VectorGate.Loops.@NAME);
      """;

  /** How the words of a byte array are reached. */
  static final String BYTE_WORDS = """

        private static final VarHandle SHORT = words(short[].class);
        private static final VarHandle INT = words(int[].class);
        private static final VarHandle LONG = words(long[].class);

        private static VarHandle words(Class<?> view) {
          return MethodHandles.byteArrayViewVarHandle(view, ByteOrder.nativeOrder()).withInvokeExactBehavior();
        }
      """;

  /** Before a loop over blocks at equal distances. */
  static final String BEGIN = """
      @S s = @s(src);
      @D d = @d(dst);
      @S srcStep = @s(srcStride);
      @D dstStep = @d(dstStride);
      """;

  /** Four elements, all read before the first is written. */
  static final String FOUR = """
      @type x0 = @get($2);
      @type x1 = @get($3);
      @type x2 = @get($4);
      @type x3 = @get($5);
      @put($2, x0);
      @put($3, x1);
      @put($4, x2);
      @put($5, x3);
      """;

  /** The loops of one direction. */
  static final String LOOPS = """
        // ---- @dir

        private static void @dirGrid(
            @array long src, long srcOuter, long srcInner, long dst, long dstOuter, long dstInner,
            long outer, long inner, long block) {
          if (block == 0) {
            return;
          }
          if (Vectors.PRESENT && @alignedGrid
              && Vectors.grid(srcOuter, srcInner, dstOuter, dstInner, block)
              && @DIR_GRID.open(outer * inner * block) && @Vectors.@dirGrid(
                  @a, src, srcOuter, srcInner, dst, dstOuter, dstInner, outer, inner, block)) {
            return;
          }
          if (inner < outer) {
            // Blocks may move in any order: let the longer loop be the inner one.
            for (long i = 0; i < inner; i++) {
              @dirBlocks(@a, src + i * srcInner, srcOuter, dst + i * dstInner, dstOuter, outer, block);
            }
          } else {
            for (long i = 0; i < outer; i++) {
              @dirBlocks(@a, src + i * srcOuter, srcInner, dst + i * dstOuter, dstInner, inner, block);
            }
          }
        }

        private static void @dirBlocks(
            @array long src, long srcStride, long dst, long dstStride, long count, long block) {
          if (block == 0) {
            return;
          }
          if (Vectors.PRESENT && @aligned(src, srcStride, dst, dstStride, block)
              && (Vectors.seconds(srcStride, dstStride, block) ? @DIR_SECONDS.open(count * block)
                  : Vectors.blocks(block) && @DIR_BLOCKS.open(count * block))
              && @Vectors.@dirBlocks(@a, src, srcStride, dst, dstStride, count, block)) {
            return;
          }
          for (long done = 0; done < count; done += CHUNK) {
            int n = (int) Math.min(count - done, CHUNK);
            @dirChunk(@a, src + done * srcStride, srcStride, dst + done * dstStride, dstStride, n, block);
          }
        }

        private static void @dirEach(@array long src, long srcStride, long dst, long dstStride, int count, long block) {
          for (int i = 0; i < count; i++) {
            @dirOne(@a, src + i * srcStride, dst + i * dstStride, block);
          }
        }

        private static void @dirRuns(
            @array long src, long dst, long[] displacements, long[] lengths, int from, int to) {
          for (int r = from; r < to; r++) {
            @dirOne(@a, src + displacements[r], dst + displacements[r], lengths[r]);
          }
        }

        static long @dirRunsPacked(
            @array long src, long[] displacements, long[] lengths, int from, int to, long dst) {
          long d = dst;
          for (int r = from; r < to; r++) {
            @dirOne(@a, src + displacements[r], d, lengths[r]);
            d += lengths[r];
          }
          return d;
        }

        static long @dirRunsUnpacked(
            @array long src, long dst, long[] displacements, long[] lengths, int from, int to) {
          long s = src;
          for (int r = from; r < to; r++) {
            @dirOne(@a, s, dst + displacements[r], lengths[r]);
            s += lengths[r];
          }
          return s;
        }

        static void @dirOne(@array long src, long dst, long bytes) {
          if (bytes <= SMALL) {
            @dirSmall(@a, src, dst, bytes);
          } else {
            @bulk(src, dst, bytes);
          }
        }
      """;

  /** At most 64 bytes, where there are words. */
  static final String SMALL_WORDS = """

        /** Words at both ends overlap to fit any size. */
        private static void @dirSmall(@array long src, long dst, long bytes) {
          @S s = @s(src);
          @D d = @d(dst);
          int n = (int) bytes;
          if (n >= 8) {
            for (int i = 0; i < n - 8; i += 8) {
              @putLong(d + i, @getLong(s + i));
            }
            @putLong(d + n - 8, @getLong(s + n - 8));
          } else if (n >= 4) {
            @putInt(d, @getInt(s));
            @putInt(d + n - 4, @getInt(s + n - 4));
          } else if (n >= 2) {
            @putShort(d, @getShort(s));
            @putShort(d + n - 2, @getShort(s + n - 2));
          } else if (n == 1) {
            @putByte(d, @getByte(s));
          }
        }
      """;

  /** At most 64 bytes, whole elements or not. */
  static final String SMALL_ELEMENTS = """

        /** Words at both ends overlap to fit any size. */
        private static void @dirSmall(@array long src, long dst, long bytes) {
          if (@whole(src, dst, bytes)) {
            @dirSmallElements(@a, src, dst, (int) bytes / @width);
            return;
          }
          MemorySegment m = MemorySegment.ofArray(a);
          if (bytes >= 8) {
            for (long i = 0; i < bytes - 8; i += 8) {
              @putLong(dst + i, @getLong(src + i));
            }
            @putLong(dst + bytes - 8, @getLong(src + bytes - 8));
          } else if (bytes >= 4) {
            @putInt(dst, @getInt(src));
            @putInt(dst + bytes - 4, @getInt(src + bytes - 4));
          } else if (bytes >= 2) {
            @putShort(dst, @getShort(src));
            @putShort(dst + bytes - 2, @getShort(src + bytes - 2));
          } else if (bytes == 1) {
            @putByte(dst, @getByte(src));
          }
        }

        private static void @dirSmallElements(@array long src, long dst, int n) {
          @S s = @s(src);
          @D d = @d(dst);
          if (n >= 4) {
            for (int k = 0; k < n - 4; k += 4) {
              @four(k, k + 1, k + 2, k + 3)
            }
            @four(n - 4, n - 3, n - 2, n - 1)
          } else if (n >= 2) {
            @type x0 = @get(0);
            @type x1 = @get(1);
            @type x2 = @get(n - 1);
            @put(0, x0);
            @put(1, x1);
            @put(n - 1, x2);
          } else if (n == 1) {
            @put(0, @get(0));
          }
        }
      """;

  /** Blocks at equal distances by words; where words of any size can be reached at any byte. */
  static final String WORDS = """

        private static void @dirChunk(
            @array long src, long srcStride, long dst, long dstStride, int count, long block) {
          if (block == 8 && srcStride == 8 && dstStride == 16) {
            @dirSpread(@a, src, dst, count);
          } else if (block == 8) {
            @dir8(@a, src, srcStride, dst, dstStride, count);
          } else if (block == 4) {
            @dir4(@a, src, srcStride, dst, dstStride, count);
          } else if (block == 2) {
            @dir2(@a, src, srcStride, dst, dstStride, count);
          } else if (block == 1) {
            @dir1(@a, src, srcStride, dst, dstStride, count);
          } else if (block < 8 || block > 256) {
            @dirEach(@a, src, srcStride, dst, dstStride, count, block);
          } else if (block <= 16) {
            @dirPairs(@a, src, srcStride, dst, dstStride, count, block - 8);
          } else if (block <= 32) {
            @dirQuads(@a, src, srcStride, dst, dstStride, count, block - 8);
          } else {
            @dirFours(@a, src, srcStride, dst, dstStride, count, (int) block - 8);
          }
        }

        /** To every second place; constant distances compile to the fastest code. */
        private static void @dirSpread(@array long src, long dst, int count) {
          @S s = @s(src);
          @D d = @d(dst);
          int i = 0;
          for (int end = count - 7; i < end; i += 8) {
            @putLong(d, @getLong(s));
            @putLong(d + @dc(16), @getLong(s + @sc(8)));
            @putLong(d + @dc(32), @getLong(s + @sc(16)));
            @putLong(d + @dc(48), @getLong(s + @sc(24)));
            @putLong(d + @dc(64), @getLong(s + @sc(32)));
            @putLong(d + @dc(80), @getLong(s + @sc(40)));
            @putLong(d + @dc(96), @getLong(s + @sc(48)));
            @putLong(d + @dc(112), @getLong(s + @sc(56)));
            s += @sc(64);
            d += @dc(128);
          }
          for (; i < count; i++) {
            @putLong(d, @getLong(s));
            s += @sc(8);
            d += @dc(16);
          }
        }
        private static void @dirPairs(
            @array long src, long srcStride, long dst, long dstStride, int count, long last) {
          @begin
          @S srcLast = @s(last);
          @D dstLast = @d(last);
          @each
            long w0 = @getLong(s);
            long w1 = @getLong(s + srcLast);
            @putLong(d, w0);
            @putLong(d + dstLast, w1);
            @step
          }
        }

        private static void @dirQuads(
            @array long src, long srcStride, long dst, long dstStride, int count, long last) {
          @begin
          @S srcLast = @s(last);
          @D dstLast = @d(last);
          @each
            long w0 = @getLong(s);
            long w1 = @getLong(s + 8);
            long w2 = @getLong(s + srcLast - 8);
            long w3 = @getLong(s + srcLast);
            @putLong(d, w0);
            @putLong(d + 8, w1);
            @putLong(d + dstLast - 8, w2);
            @putLong(d + dstLast, w3);
            @step
          }
        }

        /** Words by four and four; the last four overlap the ones before. */
        private static void @dirFours(
            @array long src, long srcStride, long dst, long dstStride, int count, int last) {
          @begin
          @each
            for (int k = 0; k < last - 24; k += 32) {
              long w0 = @getLong(s + k);
              long w1 = @getLong(s + k + 8);
              long w2 = @getLong(s + k + 16);
              long w3 = @getLong(s + k + 24);
              @putLong(d + k, w0);
              @putLong(d + k + 8, w1);
              @putLong(d + k + 16, w2);
              @putLong(d + k + 24, w3);
            }
            long w0 = @getLong(s + last - 24);
            long w1 = @getLong(s + last - 16);
            long w2 = @getLong(s + last - 8);
            long w3 = @getLong(s + last);
            @putLong(d + last - 24, w0);
            @putLong(d + last - 16, w1);
            @putLong(d + last - 8, w2);
            @putLong(d + last, w3);
            @step
          }
        }
      """;

  /** Blocks of one word. */
  static final String WORD = """

        private static void @dir@bytes(@array long src, long srcStride, long dst, long dstStride, int count) {
          @begin
          @byFour
            @put@Word(d, @get@Word(s));
            @put@Word(d + dstStep, @get@Word(s + srcStep));
            @put@Word(d + 2 * dstStep, @get@Word(s + 2 * srcStep));
            @put@Word(d + 3 * dstStep, @get@Word(s + 3 * srcStep));
            @stepFour
          }
          @rest
            @put@Word(d, @get@Word(s));
            @step
          }
        }
      """;

  /** Blocks at equal distances by elements, through int indices, which compile best. */
  static final String ELEMENTS = """

        private static void @dirChunk(
            @array long src, long srcStride, long dst, long dstStride, int count, long block) {
          if (!(@aligned(src, srcStride, dst, dstStride, block)) || block > 256) {
            @dirEach(@a, src, srcStride, dst, dstStride, count, block);
            return;
          }
          int n = (int) block / @width;
          if (n == 1 && srcStride == block && dstStride == 2 * block) {
            @dirSpread(@a, src, dst, count);
          } else if (n == 1) {
            @dirOnes(@a, src, srcStride, dst, dstStride, count);
          } else if (n == 2) {
            @dirTwos(@a, src, srcStride, dst, dstStride, count);
          } else if (n == 3) {
            @dirThrees(@a, src, srcStride, dst, dstStride, count);
          } else {
            @dirFours(@a, src, srcStride, dst, dstStride, count, n);
          }
        }

        private static void @dirOnes(@array long src, long srcStride, long dst, long dstStride, int count) {
          @begin
          @byFour
            @putAt(d, @getAt(s));
            @putAt(d + dstStep, @getAt(s + srcStep));
            @putAt(d + 2 * dstStep, @getAt(s + 2 * srcStep));
            @putAt(d + 3 * dstStep, @getAt(s + 3 * srcStep));
            @stepFour
          }
          @rest
            @putAt(d, @getAt(s));
            @step
          }
        }

        /** To every second place; constant distances compile to the fastest code. */
        private static void @dirSpread(@array long src, long dst, int count) {
          @S s = @s(src);
          @D d = @d(dst);
          int i = 0;
          for (int end = count - 7; i < end; i += 8) {
            @put(0, @get(0));
            @put(2, @get(1));
            @put(4, @get(2));
            @put(6, @get(3));
            @put(8, @get(4));
            @put(10, @get(5));
            @put(12, @get(6));
            @put(14, @get(7));
            s += 8 * @unitS;
            d += 16 * @unitD;
          }
          for (; i < count; i++) {
            @put(0, @get(0));
            s += @unitS;
            d += 2 * @unitD;
          }
        }

        private static void @dirTwos(@array long src, long srcStride, long dst, long dstStride, int count) {
          @begin
          @each
            @type x0 = @get(0);
            @type x1 = @get(1);
            @put(0, x0);
            @put(1, x1);
            @step
          }
        }

        private static void @dirThrees(@array long src, long srcStride, long dst, long dstStride, int count) {
          @begin
          @each
            @type x0 = @get(0);
            @type x1 = @get(1);
            @type x2 = @get(2);
            @put(0, x0);
            @put(1, x1);
            @put(2, x2);
            @step
          }
        }

        /** Four elements and more; the last four overlap the ones before. */
        private static void @dirFours(
            @array long src, long srcStride, long dst, long dstStride, int count, int n) {
          @begin
          int last = n - 4;
          @each
            for (int k = 0; k < last; k += 4) {
              @four(k, k + 1, k + 2, k + 3)
            }
            @four(last, last + 1, last + 2, last + 3)
            @step
          }
        }
      """;
}
