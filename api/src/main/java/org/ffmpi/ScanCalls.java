// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Channel;

/** The collective calls of {@link Comm} that combine the elements of lower ranks. */
abstract sealed class ScanCalls extends ReduceCalls permits ReduceScatterCalls {
  ScanCalls(World world, Channel channel, Errhandler<? super Comm> errhandler) {
    super(world, channel, errhandler);
  }

  // ---- prefixes, this rank included

  /**
   * Combines the elements of this rank and all lower ones, each with the one at the same place, and blocks until the
   * result is here ({@code MPI_Scan}, MPI-4.1 §6.11.1). Within one group only.
   *
   * @param <T> what one element is in Java
   * @param send this rank's elements, or {@link Buf#inPlace} at all ranks when they lie in {@code recv}
   * @param recv the result, of the same count and type as {@code send}
   * @param op how to combine two elements
   * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_OP when the operation is null or not defined for the type; ERR_COUNT
   *     when the buffers differ in count; ERR_COMM between groups
   */
  @Standard({"MPI_Scan", "MPI_Scan_c"})
  public <T> void scan(Buf<T> send, Buf<T> recv, Op<? super T> op) {
    run(new ReducingCollective.Scan(send, recv, op));
  }

  /**
   * Starts a scan and returns at once ({@code MPI_Iscan}, MPI-4.1 §6.12.11).
   *
   * @param <T> what one element is in Java
   * @param send as {@link #scan(Buf, Buf, Op)}; not to be changed until the request is complete
   * @param recv as {@link #scan(Buf, Buf, Op)}; not to be touched until the request is complete
   * @param op how to combine two elements
   * @return the request
   * @throws MpiException as {@link #scan(Buf, Buf, Op)}
   */
  @Standard({"MPI_Iscan", "MPI_Iscan_c"})
  public <T> Request iscan(Buf<T> send, Buf<T> recv, Op<? super T> op) {
    return start(new ReducingCollective.Scan(send, recv, op));
  }

  /**
   * Makes a persistent request of a scan ({@code MPI_Scan_init}, MPI-4.1 §6.13.11). Collective; starts nothing.
   *
   * @param <T> what one element is in Java
   * @param send as {@link #scan(Buf, Buf, Op)}; not to be changed while the request is active
   * @param recv as {@link #scan(Buf, Buf, Op)}; not to be touched while the request is active
   * @param op how to combine two elements
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #scan(Buf, Buf, Op)}
   */
  @Standard({"MPI_Scan_init", "MPI_Scan_init_c"})
  public <T> Persistent scanInit(Buf<T> send, Buf<T> recv, Op<? super T> op) {
    return init(new ReducingCollective.Scan(send, recv, op), null);
  }

  /**
   * Makes a persistent request of a scan, with hints ({@code MPI_Scan_init}, MPI-4.1 §6.13.11). Collective; starts
   * nothing.
   *
   * @param <T> what one element is in Java
   * @param send as {@link #scan(Buf, Buf, Op)}; not to be changed while the request is active
   * @param recv as {@link #scan(Buf, Buf, Op)}; not to be touched while the request is active
   * @param op how to combine two elements
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as {@link #scan(Buf, Buf, Op)}
   */
  @Standard({"MPI_Scan_init", "MPI_Scan_init_c"})
  public <T> Persistent scanInit(Buf<T> send, Buf<T> recv, Op<? super T> op, Info info) {
    return init(new ReducingCollective.Scan(send, recv, op), info);
  }

  /**
   * Combines the elements of this rank and all lower ones in place ({@code MPI_Scan} with {@code MPI_IN_PLACE}, MPI-4.1
   * §6.11.1).
   *
   * @param <T> what one element is in Java
   * @param buf this rank's elements, replaced by the result
   * @param op how to combine two elements
   * @throws MpiException as {@link #scan(Buf, Buf, Op)}
   */
  @Standard({"MPI_Scan", "MPI_Scan_c"})
  public <T> void scan(Buf<T> buf, Op<? super T> op) {
    run(new ReducingCollective.Scan(Buf.inPlace(), buf, op));
  }

  /**
   * Starts a scan in place and returns at once ({@code MPI_Iscan} with {@code MPI_IN_PLACE}, MPI-4.1 §6.12.11).
   *
   * @param <T> what one element is in Java
   * @param buf as {@link #scan(Buf, Op)}; not to be touched until the request is complete
   * @param op how to combine two elements
   * @return the request
   * @throws MpiException as {@link #scan(Buf, Buf, Op)}
   */
  @Standard({"MPI_Iscan", "MPI_Iscan_c"})
  public <T> Request iscan(Buf<T> buf, Op<? super T> op) {
    return start(new ReducingCollective.Scan(Buf.inPlace(), buf, op));
  }

  /**
   * Makes a persistent request of a scan in place ({@code MPI_Scan_init} with {@code MPI_IN_PLACE}, MPI-4.1 §6.13.11).
   * Collective; starts nothing.
   *
   * @param <T> what one element is in Java
   * @param buf as {@link #scan(Buf, Op)}; not to be touched while the request is active
   * @param op how to combine two elements
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #scan(Buf, Buf, Op)}
   */
  @Standard({"MPI_Scan_init", "MPI_Scan_init_c"})
  public <T> Persistent scanInit(Buf<T> buf, Op<? super T> op) {
    return init(new ReducingCollective.Scan(Buf.inPlace(), buf, op), null);
  }

  /**
   * Makes a persistent request of a scan in place, with hints ({@code MPI_Scan_init} with {@code MPI_IN_PLACE}, MPI-4.1
   * §6.13.11). Collective; starts nothing.
   *
   * @param <T> what one element is in Java
   * @param buf as {@link #scan(Buf, Op)}; not to be touched while the request is active
   * @param op how to combine two elements
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as {@link #scan(Buf, Buf, Op)}
   */
  @Standard({"MPI_Scan_init", "MPI_Scan_init_c"})
  public <T> Persistent scanInit(Buf<T> buf, Op<? super T> op, Info info) {
    return init(new ReducingCollective.Scan(Buf.inPlace(), buf, op), info);
  }

  // ---- prefixes without this rank

  /**
   * Combines the elements of all ranks lower than this one, each with the one at the same place, and blocks until the
   * result is here ({@code MPI_Exscan}, MPI-4.1 §6.11.2). Within one group only.
   *
   * @param <T> what one element is in Java
   * @param send this rank's elements, or {@link Buf#inPlace} at all ranks when they lie in {@code recv}
   * @param recv the result, of the same count and type as {@code send}; at rank 0 ignored, left as it is and possibly
   *     null
   * @param op how to combine two elements
   * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_OP when the operation is null or not defined for the type; ERR_COUNT
   *     when the buffers differ in count; ERR_COMM between groups
   */
  @Standard({"MPI_Exscan", "MPI_Exscan_c"})
  public <T> void exscan(Buf<T> send, Buf<T> recv, Op<? super T> op) {
    run(new ReducingCollective.Exscan(send, recv, op));
  }

  /**
   * Starts an exclusive scan and returns at once ({@code MPI_Iexscan}, MPI-4.1 §6.12.12).
   *
   * @param <T> what one element is in Java
   * @param send as {@link #exscan(Buf, Buf, Op)}; not to be changed until the request is complete
   * @param recv as {@link #exscan(Buf, Buf, Op)}; not to be touched until the request is complete
   * @param op how to combine two elements
   * @return the request
   * @throws MpiException as {@link #exscan(Buf, Buf, Op)}
   */
  @Standard({"MPI_Iexscan", "MPI_Iexscan_c"})
  public <T> Request iexscan(Buf<T> send, Buf<T> recv, Op<? super T> op) {
    return start(new ReducingCollective.Exscan(send, recv, op));
  }

  /**
   * Makes a persistent request of an exclusive scan ({@code MPI_Exscan_init}, MPI-4.1 §6.13.12). Collective; starts
   * nothing.
   *
   * @param <T> what one element is in Java
   * @param send as {@link #exscan(Buf, Buf, Op)}; not to be changed while the request is active
   * @param recv as {@link #exscan(Buf, Buf, Op)}; not to be touched while the request is active
   * @param op how to combine two elements
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #exscan(Buf, Buf, Op)}
   */
  @Standard({"MPI_Exscan_init", "MPI_Exscan_init_c"})
  public <T> Persistent exscanInit(Buf<T> send, Buf<T> recv, Op<? super T> op) {
    return init(new ReducingCollective.Exscan(send, recv, op), null);
  }

  /**
   * Makes a persistent request of an exclusive scan, with hints ({@code MPI_Exscan_init}, MPI-4.1 §6.13.12).
   * Collective; starts nothing.
   *
   * @param <T> what one element is in Java
   * @param send as {@link #exscan(Buf, Buf, Op)}; not to be changed while the request is active
   * @param recv as {@link #exscan(Buf, Buf, Op)}; not to be touched while the request is active
   * @param op how to combine two elements
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as {@link #exscan(Buf, Buf, Op)}
   */
  @Standard({"MPI_Exscan_init", "MPI_Exscan_init_c"})
  public <T> Persistent exscanInit(Buf<T> send, Buf<T> recv, Op<? super T> op, Info info) {
    return init(new ReducingCollective.Exscan(send, recv, op), info);
  }

  /**
   * Combines the elements of all ranks lower than this one in place ({@code MPI_Exscan} with {@code MPI_IN_PLACE},
   * MPI-4.1 §6.11.2).
   *
   * @param <T> what one element is in Java
   * @param buf this rank's elements, replaced by the result except at rank 0
   * @param op how to combine two elements
   * @throws MpiException as {@link #exscan(Buf, Buf, Op)}
   */
  @Standard({"MPI_Exscan", "MPI_Exscan_c"})
  public <T> void exscan(Buf<T> buf, Op<? super T> op) {
    run(new ReducingCollective.Exscan(Buf.inPlace(), buf, op));
  }

  /**
   * Starts an exclusive scan in place and returns at once ({@code MPI_Iexscan} with {@code MPI_IN_PLACE}, MPI-4.1
   * §6.12.12).
   *
   * @param <T> what one element is in Java
   * @param buf as {@link #exscan(Buf, Op)}; not to be touched until the request is complete
   * @param op how to combine two elements
   * @return the request
   * @throws MpiException as {@link #exscan(Buf, Buf, Op)}
   */
  @Standard({"MPI_Iexscan", "MPI_Iexscan_c"})
  public <T> Request iexscan(Buf<T> buf, Op<? super T> op) {
    return start(new ReducingCollective.Exscan(Buf.inPlace(), buf, op));
  }

  /**
   * Makes a persistent request of an exclusive scan in place ({@code MPI_Exscan_init} with {@code MPI_IN_PLACE},
   * MPI-4.1 §6.13.12). Collective; starts nothing.
   *
   * @param <T> what one element is in Java
   * @param buf as {@link #exscan(Buf, Op)}; not to be touched while the request is active
   * @param op how to combine two elements
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #exscan(Buf, Buf, Op)}
   */
  @Standard({"MPI_Exscan_init", "MPI_Exscan_init_c"})
  public <T> Persistent exscanInit(Buf<T> buf, Op<? super T> op) {
    return init(new ReducingCollective.Exscan(Buf.inPlace(), buf, op), null);
  }

  /**
   * Makes a persistent request of an exclusive scan in place, with hints ({@code MPI_Exscan_init} with
   * {@code MPI_IN_PLACE}, MPI-4.1 §6.13.12). Collective; starts nothing.
   *
   * @param <T> what one element is in Java
   * @param buf as {@link #exscan(Buf, Op)}; not to be touched while the request is active
   * @param op how to combine two elements
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as {@link #exscan(Buf, Buf, Op)}
   */
  @Standard({"MPI_Exscan_init", "MPI_Exscan_init_c"})
  public <T> Persistent exscanInit(Buf<T> buf, Op<? super T> op, Info info) {
    return init(new ReducingCollective.Exscan(Buf.inPlace(), buf, op), info);
  }
}
