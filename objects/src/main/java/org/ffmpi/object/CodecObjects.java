// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import org.ffmpi.Codec;
import org.ffmpi.port.ObjectOperations;
import org.ffmpi.port.ObjectProvider;
import org.ffmpi.process.CommState;

/** The provider of messages with objects, which codecs write and read. Any thread may call. */
public final class CodecObjects implements ObjectProvider {
  /** Creates the provider, by {@link java.util.ServiceLoader}. */
  public CodecObjects() {}

  @Override
  public ObjectOperations of(CommState comm) {
    return new CommObjects(comm);
  }

  @Override
  public <T> Codec<T> defaultCodec() {
    return JavaCodec.instance();
  }

  @Override
  public <T> byte[] encode(T value, Codec<T> codec) {
    return EncodedValue.encode(value, codec);
  }

  @Override
  public <T> T decode(byte[] bytes, Codec<T> codec) {
    return EncodedValue.decode(bytes, codec);
  }

  @Override
  public byte[] encodeTask(Object value) {
    return EncodedValue.encode(value, JavaCodec.instance());
  }

  @Override
  public Object decodeTask(byte[] bytes, CommState comm) {
    return EncodedValue.decode(bytes, JavaCodec.instance(), ObjectMessages.policy(comm).withLambdas());
  }
}
