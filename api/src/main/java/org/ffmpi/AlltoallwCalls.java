// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.BlocksCollective.Layout;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.spi.Channel;

/** The collective calls of {@link Comm} in which each rank has something else, of another type, for each. */
abstract sealed class AlltoallwCalls extends AlltoallCalls permits ReduceCalls {
  AlltoallwCalls(World world, Channel channel, Errhandler<? super Comm> errhandler) {
    super(world, channel, errhandler);
  }

  // ---- all to all, with blocks of different types

  /**
   * Sends each rank a block and receives one from each, of types and lengths that may differ, and blocks until they are
   * here ({@code MPI_Alltoallw}, MPI-4.1 §6.8). A block is received with as much data as it has been sent with.
   *
   * @param send elements in whose bytes the blocks to send lie, whatever their own type; or {@link Buf#inPlace} at all
   *     ranks when they lie in {@code recv}: its arrays are ignored then
   * @param sendCounts number of elements of the block for each rank
   * @param sendDispls where the block for each rank begins, in bytes from the beginning of {@code send}
   * @param sendTypes type of the elements of the block for each rank
   * @param recv elements in whose bytes the blocks to receive lie, whatever their own type
   * @param recvCounts number of elements of the block from each rank
   * @param recvDispls where the block from each rank begins, in bytes from the beginning of {@code recv}
   * @param recvTypes type of the elements of the block from each rank
   * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_COUNT when a count is negative, an array of counts has another
   *     length than there are ranks, or this rank's own block is sent with another length than it is received; ERR_ARG
   *     when an array of displacements has another length; ERR_TYPE when one of types has, too
   */
  @Standard({"MPI_Alltoallw", "MPI_Alltoallw_c"})
  public void alltoallw(
      Buf<?> send, long[] sendCounts, long[] sendDispls, Datatype<?>[] sendTypes, Buf<?> recv, long[] recvCounts,
      long[] recvDispls, Datatype<?>[] recvTypes) {
    run(new BlocksCollective.Alltoallv(
        Layout.of(send, sendCounts, sendDispls, sendTypes), Layout.of(recv, recvCounts, recvDispls, recvTypes)));
  }

  /**
   * Starts an exchange of all with all of blocks of different types and returns at once ({@code MPI_Ialltoallw},
   * MPI-4.1 §6.12.6).
   *
   * @param send as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; not to be
   *     changed until the request is complete
   * @param sendCounts as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; may be
   *     changed afterwards
   * @param sendDispls as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; may be
   *     changed afterwards
   * @param sendTypes as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; may be
   *     changed afterwards
   * @param recv as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; not to be
   *     touched until the request is complete
   * @param recvCounts as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; may be
   *     changed afterwards
   * @param recvDispls as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; may be
   *     changed afterwards
   * @param recvTypes as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; may be
   *     changed afterwards
   * @return the request
   * @throws MpiException as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}
   */
  @Standard({"MPI_Ialltoallw", "MPI_Ialltoallw_c"})
  public Request ialltoallw(
      Buf<?> send, long[] sendCounts, long[] sendDispls, Datatype<?>[] sendTypes, Buf<?> recv, long[] recvCounts,
      long[] recvDispls, Datatype<?>[] recvTypes) {
    return start(new BlocksCollective.Alltoallv(
        Layout.of(send, sendCounts, sendDispls, sendTypes), Layout.of(recv, recvCounts, recvDispls, recvTypes)));
  }

  /**
   * Makes a persistent request of an exchange of all with all of blocks of different types ({@code MPI_Alltoallw_init},
   * MPI-4.1 §6.13.6). Collective; starts nothing.
   *
   * @param send as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; not to be
   *     changed while the request is active
   * @param sendCounts as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; may be
   *     changed afterwards
   * @param sendDispls as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; may be
   *     changed afterwards
   * @param sendTypes as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; may be
   *     changed afterwards
   * @param recv as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; not to be
   *     touched while the request is active
   * @param recvCounts as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; may be
   *     changed afterwards
   * @param recvDispls as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; may be
   *     changed afterwards
   * @param recvTypes as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; may be
   *     changed afterwards
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}
   */
  @Standard({"MPI_Alltoallw_init", "MPI_Alltoallw_init_c"})
  public Persistent alltoallwInit(
      Buf<?> send, long[] sendCounts, long[] sendDispls, Datatype<?>[] sendTypes, Buf<?> recv, long[] recvCounts,
      long[] recvDispls, Datatype<?>[] recvTypes) {
    return init(
        new BlocksCollective.Alltoallv(
            Layout.of(send, sendCounts, sendDispls, sendTypes),
            Layout.of(recv, recvCounts, recvDispls, recvTypes)), null);
  }

  /**
   * Makes a persistent request of an exchange of all with all of blocks of different types, with hints
   * ({@code MPI_Alltoallw_init}, MPI-4.1 §6.13.6). Collective; starts nothing.
   *
   * @param send as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; not to be
   *     changed while the request is active
   * @param sendCounts as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; may be
   *     changed afterwards
   * @param sendDispls as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; may be
   *     changed afterwards
   * @param sendTypes as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; may be
   *     changed afterwards
   * @param recv as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; not to be
   *     touched while the request is active
   * @param recvCounts as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; may be
   *     changed afterwards
   * @param recvDispls as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; may be
   *     changed afterwards
   * @param recvTypes as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}; may be
   *     changed afterwards
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as
   *     {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}
   */
  @Standard({"MPI_Alltoallw_init", "MPI_Alltoallw_init_c"})
  public Persistent alltoallwInit(
      Buf<?> send, long[] sendCounts, long[] sendDispls, Datatype<?>[] sendTypes, Buf<?> recv, long[] recvCounts,
      long[] recvDispls, Datatype<?>[] recvTypes, Info info) {
    return init(
        new BlocksCollective.Alltoallv(
            Layout.of(send, sendCounts, sendDispls, sendTypes),
            Layout.of(recv, recvCounts, recvDispls, recvTypes)), info);
  }

  /**
   * Exchanges blocks of types and lengths that may differ with all ranks, each being replaced by the one that the other
   * rank has for this one ({@code MPI_Alltoallw} with {@code MPI_IN_PLACE}, MPI-4.1 §6.8). Within one group only; two
   * ranks have the same amount of data for each other.
   *
   * @param buf elements in whose bytes the blocks lie, whatever their own type
   * @param counts number of elements of each rank's block
   * @param displs where each rank's block begins, in bytes from the beginning of {@code buf}
   * @param types type of the elements of each rank's block
   * @throws MpiException as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}
   */
  @Standard({"MPI_Alltoallw", "MPI_Alltoallw_c"})
  public void alltoallw(Buf<?> buf, long[] counts, long[] displs, Datatype<?>[] types) {
    run(BlocksCollective.Alltoallv.inPlace(Layout.of(buf, counts, displs, types)));
  }

  /**
   * Starts an exchange of all with all of blocks of different types in place and returns at once
   * ({@code MPI_Ialltoallw} with {@code MPI_IN_PLACE}, MPI-4.1 §6.12.6).
   *
   * @param buf as {@link #alltoallw(Buf, long[], long[], Datatype[])}; not to be touched until the request is complete
   * @param counts as {@link #alltoallw(Buf, long[], long[], Datatype[])}; may be changed afterwards
   * @param displs as {@link #alltoallw(Buf, long[], long[], Datatype[])}; may be changed afterwards
   * @param types as {@link #alltoallw(Buf, long[], long[], Datatype[])}; may be changed afterwards
   * @return the request
   * @throws MpiException as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}
   */
  @Standard({"MPI_Ialltoallw", "MPI_Ialltoallw_c"})
  public Request ialltoallw(Buf<?> buf, long[] counts, long[] displs, Datatype<?>[] types) {
    return start(BlocksCollective.Alltoallv.inPlace(Layout.of(buf, counts, displs, types)));
  }

  /**
   * Makes a persistent request of an exchange of all with all of blocks of different types in place
   * ({@code MPI_Alltoallw_init} with {@code MPI_IN_PLACE}, MPI-4.1 §6.13.6). Collective; starts nothing.
   *
   * @param buf as {@link #alltoallw(Buf, long[], long[], Datatype[])}; not to be touched while the request is active
   * @param counts as {@link #alltoallw(Buf, long[], long[], Datatype[])}; may be changed afterwards
   * @param displs as {@link #alltoallw(Buf, long[], long[], Datatype[])}; may be changed afterwards
   * @param types as {@link #alltoallw(Buf, long[], long[], Datatype[])}; may be changed afterwards
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}
   */
  @Standard({"MPI_Alltoallw_init", "MPI_Alltoallw_init_c"})
  public Persistent alltoallwInit(Buf<?> buf, long[] counts, long[] displs, Datatype<?>[] types) {
    return init(BlocksCollective.Alltoallv.inPlace(Layout.of(buf, counts, displs, types)), null);
  }

  /**
   * Makes a persistent request of an exchange of all with all of blocks of different types in place, with hints
   * ({@code MPI_Alltoallw_init} with {@code MPI_IN_PLACE}, MPI-4.1 §6.13.6). Collective; starts nothing.
   *
   * @param buf as {@link #alltoallw(Buf, long[], long[], Datatype[])}; not to be touched while the request is active
   * @param counts as {@link #alltoallw(Buf, long[], long[], Datatype[])}; may be changed afterwards
   * @param displs as {@link #alltoallw(Buf, long[], long[], Datatype[])}; may be changed afterwards
   * @param types as {@link #alltoallw(Buf, long[], long[], Datatype[])}; may be changed afterwards
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as
   *     {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}
   */
  @Standard({"MPI_Alltoallw_init", "MPI_Alltoallw_init_c"})
  public Persistent alltoallwInit(Buf<?> buf, long[] counts, long[] displs, Datatype<?>[] types, Info info) {
    return init(BlocksCollective.Alltoallv.inPlace(Layout.of(buf, counts, displs, types)), info);
  }

  /**
   * Sends each rank a block and receives one from each, of which each is a buffer of its own, and blocks until they are
   * here ({@code MPI_Alltoallw}, MPI-4.1 §6.8). A block is received with as much data as it has been sent with.
   *
   * @param send the block for each rank; of count 0 where there is nothing to send
   * @param recv where the block from each rank goes
   * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_ARG when an array has another length than there are ranks; ERR_COUNT
   *     when this rank's own block is sent with another length than it is received
   */
  @Standard({"MPI_Alltoallw", "MPI_Alltoallw_c"})
  public void alltoallw(Buf<?>[] send, Buf<?>[] recv) {
    run(new BlocksCollective.Alltoallv(Layout.of(send), Layout.of(recv)));
  }

  /**
   * Starts an exchange of all with all of blocks of different types and returns at once ({@code MPI_Ialltoallw},
   * MPI-4.1 §6.12.6).
   *
   * @param send as {@link #alltoallw(Buf[], Buf[])}; the memory not to be changed until the request is complete
   * @param recv as {@link #alltoallw(Buf[], Buf[])}; the memory not to be touched until the request is complete
   * @return the request
   * @throws MpiException as {@link #alltoallw(Buf[], Buf[])}
   */
  @Standard({"MPI_Ialltoallw", "MPI_Ialltoallw_c"})
  public Request ialltoallw(Buf<?>[] send, Buf<?>[] recv) {
    return start(new BlocksCollective.Alltoallv(Layout.of(send), Layout.of(recv)));
  }

  /**
   * Makes a persistent request of an exchange of all with all of blocks of different types ({@code MPI_Alltoallw_init},
   * MPI-4.1 §6.13.6). Collective; starts nothing.
   *
   * @param send as {@link #alltoallw(Buf[], Buf[])}; the memory not to be changed while the request is active
   * @param recv as {@link #alltoallw(Buf[], Buf[])}; the memory not to be touched while the request is active
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #alltoallw(Buf[], Buf[])}
   */
  @Standard({"MPI_Alltoallw_init", "MPI_Alltoallw_init_c"})
  public Persistent alltoallwInit(Buf<?>[] send, Buf<?>[] recv) {
    return init(new BlocksCollective.Alltoallv(Layout.of(send), Layout.of(recv)), null);
  }

  /**
   * Makes a persistent request of an exchange of all with all of blocks of different types, with hints
   * ({@code MPI_Alltoallw_init}, MPI-4.1 §6.13.6). Collective; starts nothing.
   *
   * @param send as {@link #alltoallw(Buf[], Buf[])}; the memory not to be changed while the request is active
   * @param recv as {@link #alltoallw(Buf[], Buf[])}; the memory not to be touched while the request is active
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as {@link #alltoallw(Buf[], Buf[])}
   */
  @Standard({"MPI_Alltoallw_init", "MPI_Alltoallw_init_c"})
  public Persistent alltoallwInit(Buf<?>[] send, Buf<?>[] recv, Info info) {
    return init(new BlocksCollective.Alltoallv(Layout.of(send), Layout.of(recv)), info);
  }

  /**
   * Exchanges blocks, of which each is a buffer of its own, with all ranks, each being replaced by the one that the
   * other rank has for this one ({@code MPI_Alltoallw} with {@code MPI_IN_PLACE}, MPI-4.1 §6.8). Within one group only;
   * two ranks have the same amount of data for each other.
   *
   * @param bufs the block for each rank
   * @throws MpiException as {@link #alltoallw(Buf[], Buf[])}
   */
  @Standard({"MPI_Alltoallw", "MPI_Alltoallw_c"})
  public void alltoallw(Buf<?>[] bufs) {
    run(BlocksCollective.Alltoallv.inPlace(Layout.of(bufs)));
  }

  /**
   * Starts an exchange of all with all of blocks of different types in place and returns at once
   * ({@code MPI_Ialltoallw} with {@code MPI_IN_PLACE}, MPI-4.1 §6.12.6).
   *
   * @param bufs as {@link #alltoallw(Buf[])}; the memory not to be touched until the request is complete
   * @return the request
   * @throws MpiException as {@link #alltoallw(Buf[], Buf[])}
   */
  @Standard({"MPI_Ialltoallw", "MPI_Ialltoallw_c"})
  public Request ialltoallw(Buf<?>[] bufs) {
    return start(BlocksCollective.Alltoallv.inPlace(Layout.of(bufs)));
  }

  /**
   * Makes a persistent request of an exchange of all with all of blocks of different types in place
   * ({@code MPI_Alltoallw_init} with {@code MPI_IN_PLACE}, MPI-4.1 §6.13.6). Collective; starts nothing.
   *
   * @param bufs as {@link #alltoallw(Buf[])}; the memory not to be touched while the request is active
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #alltoallw(Buf[], Buf[])}
   */
  @Standard({"MPI_Alltoallw_init", "MPI_Alltoallw_init_c"})
  public Persistent alltoallwInit(Buf<?>[] bufs) {
    return init(BlocksCollective.Alltoallv.inPlace(Layout.of(bufs)), null);
  }

  /**
   * Makes a persistent request of an exchange of all with all of blocks of different types in place, with hints
   * ({@code MPI_Alltoallw_init} with {@code MPI_IN_PLACE}, MPI-4.1 §6.13.6). Collective; starts nothing.
   *
   * @param bufs as {@link #alltoallw(Buf[])}; the memory not to be touched while the request is active
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as {@link #alltoallw(Buf[], Buf[])}
   */
  @Standard({"MPI_Alltoallw_init", "MPI_Alltoallw_init_c"})
  public Persistent alltoallwInit(Buf<?>[] bufs, Info info) {
    return init(BlocksCollective.Alltoallv.inPlace(Layout.of(bufs)), info);
  }
}
