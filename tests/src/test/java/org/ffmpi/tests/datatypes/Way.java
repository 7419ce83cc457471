// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Request;
import org.ffmpi.Status;

/** The ways to send to the next rank and receive from the previous one; a lone rank sends to itself. */
enum Way {
  SENDRECV {
    @Override
    Status pass(Comm world, Buf<?> send, Buf<?> recv) {
      return world.sendrecv(send, next(world), TAG, recv, previous(world), TAG, new Status());
    }
  },
  RECEIVE_FIRST {
    @Override
    Status pass(Comm world, Buf<?> send, Buf<?> recv) {
      Request incoming = world.irecv(recv, previous(world), TAG);
      world.send(send, next(world), TAG);
      return incoming.await(new Status());
    }
  },
  SYNCHRONOUS {
    @Override
    Status pass(Comm world, Buf<?> send, Buf<?> recv) {
      Request incoming = world.irecv(recv, previous(world), TAG);
      world.ssend(send, next(world), TAG);
      return incoming.await(new Status());
    }
  },
  SEND_FIRST {
    @Override
    Status pass(Comm world, Buf<?> send, Buf<?> recv) {
      Request outgoing = world.isend(send, next(world), TAG);
      Status status = world.recv(recv, previous(world), TAG, new Status());
      outgoing.await();
      return status;
    }
  },
  /** The message is there before anybody asks for it. */
  UNEXPECTED {
    @Override
    Status pass(Comm world, Buf<?> send, Buf<?> recv) {
      Request outgoing = world.isend(send, next(world), TAG);
      world.barrier();
      world.probe(previous(world), TAG);
      Status status = world.recv(recv, previous(world), TAG, new Status());
      outgoing.await();
      return status;
    }
  };

  private static final int TAG = 5;

  abstract Status pass(Comm world, Buf<?> send, Buf<?> recv);

  static int next(Comm world) {
    return (world.rank() + 1) % world.size();
  }

  static int previous(Comm world) {
    return (world.rank() + world.size() - 1) % world.size();
  }
}
