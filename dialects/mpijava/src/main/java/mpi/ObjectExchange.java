// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.Arguments;

/**
 * Runs collective calls of objects by two calls of the same kind: one for the lengths, one for the bytes. A rank's own
 * objects become bytes too, so that the received object is never the sent one. A rank that cannot write its objects
 * sends the reason in their place, so that no other waits for it.
 */
final class ObjectExchange {
  private final IntraComm comm;
  private final int rank;
  private final int size;

  ObjectExchange(IntraComm comm) {
    this.comm = comm;
    this.rank = comm.rank();
    this.size = comm.size();
  }

  /** A call; the error handler has seen an error of ffmpi's call. */
  @FunctionalInterface
  private interface Exchange<T> {
    T run();
  }

  private <T> T call(Exchange<T> exchange) {
    try {
      return exchange.run();
    } catch (MpiException e) {
      throw Errors.thrown(e);
    }
  }

  /** Runs work outside ffmpi, whose errors the handler has not seen. */
  private <T> T local(Exchange<T> work) {
    try {
      return work.run();
    } catch (MpiException e) {
      throw Errors.raised(comm, e);
    }
  }

  // ---- blocks

  /** The data that a rank sends in a call. */
  private final class Outgoing {
    private MpiException failure;

    /** Returns the bytes of a block, or those of the error that prevents them. */
    byte[] block(Object buf, int offset, int count, Datatype type) {
      try {
        return ObjectBytes.of(ObjectItems.of(buf, offset, count, type).get());
      } catch (MpiException e) {
        failure = failure == null ? e : failure;
        return ObjectBytes.failed(rank, e);
      }
    }

    byte[][] blocks(Object buf, int offset, int[] counts, int[] displs, Datatype type) {
      byte[][] blocks = new byte[size][];
      for (int r = 0; r < size; r++) {
        blocks[r] = block(buf, at(offset, displs[r], type), counts[r], type);
      }
      return blocks;
    }

    /** Runs the exchange; throws the error of a block afterwards. */
    <T> T exchange(Exchange<T> exchange) {
      T result = call(exchange);
      if (failure != null) {
        throw Errors.raised(comm, failure);
      }
      return result;
    }
  }

  private void put(byte[] bytes, Object buf, int offset, int count, Datatype type) {
    local(() -> {
      ObjectItems.of(buf, offset, count, type).set(ObjectBytes.read(bytes));
      return null;
    });
  }

  private int[] first(String name, int[] numbers) {
    return local(() -> Arguments.first(name, numbers, size));
  }

  private int[] equal(int count) {
    int[] counts = new int[size];
    Arrays.fill(counts, count);
    return counts;
  }

  /** Returns the displacements of blocks of one length. */
  private int[] places(int count) {
    int[] places = new int[size];
    Arrays.setAll(places, r -> r * count);
    return places;
  }

  private static int at(int offset, int displacement, Datatype type) {
    return Math.toIntExact(offset + (long) displacement * type.shape().extent());
  }

  private void checkObjects(Datatype type) {
    local(() -> {
      if (!Datatype.isOfObjects(type)) {
        throw MpiException.argument(
            ErrorClass.ERR_TYPE, "type", type, "types of objects, as that of the other buffer");
      }
      return null;
    });
  }

  private void putAll(byte[][] blocks, Object buf, int offset, int[] counts, int[] displs, Datatype type) {
    for (int r = 0; r < size; r++) {
      put(blocks[r], buf, at(offset, displs[r], type), counts[r], type);
    }
  }

  // ---- bytes

  private static long[] displacements(long[] lengths) {
    long[] places = new long[lengths.length];
    for (int i = 1; i < places.length; i++) {
      places[i] = places[i - 1] + lengths[i - 1];
    }
    return places;
  }

  private static byte[] joined(byte[][] blocks, long[] lengths) {
    byte[] all = new byte[total(lengths)];
    int at = 0;
    for (byte[] block : blocks) {
      System.arraycopy(block, 0, all, at, block.length);
      at += block.length;
    }
    return all;
  }

  private static int total(long[] lengths) {
    long total = Arrays.stream(lengths).sum();
    if (total != (int) total) {
      throw MpiException.argument(ErrorClass.ERR_COUNT, "bytes of the objects", total, "as many as an array has");
    }
    return (int) total;
  }

  private static byte[][] parted(byte[] all, long[] lengths) {
    byte[][] blocks = new byte[lengths.length][];
    int at = 0;
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = Arrays.copyOfRange(all, at, at + (int) lengths[i]);
      at += (int) lengths[i];
    }
    return blocks;
  }

  private static long[] lengths(byte[][] blocks) {
    return Arrays.stream(blocks).mapToLong(block -> block.length).toArray();
  }

  /** Returns the bytes of all ranks; null at ranks that are not the root. */
  private byte[][] gathered(byte[] mine, int root) {
    long[] length = {mine.length};
    long[] lengths = rank == root ? new long[size] : null;
    comm.gather(Buf.of(length), lengths == null ? null : Buf.of(lengths), root);
    if (lengths == null) {
      comm.gatherv(Buf.of(mine), null, (long[]) null, null, root);
      return null;
    }
    byte[] all = new byte[total(lengths)];
    comm.gatherv(Buf.of(mine), Buf.of(all), lengths, displacements(lengths), root);
    return parted(all, lengths);
  }

  private byte[][] gatheredByAll(byte[] mine) {
    long[] lengths = new long[size];
    comm.allgather(Buf.of(new long[] {mine.length}), Buf.of(lengths));
    byte[] all = new byte[total(lengths)];
    comm.allgatherv(Buf.of(mine), Buf.of(all), lengths, displacements(lengths));
    return parted(all, lengths);
  }

  /** Returns this rank's bytes; the blocks matter at the root only. */
  private byte[] scattered(byte[][] blocks, int root) {
    long[] length = new long[1];
    if (rank != root) {
      comm.scatter(null, Buf.of(length), root);
      byte[] mine = new byte[(int) length[0]];
      comm.scatterv(null, (long[]) null, null, Buf.of(mine), root);
      return mine;
    }
    long[] lengths = lengths(blocks);
    byte[] all = joined(blocks, lengths);
    comm.scatter(Buf.of(lengths), Buf.of(length), root);
    byte[] mine = new byte[(int) length[0]];
    comm.scatterv(Buf.of(all), lengths, displacements(lengths), Buf.of(mine), root);
    return mine;
  }

  private byte[][] exchanged(byte[][] blocks) {
    long[] send = lengths(blocks);
    long[] recv = new long[size];
    byte[] all = joined(blocks, send);
    comm.alltoall(Buf.of(send), Buf.of(recv));
    byte[] got = new byte[total(recv)];
    comm.alltoallv(Buf.of(all), send, displacements(send), Buf.of(got), recv, displacements(recv));
    return parted(got, recv);
  }

  // ---- the calls

  void bcast(Object buf, int offset, int count, Datatype type, int root) {
    Outgoing out = new Outgoing();
    byte[] bytes = rank == root ? out.block(buf, offset, count, type) : null;
    byte[] got = out.exchange(() -> {
      long[] length = {bytes == null ? 0 : bytes.length};
      comm.bcast(Buf.of(length), root);
      byte[] all = bytes == null ? new byte[(int) length[0]] : bytes;
      comm.bcast(Buf.of(all), root);
      return all;
    });
    if (bytes == null) {
      put(got, buf, offset, count, type);
    }
  }

  void gather(
      Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf, int recvoffset, int recvcount,
      Datatype recvtype, int root) {
    gatherv(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, equal(recvcount), places(recvcount),
        recvtype, root);
  }

  void gatherv(
      Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf, int recvoffset,
      int[] recvcounts, int[] displs, Datatype recvtype, int root) {
    boolean atRoot = rank == root;
    int[] counts = atRoot ? first("recvcount", recvcounts) : null;
    int[] places = atRoot ? first("displs", displs) : null;
    if (atRoot) {
      checkObjects(recvtype);
    }
    Outgoing out = new Outgoing();
    byte[] mine = out.block(sendbuf, sendoffset, sendcount, sendtype);
    byte[][] all = out.exchange(() -> gathered(mine, root));
    if (atRoot) {
      putAll(all, recvbuf, recvoffset, counts, places, recvtype);
    }
  }

  void scatter(
      Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf, int recvoffset, int recvcount,
      Datatype recvtype, int root) {
    scatterv(sendbuf, sendoffset, equal(sendcount), places(sendcount), sendtype, recvbuf, recvoffset, recvcount,
        recvtype, root);
  }

  void scatterv(
      Object sendbuf, int sendoffset, int[] sendcounts, int[] displs, Datatype sendtype, Object recvbuf,
      int recvoffset, int recvcount, Datatype recvtype, int root) {
    Outgoing out = new Outgoing();
    byte[][] blocks = null;
    if (rank == root) {
      checkObjects(sendtype);
      blocks = out.blocks(sendbuf, sendoffset, first("sendcount", sendcounts), first("displs", displs), sendtype);
    }
    byte[][] given = blocks;
    put(out.exchange(() -> scattered(given, root)), recvbuf, recvoffset, recvcount, recvtype);
  }

  void allgather(
      Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf, int recvoffset, int recvcount,
      Datatype recvtype) {
    allgatherv(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, equal(recvcount), places(recvcount),
        recvtype);
  }

  void allgatherv(
      Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf, int recvoffset,
      int[] recvcounts, int[] displs, Datatype recvtype) {
    checkObjects(recvtype);
    int[] counts = first("recvcount", recvcounts);
    int[] places = first("displs", displs);
    Outgoing out = new Outgoing();
    byte[] mine = out.block(sendbuf, sendoffset, sendcount, sendtype);
    putAll(out.exchange(() -> gatheredByAll(mine)), recvbuf, recvoffset, counts, places, recvtype);
  }

  void alltoall(
      Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf, int recvoffset, int recvcount,
      Datatype recvtype) {
    alltoallv(sendbuf, sendoffset, equal(sendcount), places(sendcount), sendtype, recvbuf, recvoffset,
        equal(recvcount), places(recvcount), recvtype);
  }

  void alltoallv(
      Object sendbuf, int sendoffset, int[] sendcounts, int[] sdispls, Datatype sendtype, Object recvbuf,
      int recvoffset, int[] recvcounts, int[] rdispls, Datatype recvtype) {
    checkObjects(recvtype);
    int[] counts = first("recvcount", recvcounts);
    int[] places = first("rdispls", rdispls);
    Outgoing out = new Outgoing();
    byte[][] blocks =
        out.blocks(sendbuf, sendoffset, first("sendcount", sendcounts), first("sdispls", sdispls), sendtype);
    putAll(out.exchange(() -> exchanged(blocks)), recvbuf, recvoffset, counts, places, recvtype);
  }

  // ---- reductions

  private User_function function(Op op) {
    return local(() -> {
      if (op == null) {
        throw MpiException.argument(ErrorClass.ERR_OP, "op", null, "operations");
      }
      return op.functionForObjects();
    });
  }

  private static Class<?> component(Object buf) {
    return buf instanceof Object[] array ? array.getClass().getComponentType() : Object.class;
  }

  /**
   * Combines the operands of some ranks in the order of ranks and stores the result. The function sees arrays of the
   * receiving array's class.
   *
   * @param own objects of this rank to combine the others with; null to combine them in the order of ranks as well
   */
  private void fold(
      byte[][] blocks, int from, int count, Object[] own, Object recvbuf, int recvoffset, Datatype type,
      User_function function) {
    local(() -> {
      TypeShape shape = type.shape();
      Class<?> component = component(recvbuf);
      ObjectItems result = own == null ? null : ObjectItems.holding(own, count, shape, component);
      for (int r = blocks.length - 1; r >= 0; r--) {
        if (own != null && r == rank) {
          continue;
        }
        Object[] all = ObjectBytes.read(blocks[r]);
        int first = from * shape.size;
        int length = count * shape.size;
        if (first + length > all.length) {
          throw MpiException.argument(ErrorClass.ERR_COUNT, "count", count, "what all ranks give; rank " + r
              + " gave " + all.length + " objects");
        }
        ObjectItems left = ObjectItems.holding(
            Arrays.copyOfRange(all, first, first + length), count, shape, component);
        if (result != null) {
          call(function, left, result, type);
        }
        result = result == null ? left : result;
      }
      ObjectItems.of(recvbuf, recvoffset, count, type).set(result.get());
      return null;
    });
  }

  private static void call(User_function function, ObjectItems left, ObjectItems result, Datatype type) {
    try {
      function.Call(left.array(), left.offset(), result.array(), result.offset(), left.count(), type);
    } catch (MpiException | MPIException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new MpiException(ErrorClass.ERR_OTHER, "the function of the operation has thrown " + e, e);
    }
  }

  void reduce(
      Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype type, Op op, int root) {
    User_function function = function(op);
    Outgoing out = new Outgoing();
    byte[] mine = out.block(sendbuf, sendoffset, count, type);
    byte[][] all = out.exchange(() -> gathered(mine, root));
    if (all != null) {
      // If the result replaces them and the operation commutes, the root's own objects become the result.
      boolean replaced = sendbuf == recvbuf && sendoffset == recvoffset && op.isCommutative();
      Object[] own = replaced ? ObjectItems.of(sendbuf, sendoffset, count, type).get() : null;
      fold(all, 0, count, own, recvbuf, recvoffset, type, function);
    }
  }

  void allreduce(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype type, Op op) {
    User_function function = function(op);
    Outgoing out = new Outgoing();
    byte[] mine = out.block(sendbuf, sendoffset, count, type);
    fold(out.exchange(() -> gatheredByAll(mine)), 0, count, null, recvbuf, recvoffset, type, function);
  }

  void reduceScatter(
      Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int[] recvcounts, Datatype type, Op op) {
    User_function function = function(op);
    int[] counts = first("recvcounts", recvcounts);
    Outgoing out = new Outgoing();
    byte[] mine = out.block(sendbuf, sendoffset, Arrays.stream(counts).sum(), type);
    int from = Arrays.stream(counts, 0, rank).sum();
    fold(out.exchange(() -> gatheredByAll(mine)), from, counts[rank], null, recvbuf, recvoffset, type, function);
  }

  void scan(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype type, Op op) {
    User_function function = function(op);
    Outgoing out = new Outgoing();
    byte[] mine = out.block(sendbuf, sendoffset, count, type);
    byte[][] all = out.exchange(() -> gatheredByAll(mine));
    fold(Arrays.copyOf(all, rank + 1), 0, count, null, recvbuf, recvoffset, type, function);
  }
}
