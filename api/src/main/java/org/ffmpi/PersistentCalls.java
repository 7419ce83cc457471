// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.function.Supplier;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;

/**
 * The calls of {@link Comm} that make persistent requests. A request keeps the plan of the buffer's type, so that the
 * type may be freed; what can change about the memory is looked at by each start.
 */
public sealed interface PersistentCalls permits Comm {
  /**
   * Makes a persistent request of a send in standard mode ({@code MPI_Send_init}, MPI-4.1 §3.9). Local; starts nothing.
   *
   * @param buf elements to send; not to be changed while the request is active
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the messages, not negative
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link Comm#send(Buf, int, int)}
   */
  @Standard({"MPI_Send_init", "MPI_Send_init_c"})
  Persistent sendInit(Buf<?> buf, int dest, int tag);

  /**
   * Makes a persistent request of a send that completes only when the receiver has matched it ({@code MPI_Ssend_init},
   * MPI-4.1 §3.9). Local; starts nothing.
   *
   * @param buf elements to send; not to be changed while the request is active
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the messages, not negative
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link Comm#send(Buf, int, int)}
   */
  @Standard({"MPI_Ssend_init", "MPI_Ssend_init_c"})
  Persistent ssendInit(Buf<?> buf, int dest, int tag);

  /**
   * Makes a persistent request of a send whose receive will be posted at each start ({@code MPI_Rsend_init}, MPI-4.1
   * §3.9). Local; starts nothing.
   *
   * @param buf elements to send; not to be changed while the request is active
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the messages, not negative
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link Comm#send(Buf, int, int)}
   */
  @Standard({"MPI_Rsend_init", "MPI_Rsend_init_c"})
  Persistent rsendInit(Buf<?> buf, int dest, int tag);

  /**
   * Makes a persistent request of a send in buffered mode ({@code MPI_Bsend_init}, MPI-4.1 §3.9). Local; starts
   * nothing. Which attached buffer the message goes to is found at each start, which fails as {@link Comm#bsend} does.
   *
   * @param buf elements to send; not to be changed while the request is active
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the messages, not negative
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link Comm#send(Buf, int, int)}
   */
  @Standard({"MPI_Bsend_init", "MPI_Bsend_init_c"})
  Persistent bsendInit(Buf<?> buf, int dest, int tag);

  /**
   * Makes a persistent request of a receive ({@code MPI_Recv_init}, MPI-4.1 §3.9). Local; starts nothing.
   *
   * @param buf elements to fill; not to be touched while the request is active
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param tag tag of the messages, or {@code ANY_TAG}
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link Comm#irecv(Buf, int, int)}
   */
  @Standard({"MPI_Recv_init", "MPI_Recv_init_c"})
  Persistent recvInit(Buf<?> buf, int source, int tag);
}
