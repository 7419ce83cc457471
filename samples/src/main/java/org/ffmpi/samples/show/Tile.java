// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.show;

import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Request;
import org.ffmpi.datatype.Datatype;

/**
 * One rank's rectangle of a picture.
 *
 * @param x column of the picture where it begins
 * @param y row of the picture where it begins
 * @param width columns, may be 0
 * @param height rows, may be 0
 * @param pixels colours, row by row
 */
public record Tile(int x, int y, int width, int height, int[] pixels) {
  private static final int TAG = 0;

  /**
   * Puts the tiles of all ranks together. Each tile arrives where it belongs in the picture, because its receive has
   * the type of that part of the picture.
   *
   * @param comm all ranks, which call this together
   * @param pictureWidth columns of the picture
   * @param pictureHeight rows of the picture
   * @return at rank 0 the colours of the whole picture, row by row; null elsewhere
   */
  public int[] gather(IntraComm comm, int pictureWidth, int pictureHeight) {
    boolean first = comm.rank() == 0;
    int[] places = first ? new int[4 * comm.size()] : null;
    comm.gather(Buf.of(new int[] {x, y, width, height}), first ? Buf.of(places) : null, 0);
    Request sending = comm.isend(Buf.of(pixels, 0, width * height), 0, TAG);
    int[] picture = first ? new int[pictureWidth * pictureHeight] : null;
    for (int rank = 0; first && rank < comm.size(); rank++) {
      long[] begin = {places[4 * rank + 1], places[4 * rank]};
      long[] extent = {places[4 * rank + 3], places[4 * rank + 2]};
      if (extent[0] == 0 || extent[1] == 0) {
        comm.recv(new int[0], rank, TAG);
        continue;
      }
      try (Datatype<Integer> place =
          Datatype.subarray(
                  new long[] {pictureHeight, pictureWidth}, extent, begin, Datatype.Order.C, Datatype.INT)
              .commit()) {
        comm.recv(Buf.of(picture, 1, place), rank, TAG);
      }
    }
    sending.await();
    return picture;
  }
}
