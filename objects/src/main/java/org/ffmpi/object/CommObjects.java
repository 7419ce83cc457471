// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.util.List;
import java.util.function.BinaryOperator;
import org.ffmpi.Codec;
import org.ffmpi.Message;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.ValueRequest;
import org.ffmpi.communicator.CommImpl;
import org.ffmpi.port.ObjectOperations;
import org.ffmpi.process.CommState;

/** The calls of one communicator with objects, forwarded to messages and collectives. Any thread may call. */
final class CommObjects implements ObjectOperations {
  private final CommState state;
  private final ObjectMessages messages;

  CommObjects(CommState state) {
    this.state = state;
    this.messages = new ObjectMessages(state);
  }

  private ObjectCollectives collectives() {
    return new ObjectCollectives(state, CommImpl.of(state.comm()).collectives());
  }

  @Override
  public <T> void sendObject(T value, int dest, int tag, Codec<? super T> codec) {
    messages.send(value, dest, tag, codec);
  }

  @Override
  public <T> void ssendObject(T value, int dest, int tag, Codec<? super T> codec) {
    messages.ssend(value, dest, tag, codec);
  }

  @Override
  public <T> Request isendObject(T value, int dest, int tag, Codec<? super T> codec) {
    return messages.isend(value, dest, tag, codec);
  }

  @Override
  public <T> T recvObject(int source, int tag, Codec<T> codec) {
    return messages.recv(source, tag, codec);
  }

  @Override
  public <T> T recvObject(int source, int tag, Status into, Codec<T> codec) {
    return messages.recv(source, tag, into, codec);
  }

  @Override
  public <T> ValueRequest<T> irecvObject(int source, int tag, Codec<T> codec) {
    return messages.irecv(source, tag, codec);
  }

  @Override
  public <T> T mrecvObject(Message message, Codec<T> codec) {
    return messages.mrecv(message, codec);
  }

  @Override
  public <T> T bcastObject(T value, int root, Codec<T> codec) {
    return collectives().bcast(value, root, codec);
  }

  @Override
  public <T> List<T> gatherObjects(T value, int root, Codec<T> codec) {
    return collectives().gather(value, root, codec);
  }

  @Override
  public <T> T scatterObjects(List<? extends T> values, int root, Codec<T> codec) {
    return collectives().scatter(values, root, codec);
  }

  @Override
  public <T> List<T> allgatherObjects(T value, Codec<T> codec) {
    return collectives().allgather(value, codec);
  }

  @Override
  public <T> List<T> alltoallObjects(List<? extends T> values, Codec<T> codec) {
    return collectives().alltoall(values, codec);
  }

  @Override
  public <T> T reduceObject(T value, BinaryOperator<T> op, int root, Codec<T> codec) {
    return collectives().reduce(value, op, root, codec);
  }

  @Override
  public <T> T allreduceObject(T value, BinaryOperator<T> op, Codec<T> codec) {
    return collectives().allreduce(value, op, codec);
  }

  @Override
  public <T> T scanObject(T value, BinaryOperator<T> op, Codec<T> codec) {
    return collectives().scan(value, op, codec);
  }

  @Override
  public <T> T exscanObject(T value, BinaryOperator<T> op, Codec<T> codec) {
    return collectives().exscan(value, op, codec);
  }
}
