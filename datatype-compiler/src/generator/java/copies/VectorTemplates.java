// SPDX-License-Identifier: Apache-2.0
package copies;

/**
 * The vector kernels' text. Besides the words of {@link CopyTemplates}: {@code @load512} and {@code @store512} and the
 * like move a vector of so many bits on the side that is read or written, {@code @V} is the vector class of the user's
 * memory, {@code @L} one of lanes as wide as a block.
 */
final class VectorTemplates {
  private VectorTemplates() {}

  /** What every class begins with. */
  static final String CLASS = """
      /** Vector loops between @what and native memory; linked only where there are 64-byte vectors. */
      final class @PrefixVectors {
        private static final VectorSpecies<@Box> S128 = @V.SPECIES_128;
        private static final VectorSpecies<@Box> S256 = @V.SPECIES_256;
        private static final VectorSpecies<@Box> S512 = @V.SPECIES_512;
        private static final ByteOrder ORDER = ByteOrder.nativeOrder();
        private static final MemorySegment MEMORY = Raw.EVERYTHING;

        /** Blocks in a loop that counts with ints, which the compiler knows best. */
        private static final long CHUNK = 1 << 24;

        /** Rows longer than this are left to the JDK's bulk copy. */
        private static final long LONGEST = 512;

        /** Rows of tiles that are done together, so that the lines of memory they share stay in the cache. */
        private static final long BAND = 64;

@constants
        private @PrefixVectors() {}

        /** The mask of the lanes that hold the first bytes, up to 64 and not none. */
        private static VectorMask<@Box> first(VectorSpecies<@Box> species, long bytes) {
          return VectorMask.fromLong(species, -1L >>> (64 - bytes / @width));
        }

      @loops
      }
      """;

  /** The loops of one direction. */
  static final String LOOPS = """
        // ---- @dir

        /** Copies blocks if there is a vector loop for them; returns false otherwise. */
        static boolean @dirBlocks(
            @array long src, long srcStride, long dst, long dstStride, long count, long block) {
          if (block > LONGEST) {
            return false;
          }
          if (srcStride == 2 * block && dstStride == block) {
            if (@dirEverySecond(@a, src, dst, count, block)) {
              return true;
            }
          }
          @toEverySecond
          if (block < 16) {
            return false;
          }
          for (long done = 0; done < count; done += CHUNK) {
            int n = (int) Math.min(count - done, CHUNK);
            @dirChunk(@a, src + done * srcStride, srcStride, dst + done * dstStride, dstStride, n, block);
          }
          return true;
        }

        private static void @dirChunk(
            @array long src, long srcStride, long dst, long dstStride, int count, long block) {
          if (block == 64) {
            @dir512(@a, src, srcStride, dst, dstStride, count);
          } else if (block == 32) {
            @dir256(@a, src, srcStride, dst, dstStride, count);
          } else if (block == 16) {
            @dir128(@a, src, srcStride, dst, dstStride, count);
          } else if (block < 32) {
            @dirPairs128(@a, src, srcStride, dst, dstStride, count, block - 16);
          } else if (block < 64) {
            @dirPairs256(@a, src, srcStride, dst, dstStride, count, block - 32);
          } else if (block <= 128) {
            @dirPairs512(@a, src, srcStride, dst, dstStride, count, block - 64);
          } else {
            for (int i = 0; i < count; i++) {
              @dirRow(@a, src + i * srcStride, dst + i * dstStride, block);
            }
          }
        }

        /** Copies 64 bytes or more. */
        private static void @dirRow(@array long src, long dst, long bytes) {
          @S s = @s(src);
          @D d = @d(dst);
          int vectors = (int) (bytes - 1) / 64;
          for (int i = 0; i < vectors; i++) {
            @store512(d, @load512(s));
            s += @sc(64);
            d += @dc(64);
          }
          long last = bytes - 64;
          @S srcEnd = @s(src) + @s(last);
          @D dstEnd = @d(dst) + @d(last);
          @store512(dstEnd, @load512(srcEnd));
        }
      """;

  /** Blocks of one vector. */
  static final String SINGLE = """

        private static void @dir@bits(@array long src, long srcStride, long dst, long dstStride, int count) {
          @begin
          @each
            @store@bits(d, @load@bits(s));
            @step
          }
        }
      """;

  /** Blocks of one to two vectors, which overlap to fit. */
  static final String PAIRS = """

        private static void @dirPairs@bits(
            @array long src, long srcStride, long dst, long dstStride, int count, long last) {
          @begin
          @S srcLast = @s(last);
          @D dstLast = @d(last);
          @each
            @V v0 = @load@bits(s);
            @V v1 = @load@bits(s + srcLast);
            @store@bits(d, v0);
            @store@bits(d + dstLast, v1);
            @step
          }
        }
      """;

  /** The choice by block size. */
  static final String EVERY_SECOND = """

        private static boolean @dirEverySecond(@array long src, long dst, long count, long block) {
          if (count * block < 64 || count >= CHUNK) {
            return false;
          }
          switch ((int) block) {
      @cases
            default -> {
              return false;
            }
          }
          return true;
        }
      """;

  /** The same for the opposite way. */
  static final String TO_EVERY_SECOND = EVERY_SECOND.replace("@dirEvery", "@dirToEvery");

  /** Every second of blocks that follow one another. */
  static final String SECOND = """

        private static void @dirEverySecond@block(@array long src, long dst, int count) {
          @S s = @s(src);
          @D d = @d(dst);
          int full = (count - 1) / (64 / @block);
          for (int i = 0; i < full; i++) {
            @L v0 = @load512(s).reinterpretAs@Ls();
            @L v1 = @load512(s + @sc(64)).reinterpretAs@Ls();
            @L v = VectorLanes.EVEN_@block.selectFrom(v0, v1);
            @store512(d, v@back());
            s += @sc(128);
            d += @dc(64);
          }
          // The last vectors end with the last block and overlap those before.
          long lastBlock = (long) (count - 1) * @block;
          s = @s(src) + 2 * @s(lastBlock) - @sc(128) + 2 * @sc(@block);
          d = @d(dst) + @d(lastBlock) - @dc(64) + @dc(@block);
          @L v0 = @load512(s).reinterpretAs@Ls();
          @L v1 = @load512(s + @sc(64) - @sc(@block)).reinterpretAs@Ls();
          @L v = VectorLanes.EVEN_ENDING_@block.selectFrom(v0, v1);
          @store512(d, v@back());
        }
      """;

  /** To every second place; one that needs no mask is better done word by word. */
  static final String TO_SECOND = """

        private static void @dirToEverySecond@block(@array long src, long dst, int count) {
          @S s = @s(src);
          @D d = @d(dst);
          int full = (count - 1) / (64 / @block);
          for (int i = 0; i < full; i++) {
            @L v = @load512(s).reinterpretAs@Ls();
            @L lower = VectorLanes.LOWER_@block.selectFrom(v, v);
            @L upper = VectorLanes.UPPER_@block.selectFrom(v, v);
            @masked512(d, lower@back(), EVEN_@block);
            @masked512(d + @dc(64), upper@back(), EVEN_@block);
            s += @sc(64);
            d += @dc(128);
          }
          long lastBlock = (long) (count - 1) * @block;
          s = @s(src) + @s(lastBlock) - @sc(64) + @sc(@block);
          d = @d(dst) + 2 * @d(lastBlock) - @dc(128) + 2 * @dc(@block);
          @L v = @load512(s).reinterpretAs@Ls();
          @L lower = VectorLanes.LOWER_@block.selectFrom(v, v);
          @L upper = VectorLanes.UPPER_@block.selectFrom(v, v);
          @masked512(d, lower@back(), EVEN_@block);
          @masked512(d + @dc(64), upper@back(), EVEN_@block);
        }
      """;

  /** Runs of a list; the address of each side is a place in an element or in a stream. */
  static final String RUNS = """

        static void @dirRuns@way(
            @array @source, @target, long count,
            long[] displacements, long[] lengths, int from, int to) {
          if (count >= 8 && @dirElements@way(
              @a, @arguments, count, displacements, lengths, from, to)) {
            return;
          }
          @stream
          for (long i = 0; i < count; i++) {
            for (int r = from; r < to; r++) {
              long displacement = displacements[r];
              long bytes = lengths[r];
              long s = @from;
              long d = @into;
              if (bytes - 1 >>> 6 == 0@andWhole) {
                @S sv = @s(s);
                @D dv = @d(d);
                VectorMask<@Box> mask = first(S512, bytes);
                @masked512(dv, @loadMasked512(sv, mask), mask);
              } else {
                @Copies.@dirOne(@a, s, d, bytes);
              }
              @advance
            }
          }
        }
      """;

  /** Eight rows of eight blocks become eight columns. */
  static final String TRANSPOSE = """

        /** Copies blocks whose dimensions change places, if there are enough of them. */
        private static boolean @dirTranspose@block(
            @array long src, long srcRow, long dst, long dstRow, long rows, long columns) {
          if (rows < 8 || columns < 8 || rows > CHUNK || columns > CHUNK) {
            return false;
          }
          // The last tiles overlap the ones before.
          long lastRow = rows - 8;
          long lastColumn = columns - 8;
          for (long top = 0; top < rows; top += BAND) {
            long bottom = Math.min(top + BAND, rows);
            for (long c = 0; c < columns; c += 8) {
              long column = Math.min(c, lastColumn);
              for (long r = top; r < bottom; r += 8) {
                long row = Math.min(r, lastRow);
                @dirTile@block(
                    @a, src + row * srcRow + column * @block, srcRow, dst + column * dstRow + row * @block, dstRow);
              }
            }
          }
          return true;
        }

        private static void @dirTile@block(@array long src, long srcRow, long dst, long dstRow) {
          @S s = @s(src);
          @S step = @s(srcRow);
          @L r0 = @load@bits(s).reinterpretAs@Ls();
          @L r1 = @load@bits(s + step).reinterpretAs@Ls();
          @L r2 = @load@bits(s + 2 * step).reinterpretAs@Ls();
          @L r3 = @load@bits(s + 3 * step).reinterpretAs@Ls();
          @L r4 = @load@bits(s + 4 * step).reinterpretAs@Ls();
          @L r5 = @load@bits(s + 5 * step).reinterpretAs@Ls();
          @L r6 = @load@bits(s + 6 * step).reinterpretAs@Ls();
          @L r7 = @load@bits(s + 7 * step).reinterpretAs@Ls();
          @L a0 = VectorLanes.EVEN_ONES_@block.selectFrom(r0, r1);
          @L a1 = VectorLanes.ODD_ONES_@block.selectFrom(r0, r1);
          @L a2 = VectorLanes.EVEN_ONES_@block.selectFrom(r2, r3);
          @L a3 = VectorLanes.ODD_ONES_@block.selectFrom(r2, r3);
          @L a4 = VectorLanes.EVEN_ONES_@block.selectFrom(r4, r5);
          @L a5 = VectorLanes.ODD_ONES_@block.selectFrom(r4, r5);
          @L a6 = VectorLanes.EVEN_ONES_@block.selectFrom(r6, r7);
          @L a7 = VectorLanes.ODD_ONES_@block.selectFrom(r6, r7);
          @L b0 = VectorLanes.EVEN_TWOS_@block.selectFrom(a0, a2);
          @L b1 = VectorLanes.EVEN_TWOS_@block.selectFrom(a1, a3);
          @L b2 = VectorLanes.ODD_TWOS_@block.selectFrom(a0, a2);
          @L b3 = VectorLanes.ODD_TWOS_@block.selectFrom(a1, a3);
          @L b4 = VectorLanes.EVEN_TWOS_@block.selectFrom(a4, a6);
          @L b5 = VectorLanes.EVEN_TWOS_@block.selectFrom(a5, a7);
          @L b6 = VectorLanes.ODD_TWOS_@block.selectFrom(a4, a6);
          @L b7 = VectorLanes.ODD_TWOS_@block.selectFrom(a5, a7);
          r0 = VectorLanes.EVEN_FOURS_@block.selectFrom(b0, b4);
          r1 = VectorLanes.EVEN_FOURS_@block.selectFrom(b1, b5);
          r2 = VectorLanes.EVEN_FOURS_@block.selectFrom(b2, b6);
          r3 = VectorLanes.EVEN_FOURS_@block.selectFrom(b3, b7);
          r4 = VectorLanes.ODD_FOURS_@block.selectFrom(b0, b4);
          r5 = VectorLanes.ODD_FOURS_@block.selectFrom(b1, b5);
          r6 = VectorLanes.ODD_FOURS_@block.selectFrom(b2, b6);
          r7 = VectorLanes.ODD_FOURS_@block.selectFrom(b3, b7);
          @D d = @d(dst);
          @D down = @d(dstRow);
          @store@bits(d, r0@back());
          @store@bits(d + down, r1@back());
          @store@bits(d + 2 * down, r2@back());
          @store@bits(d + 3 * down, r3@back());
          @store@bits(d + 4 * down, r4@back());
          @store@bits(d + 5 * down, r5@back());
          @store@bits(d + 6 * down, r6@back());
          @store@bits(d + 7 * down, r7@back());
        }
      """;

  /** The choice among tiles. */
  static final String GRID = """

        /** Copies a grid if its dimensions change places and there are tiles for it; returns false otherwise. */
        static boolean @dirGrid(
            @array long src, long srcOuter, long srcInner, long dst, long dstOuter, long dstInner,
            long outer, long inner, long block) {
          if (srcOuter == block && dstInner == block) {
            return @dirTranspose(@a, src, srcInner, dst, dstOuter, inner, outer, block);
          }
          if (srcInner == block && dstOuter == block) {
            return @dirTranspose(@a, src, srcOuter, dst, dstInner, outer, inner, block);
          }
          return false;
        }

        private static boolean @dirTranspose(
            @array long src, long srcRow, long dst, long dstRow, long rows, long columns, long block) {
          return switch ((int) Math.min(block, 64)) {
      @cases
            default -> false;
          };
        }
      """;

  /** Elements of a few runs, each of them one vector on either side. */
  static final String PACK_ELEMENTS = """

        /** Packs elements that fit a vector by one permutation; returns false if they do not fit. */
        private static boolean @dirElementsPacked(
            @array long src, long srcStride, long dst, long count,
            long[] displacements, long[] lengths, int from, int to) {
          int span = VectorLanes.span(displacements, lengths, from, to);
          if (span == 0 || srcStride <= 0 || count >= CHUNK) {
            return false;
          }
          long low = VectorLanes.lowest(displacements, from, to);
          if (@alignedElements(src + low, srcStride)) {
            return false;
          }
          IntVector lanes = VectorLanes.unfold(VectorLanes.gather(displacements, lengths, from, to, low));
          int size = VectorLanes.size(lengths, from, to);
          // The last elements are moved run by run, so that no vector reads behind them or writes behind the stream.
          long readable = count - 1 - (64 - span + srcStride - 1) / srcStride;
          int whole = (int) Math.min(readable, count - (64 + size - 1) / size);
          long lowest = src + low;
          @S s = @s(lowest);
          @S step = @s(srcStride);
          long d = dst;
          for (int i = 0; i < whole; i++) {
            IntVector v = @load512(s).reinterpretAsInts();
            lanes.selectFrom(v, v).intoMemorySegment(MEMORY, d, ORDER);
            s += step;
            d += size;
          }
          for (long i = Math.max(whole, 0); i < count; i++) {
            d = @Copies.@dirRunsPacked(@a, src + i * srcStride, displacements, lengths, from, to, d);
          }
          return true;
        }
      """;

  /** The way back. */
  static final String UNPACK_ELEMENTS = """

        /** Unpacks elements that fit a vector by one permutation; returns false if they do not fit. */
        private static boolean @dirElementsUnpacked(
            @array long src, long dst, long dstStride, long count,
            long[] displacements, long[] lengths, int from, int to) {
          int span = VectorLanes.span(displacements, lengths, from, to);
          if (span == 0 || count >= CHUNK) {
            return false;
          }
          long low = VectorLanes.lowest(displacements, from, to);
          long bytes = VectorLanes.bytes(displacements, lengths, from, to, low);
          if (@alignedElements(dst + low, dstStride) || !VectorLanes.whole(bytes, @width)) {
            return false;
          }
          IntVector lanes = VectorLanes.unfold(VectorLanes.scatter(displacements, lengths, from, to, low));
          VectorMask<@Box> mask = VectorMask.fromLong(S512, VectorLanes.elements(bytes, @width));
          int size = VectorLanes.size(lengths, from, to);
          int whole = (int) (count - (64 + size - 1) / size);
          long lowest = dst + low;
          @D d = @d(lowest);
          @D step = @d(dstStride);
          long s = src;
          for (int i = 0; i < whole; i++) {
            IntVector v = ByteVector.fromMemorySegment(ByteVector.SPECIES_512, MEMORY, s, ORDER).reinterpretAsInts();
            IntVector w = lanes.selectFrom(v, v);
            @masked512(d, w@back(), mask);
            s += size;
            d += step;
          }
          for (long i = Math.max(whole, 0); i < count; i++) {
            s = @Copies.@dirRunsUnpacked(@a, s, dst + i * dstStride, displacements, lengths, from, to);
          }
          return true;
        }
      """;

  /** Elements laid out alike on both sides. */
  static final String COPY_ELEMENTS = """

        /** Copies elements that fit a vector under one mask; returns false if they do not fit. */
        private static boolean @dirElementsCopied(
            @array long src, long srcStride, long dst, long dstStride, long count,
            long[] displacements, long[] lengths, int from, int to) {
          long low = VectorLanes.lowest(displacements, from, to);
          long bytes = VectorLanes.bytes(displacements, lengths, from, to, low);
          if (bytes == 0 || count >= CHUNK
              || @alignedElements(dst + low, dstStride) || !VectorLanes.whole(bytes, @width)) {
            return false;
          }
          VectorMask<@Box> mask = VectorMask.fromLong(S512, VectorLanes.elements(bytes, @width));
          long lowestSrc = src + low;
          long lowestDst = dst + low;
          @S s = @s(lowestSrc);
          @D d = @d(lowestDst);
          @S srcStep = @s(srcStride);
          @D dstStep = @d(dstStride);
          for (int i = 0; i < (int) count; i++) {
            @masked512(d, @loadMasked512(s, mask), mask);
            s += srcStep;
            d += dstStep;
          }
          return true;
        }
      """;
}
