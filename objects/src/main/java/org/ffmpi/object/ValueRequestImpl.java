// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import org.ffmpi.Codec;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.port.ValueRequestBase;
import org.ffmpi.process.CommState;
import org.ffmpi.request.ReceivedFromNobody;
import org.ffmpi.request.RequestImpl;
import org.ffmpi.request.RequestKind;

/**
 * The requests of {@link org.ffmpi.ValueRequest}. The thread that first asks for the value decodes it.
 *
 * @param <T> type of the value
 */
public final class ValueRequestImpl<T> extends ValueRequestBase<T> {
  private final RequestImpl request;
  private final Codec<T> codec;
  private final ClassPolicy policy;
  /** Null for a receive from PROC_NULL, and once the value has been decoded. */
  private ObjectReceive receive;
  private boolean decoded;
  private T value;

  /** Creates the request of a receive. */
  ValueRequestImpl(CommState state, ObjectReceive receive, Codec<T> codec, ClassPolicy policy) {
    this.receive = receive;
    this.codec = codec;
    this.policy = policy;
    this.request = new RequestImpl(
        state.world, state, RequestKind.RECEIVE, receive == null ? ReceivedFromNobody.INSTANCE : receive, this);
  }

  @Override
  public T value() {
    if (isActive()) {
      throw request.raise(new MpiException(ErrorClass.ERR_REQUEST, "request: is not complete yet, and has no value"));
    }
    synchronized (this) {
      if (!decoded) {
        decode();
      }
      return value;
    }
  }

  private void decode() {
    if (request.error() != null) {
      throw request.raise(request.error());
    }
    if (receive != null) {
      if (!receive.isDone() || receive.object() == null) {
        String how = receive.isDone() ? "cancelled" : "freed";
        throw request.raise(new MpiException(
            ErrorClass.ERR_REQUEST, "request: was " + how + ", and has no value"));
      }
      try {
        value = receive.object().value(codec, policy);
      } catch (MpiException e) {
        throw request.raise(e);
      }
      receive = null;
    }
    decoded = true;
  }

  @Override
  public RequestImpl request() {
    return request;
  }

  @Override
  public String toString() {
    return request.toString();
  }
}
