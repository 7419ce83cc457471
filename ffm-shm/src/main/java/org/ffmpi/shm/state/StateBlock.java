// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.state;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.state.RankState.Communicator;
import org.ffmpi.shm.state.RankState.Kind;
import org.ffmpi.shm.state.RankState.Message;
import org.ffmpi.shm.state.RankState.Queues;
import org.ffmpi.shm.state.RankState.Traffic;
import org.ffmpi.shm.state.RankState.Wait;

/** Writes and reads the account of one rank. One writer at a time, the rank itself; any number of readers. */
public final class StateBlock {
  /** Bytes of the block. */
  public static final long BYTES = StateLayout.BYTES;

  /** How many waits have room. */
  public static final int MOST_WAITS = StateLayout.WAITS;

  /** How many messages of a kind have room. */
  public static final int MOST_MESSAGES = StateLayout.MESSAGES;

  /** How many communicators have room. */
  public static final int MOST_COMMUNICATORS = StateLayout.COMMUNICATORS;

  /** A writing takes microseconds; a writer that has died in it never ends it. */
  private static final int TRIES = 1_000;

  private StateBlock() {}

  /**
   * Writes an account; what has no room is left out.
   *
   * @param block address of the rank's block
   * @param state the account
   */
  public static void write(long block, RankState state) {
    int version = StateLayout.getAcquireVersion(block) | 1; // odd already if a writer of this process has failed in it
    StateLayout.setVolatileVersion(block, version);
    Raw.fullFence();
    int waits = Math.min(StateLayout.WAITS, state.waits().size());
    for (int i = 0; i < waits; i++) {
      write(block + StateLayout.WAIT_TABLE + i * StateLayout.WAIT_BYTES, state.waits().get(i));
    }
    StateLayout.setPlainInt(block + StateLayout.WAITS_OFFSET, waits);
    StateLayout.setPlainInt(
        block + StateLayout.SENDS_OFFSET, write(block + StateLayout.SEND_TABLE, state.sends()));
    StateLayout.setPlainInt(
        block + StateLayout.RECEIVES_OFFSET, write(block + StateLayout.RECEIVE_TABLE, state.receives()));
    StateLayout.setPlainInt(
        block + StateLayout.UNEXPECTED_OFFSET, write(block + StateLayout.UNEXPECTED_TABLE, state.unexpected()));
    int communicators = Math.min(StateLayout.COMMUNICATORS, state.communicators().size());
    for (int i = 0; i < communicators; i++) {
      write(
          block + StateLayout.COMMUNICATOR_TABLE + i * StateLayout.COMMUNICATOR_BYTES, state.communicators().get(i));
    }
    StateLayout.setPlainInt(block + StateLayout.COMMUNICATORS_OFFSET, communicators);
    StateLayout.setPlainInt(block + StateLayout.ALL_SENDS_OFFSET, state.queues().sends());
    StateLayout.setPlainInt(block + StateLayout.ALL_RECEIVES_OFFSET, state.queues().receives());
    StateLayout.setPlainInt(block + StateLayout.ALL_UNEXPECTED_OFFSET, state.queues().unexpected());
    StateLayout.setPlainLong(block + StateLayout.UNEXPECTED_BYTES_OFFSET, state.queues().unexpectedBytes());
    StateLayout.setPlainLong(block + StateLayout.MOVES_OFFSET, state.traffic().moves());
    StateLayout.setPlainLong(block + StateLayout.SENT_OFFSET, state.traffic().sent());
    StateLayout.setPlainLong(block + StateLayout.RECEIVED_OFFSET, state.traffic().received());
    StateLayout.setPlainLong(block + StateLayout.SENT_BYTES_OFFSET, state.traffic().sentBytes());
    StateLayout.setPlainLong(block + StateLayout.RECEIVED_BYTES_OFFSET, state.traffic().receivedBytes());
    StateLayout.setReleaseVersion(block, version + 1);
  }

  private static void write(long at, Wait wait) {
    StateLayout.setPlainInt(at + StateLayout.KIND_OFFSET, wait.kind().ordinal());
    StateLayout.setPlainInt(at + StateLayout.WAIT_PEER_OFFSET, wait.peer());
    StateLayout.setPlainInt(at + StateLayout.WAIT_TAG_OFFSET, wait.tag());
    StateLayout.setPlainInt(at + StateLayout.COLLECTIVE_OFFSET, wait.collective());
    StateLayout.setPlainInt(at + StateLayout.ROOT_OFFSET, wait.root());
    StateLayout.setPlainLong(at + StateLayout.WAIT_CONTEXT_OFFSET, wait.context());
    StateLayout.setPlainLong(at + StateLayout.WAIT_LENGTH_OFFSET, wait.bytes());
    StateLayout.setPlainLong(at + StateLayout.SINCE_OFFSET, wait.since());
    writeText(at + StateLayout.CALL_OFFSET, StateLayout.CALL_BYTES, wait.call());
  }

  private static int write(long table, List<Message> messages) {
    int count = Math.min(StateLayout.MESSAGES, messages.size());
    for (int i = 0; i < count; i++) {
      Message m = messages.get(i);
      long at = table + i * StateLayout.MESSAGE_BYTES;
      StateLayout.setPlainLong(at + StateLayout.CONTEXT_OFFSET, m.context());
      StateLayout.setPlainLong(at + StateLayout.LENGTH_OFFSET, m.bytes());
      StateLayout.setPlainInt(at + StateLayout.PEER_OFFSET, m.peer());
      StateLayout.setPlainInt(at + StateLayout.TAG_OFFSET, m.tag());
    }
    return count;
  }

  private static void write(long at, Communicator c) {
    StateLayout.setPlainLong(at + StateLayout.NUMBER_OFFSET, c.context());
    StateLayout.setPlainInt(at + StateLayout.BEGUN_OFFSET, c.begun());
    StateLayout.setPlainInt(at + StateLayout.OWN_OFFSET, c.own());
    StateLayout.setPlainInt(at + StateLayout.SIZE_OFFSET, c.size());
    writeText(at + StateLayout.NAME_OFFSET, StateLayout.NAME_BYTES, c.name());
  }

  private static void writeText(long at, int room, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(room, bytes.length);
    while (length < bytes.length && length > 0 && (bytes[length] & 0xC0) == 0x80) {
      length--; // no half of a character
    }
    for (int i = 0; i < room; i++) {
      StateLayout.setPlainByte(at + i, i < length ? bytes[i] : 0);
    }
  }

  /**
   * Reads an account. What it says is not trusted: counts are clamped to the tables.
   *
   * @param block address of a rank's block
   * @return the account, or null when the rank was writing all the time or has died in it
   */
  public static RankState read(long block) {
    for (int i = 0; i < TRIES; i++) {
      int version = StateLayout.getAcquireVersion(block);
      if ((version & 1) == 0) {
        RankState state = readOnce(block);
        Raw.fullFence();
        if (StateLayout.getVolatileVersion(block) == version) {
          return state;
        }
      }
      Thread.onSpinWait();
    }
    return null;
  }

  private static RankState readOnce(long block) {
    List<Wait> waits = new ArrayList<>();
    for (int i = 0; i < count(block + StateLayout.WAITS_OFFSET, StateLayout.WAITS); i++) {
      waits.add(readWait(block + StateLayout.WAIT_TABLE + i * StateLayout.WAIT_BYTES));
    }
    List<Communicator> communicators = new ArrayList<>();
    for (int i = 0; i < count(block + StateLayout.COMMUNICATORS_OFFSET, StateLayout.COMMUNICATORS); i++) {
      long at = block + StateLayout.COMMUNICATOR_TABLE + i * StateLayout.COMMUNICATOR_BYTES;
      communicators.add(
          new Communicator(
              StateLayout.getPlainLong(at + StateLayout.NUMBER_OFFSET),
              StateLayout.getPlainInt(at + StateLayout.BEGUN_OFFSET),
              StateLayout.getPlainInt(at + StateLayout.OWN_OFFSET),
              StateLayout.getPlainInt(at + StateLayout.SIZE_OFFSET),
              readText(at + StateLayout.NAME_OFFSET, StateLayout.NAME_BYTES)));
    }
    Traffic traffic =
        new Traffic(
            StateLayout.getPlainLong(block + StateLayout.MOVES_OFFSET),
            StateLayout.getPlainLong(block + StateLayout.SENT_OFFSET),
            StateLayout.getPlainLong(block + StateLayout.RECEIVED_OFFSET),
            StateLayout.getPlainLong(block + StateLayout.SENT_BYTES_OFFSET),
            StateLayout.getPlainLong(block + StateLayout.RECEIVED_BYTES_OFFSET));
    Queues queues =
        new Queues(
            StateLayout.getPlainInt(block + StateLayout.ALL_SENDS_OFFSET),
            StateLayout.getPlainInt(block + StateLayout.ALL_RECEIVES_OFFSET),
            StateLayout.getPlainInt(block + StateLayout.ALL_UNEXPECTED_OFFSET),
            StateLayout.getPlainLong(block + StateLayout.UNEXPECTED_BYTES_OFFSET));
    return new RankState(
        waits, traffic, queues,
        readMessages(block + StateLayout.SEND_TABLE, block + StateLayout.SENDS_OFFSET),
        readMessages(block + StateLayout.RECEIVE_TABLE, block + StateLayout.RECEIVES_OFFSET),
        readMessages(block + StateLayout.UNEXPECTED_TABLE, block + StateLayout.UNEXPECTED_OFFSET), communicators);
  }

  private static int count(long at, int most) {
    return Math.clamp(StateLayout.getPlainInt(at), 0, most);
  }

  private static Wait readWait(long at) {
    Kind[] kinds = Kind.values();
    return new Wait(
        readText(at + StateLayout.CALL_OFFSET, StateLayout.CALL_BYTES),
        kinds[count(at + StateLayout.KIND_OFFSET, kinds.length - 1)],
        StateLayout.getPlainInt(at + StateLayout.WAIT_PEER_OFFSET),
        StateLayout.getPlainInt(at + StateLayout.WAIT_TAG_OFFSET),
        StateLayout.getPlainLong(at + StateLayout.WAIT_CONTEXT_OFFSET),
        StateLayout.getPlainLong(at + StateLayout.WAIT_LENGTH_OFFSET),
        StateLayout.getPlainInt(at + StateLayout.COLLECTIVE_OFFSET),
        StateLayout.getPlainInt(at + StateLayout.ROOT_OFFSET),
        StateLayout.getPlainLong(at + StateLayout.SINCE_OFFSET));
  }

  private static List<Message> readMessages(long table, long count) {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < count(count, StateLayout.MESSAGES); i++) {
      long at = table + i * StateLayout.MESSAGE_BYTES;
      messages.add(
          new Message(
              StateLayout.getPlainInt(at + StateLayout.PEER_OFFSET),
              StateLayout.getPlainInt(at + StateLayout.TAG_OFFSET),
              StateLayout.getPlainLong(at + StateLayout.CONTEXT_OFFSET),
              StateLayout.getPlainLong(at + StateLayout.LENGTH_OFFSET)));
    }
    return messages;
  }

  private static String readText(long at, int room) {
    byte[] bytes = new byte[room];
    int length = 0;
    for (byte b = StateLayout.getPlainByte(at); b != 0; b = length < room ? StateLayout.getPlainByte(at + length) : 0) {
      bytes[length++] = b;
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
