// SPDX-License-Identifier: Apache-2.0
package copies;

/**
 * The kernels' text. {@code @dir} is the name of a direction; {@code @array}, {@code @a} and {@code @view} are how a
 * loop is given the array, hands it on and looks into it; {@code @getLong}, {@code @putLong} and the like reach a word
 * on the side that is read or written.
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
          long d = dst;
          for (long i = 0, n = from == to ? 0 : count; i < n; i++) {
            d = @outRunsPacked(@castat + i * stride, displacements, lengths, from, to, d);
          }
        }

        @Override
        void unpackRuns(
            long src,
            Object array, long at, long stride, long count, long[] displacements, long[] lengths, int from, int to) {
          long s = src;
          for (long i = 0, n = from == to ? 0 : count; i < n; i++) {
            s = @inRunsUnpacked(@casts, at + i * stride, displacements, lengths, from, to);
          }
        }

        @Override
        void copyRuns(
            long src, long srcStride,
            Object array, long at, long stride, long count, long[] displacements, long[] lengths, int from, int to) {
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

  /** The loops of one direction. */
  static final String LOOPS = """
        // ---- @dir

        private static void @dirGrid(
            @array long src, long srcOuter, long srcInner, long dst, long dstOuter, long dstInner,
            long outer, long inner, long block) {
          if (block == 0) {
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
          for (long done = 0; done < count; done += CHUNK) {
            int n = (int) Math.min(count - done, CHUNK);
            @dirChunk(@a, src + done * srcStride, srcStride, dst + done * dstStride, dstStride, n, block);
          }
        }

        private static void @dirChunk(
            @array long src, long srcStride, long dst, long dstStride, int count, long block) {
          if (block == 8) {
            @dir8(@a, src, srcStride, dst, dstStride, count);
          } else if (block == 4) {
            @dir4(@a, src, srcStride, dst, dstStride, count);
          } else if (block == 2) {
            @dir2(@a, src, srcStride, dst, dstStride, count);
          } else if (block == 1) {
            @dir1(@a, src, srcStride, dst, dstStride, count);
          } else {
            for (int i = 0; i < count; i++) {
              @dirOne(@a, src + i * srcStride, dst + i * dstStride, block);
            }
          }
        }

        private static void @dir8(@array long src, long srcStride, long dst, long dstStride, int count) {
          @view
          long s = src;
          long d = dst;
          for (int i = 0; i < count; i++) {
            @putLong(d, @getLong(s));
            s += srcStride;
            d += dstStride;
          }
        }

        private static void @dir4(@array long src, long srcStride, long dst, long dstStride, int count) {
          @view
          long s = src;
          long d = dst;
          for (int i = 0; i < count; i++) {
            @putInt(d, @getInt(s));
            s += srcStride;
            d += dstStride;
          }
        }

        private static void @dir2(@array long src, long srcStride, long dst, long dstStride, int count) {
          @view
          long s = src;
          long d = dst;
          for (int i = 0; i < count; i++) {
            @putShort(d, @getShort(s));
            s += srcStride;
            d += dstStride;
          }
        }

        private static void @dir1(@array long src, long srcStride, long dst, long dstStride, int count) {
          @view
          long s = src;
          long d = dst;
          for (int i = 0; i < count; i++) {
            @putByte(d, @getByte(s));
            s += srcStride;
            d += dstStride;
          }
        }

        private static void @dirRuns(
            @array long src, long dst, long[] displacements, long[] lengths, int from, int to) {
          for (int r = from; r < to; r++) {
            @dirOne(@a, src + displacements[r], dst + displacements[r], lengths[r]);
          }
        }

        private static long @dirRunsPacked(
            @array long src, long[] displacements, long[] lengths, int from, int to, long dst) {
          long d = dst;
          for (int r = from; r < to; r++) {
            @dirOne(@a, src + displacements[r], d, lengths[r]);
            d += lengths[r];
          }
          return d;
        }

        private static long @dirRunsUnpacked(
            @array long src, long dst, long[] displacements, long[] lengths, int from, int to) {
          long s = src;
          for (int r = from; r < to; r++) {
            @dirOne(@a, s, dst + displacements[r], lengths[r]);
            s += lengths[r];
          }
          return s;
        }

        private static void @dirOne(@array long src, long dst, long bytes) {
          if (bytes <= SMALL) {
            @dirSmall(@a, src, dst, bytes);
          } else {
            @bulk(src, dst, bytes);
          }
        }

        /** Words at both ends overlap to fit any size. */
        private static void @dirSmall(@array long src, long dst, long bytes) {
          @view
          if (bytes >= 8) {
            long i = 0;
            for (; i < bytes - 8; i += 8) {
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
      """;
}
