// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.account;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.account.RankAccount.Communicator;
import org.ffmpi.shm.account.RankAccount.Epoch;
import org.ffmpi.shm.account.RankAccount.Kind;
import org.ffmpi.shm.account.RankAccount.Message;
import org.ffmpi.shm.account.RankAccount.Place;
import org.ffmpi.shm.account.RankAccount.Queues;
import org.ffmpi.shm.account.RankAccount.Traffic;
import org.ffmpi.shm.account.RankAccount.Wait;
import org.ffmpi.spi.EpochSource;

/**
 * Writes and reads the account of one rank. There is one writer at a time, the rank itself, and any number of readers.
 */
public final class AccountBlock {
  /** Bytes of the block. */
  public static final long BYTES = AccountLayout.BYTES;

  /** Most waits of an account. */
  public static final int MOST_WAITS = AccountLayout.WAITS;

  /** Most messages of a kind. */
  public static final int MOST_MESSAGES = AccountLayout.MESSAGES;

  /** Most communicators. */
  public static final int MOST_COMMUNICATORS = AccountLayout.COMMUNICATORS;

  /** Attempts to read: writing takes microseconds, but a writer that dies in it never ends it. */
  private static final int TRIES = 1_000;

  private AccountBlock() {}

  /**
   * Writes an account, as far as it has room.
   *
   * @param block address of the rank's block
   * @param account the account
   */
  public static void write(long block, RankAccount account) {
    int version = AccountLayout.getAcquireVersion(block) | 1; // already odd if a writer of this process has failed
    AccountLayout.setVolatileVersion(block, version);
    Raw.fullFence();
    int waits = Math.min(AccountLayout.WAITS, account.waits().size());
    for (int i = 0; i < waits; i++) {
      write(block + AccountLayout.WAIT_TABLE + i * AccountLayout.WAIT_BYTES, account.waits().get(i));
    }
    AccountLayout.setPlainInt(block + AccountLayout.WAITS_OFFSET, waits);
    AccountLayout.setPlainInt(
        block + AccountLayout.SENDS_OFFSET, write(block + AccountLayout.SEND_TABLE, account.sends()));
    AccountLayout.setPlainInt(
        block + AccountLayout.RECEIVES_OFFSET, write(block + AccountLayout.RECEIVE_TABLE, account.receives()));
    AccountLayout.setPlainInt(
        block + AccountLayout.UNEXPECTED_OFFSET, write(block + AccountLayout.UNEXPECTED_TABLE, account.unexpected()));
    int communicators = Math.min(AccountLayout.COMMUNICATORS, account.communicators().size());
    for (int i = 0; i < communicators; i++) {
      long at = block + AccountLayout.COMMUNICATOR_TABLE + i * AccountLayout.COMMUNICATOR_BYTES;
      write(at, account.communicators().get(i));
    }
    AccountLayout.setPlainInt(block + AccountLayout.COMMUNICATORS_OFFSET, communicators);
    int epochs = Math.min(AccountLayout.EPOCHS, account.epochs().size());
    for (int i = 0; i < epochs; i++) {
      write(block + AccountLayout.EPOCH_TABLE + i * AccountLayout.EPOCH_BYTES, account.epochs().get(i));
    }
    AccountLayout.setPlainInt(block + AccountLayout.EPOCHS_OFFSET, epochs);
    AccountLayout.setPlainInt(block + AccountLayout.BLOCKED_OFFSET, account.place().isBlocked() ? 1 : 0);
    AccountLayout.setPlainLong(block + AccountLayout.PLACE_SINCE_OFFSET, account.place().since());
    writeText(block + AccountLayout.PLACE, AccountLayout.PLACE_BYTES, account.place().text());
    AccountLayout.setPlainInt(block + AccountLayout.ALL_SENDS_OFFSET, account.queues().sends());
    AccountLayout.setPlainInt(block + AccountLayout.ALL_RECEIVES_OFFSET, account.queues().receives());
    AccountLayout.setPlainInt(block + AccountLayout.ALL_UNEXPECTED_OFFSET, account.queues().unexpected());
    AccountLayout.setPlainLong(block + AccountLayout.UNEXPECTED_BYTES_OFFSET, account.queues().unexpectedBytes());
    AccountLayout.setPlainLong(block + AccountLayout.MOVES_OFFSET, account.traffic().moves());
    AccountLayout.setPlainLong(block + AccountLayout.SENT_OFFSET, account.traffic().sent());
    AccountLayout.setPlainLong(block + AccountLayout.RECEIVED_OFFSET, account.traffic().received());
    AccountLayout.setPlainLong(block + AccountLayout.SENT_BYTES_OFFSET, account.traffic().sentBytes());
    AccountLayout.setPlainLong(block + AccountLayout.RECEIVED_BYTES_OFFSET, account.traffic().receivedBytes());
    AccountLayout.setReleaseVersion(block, version + 1);
  }

  private static void write(long at, Wait wait) {
    AccountLayout.setPlainInt(at + AccountLayout.KIND_OFFSET, wait.kind().ordinal());
    AccountLayout.setPlainInt(at + AccountLayout.WAIT_PEER_OFFSET, wait.peer());
    AccountLayout.setPlainInt(at + AccountLayout.WAIT_TAG_OFFSET, wait.tag());
    AccountLayout.setPlainInt(at + AccountLayout.COLLECTIVE_OFFSET, wait.collective());
    AccountLayout.setPlainInt(at + AccountLayout.ROOT_OFFSET, wait.root());
    AccountLayout.setPlainLong(at + AccountLayout.WAIT_CONTEXT_OFFSET, wait.context());
    AccountLayout.setPlainLong(at + AccountLayout.WAIT_LENGTH_OFFSET, wait.bytes());
    AccountLayout.setPlainLong(at + AccountLayout.SINCE_OFFSET, wait.since());
    writeText(at + AccountLayout.CALL_OFFSET, AccountLayout.CALL_BYTES, wait.call());
    writeText(at + AccountLayout.LINE_OFFSET, AccountLayout.LINE_BYTES, wait.line());
  }

  private static int write(long table, List<Message> messages) {
    int count = Math.min(AccountLayout.MESSAGES, messages.size());
    for (int i = 0; i < count; i++) {
      Message m = messages.get(i);
      long at = table + i * AccountLayout.MESSAGE_BYTES;
      AccountLayout.setPlainLong(at + AccountLayout.CONTEXT_OFFSET, m.context());
      AccountLayout.setPlainLong(at + AccountLayout.LENGTH_OFFSET, m.bytes());
      AccountLayout.setPlainInt(at + AccountLayout.PEER_OFFSET, m.peer());
      AccountLayout.setPlainInt(at + AccountLayout.TAG_OFFSET, m.tag());
    }
    return count;
  }

  private static void write(long at, Communicator c) {
    AccountLayout.setPlainLong(at + AccountLayout.NUMBER_OFFSET, c.context());
    AccountLayout.setPlainInt(at + AccountLayout.BEGUN_OFFSET, c.begun());
    AccountLayout.setPlainInt(at + AccountLayout.OWN_OFFSET, c.own());
    AccountLayout.setPlainInt(at + AccountLayout.SIZE_OFFSET, c.size());
    writeText(at + AccountLayout.NAME_OFFSET, AccountLayout.NAME_BYTES, c.name());
  }

  private static void write(long at, Epoch epoch) {
    AccountLayout.setPlainLong(at + AccountLayout.EPOCH_CONTEXT_OFFSET, epoch.context());
    AccountLayout.setPlainInt(at + AccountLayout.EPOCH_PEER_OFFSET, epoch.peer());
    AccountLayout.setPlainInt(at + AccountLayout.EPOCH_KIND_OFFSET, epoch.kind().ordinal());
  }

  static void writeText(long at, int room, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(room, bytes.length);
    while (length < bytes.length && length > 0 && (bytes[length] & 0xC0) == 0x80) {
      length--; // not half a character
    }
    for (int i = 0; i < room; i++) {
      AccountLayout.setPlainByte(at + i, i < length ? bytes[i] : 0);
    }
  }

  /**
   * Reads an account. Its counts are not trusted, but clamped to the tables.
   *
   * @param block address of a rank's block
   * @return the account, or null when the rank is writing all the time or has died while writing
   */
  public static RankAccount read(long block) {
    for (int i = 0; i < TRIES; i++) {
      int version = AccountLayout.getAcquireVersion(block);
      if ((version & 1) == 0) {
        RankAccount account = readOnce(block);
        Raw.fullFence();
        if (AccountLayout.getVolatileVersion(block) == version) {
          return account;
        }
      }
      Thread.onSpinWait();
    }
    return null;
  }

  /**
   * Returns whether an account names a wait, without reading all of it.
   *
   * @param block address of a rank's block
   * @return true as of the last write
   */
  public static boolean hasWaits(long block) {
    return AccountLayout.getPlainInt(block + AccountLayout.WAITS_OFFSET) > 0;
  }

  private static RankAccount readOnce(long block) {
    List<Wait> waits = new ArrayList<>();
    for (int i = 0; i < count(block + AccountLayout.WAITS_OFFSET, AccountLayout.WAITS); i++) {
      waits.add(readWait(block + AccountLayout.WAIT_TABLE + i * AccountLayout.WAIT_BYTES));
    }
    List<Communicator> communicators = new ArrayList<>();
    for (int i = 0; i < count(block + AccountLayout.COMMUNICATORS_OFFSET, AccountLayout.COMMUNICATORS); i++) {
      long at = block + AccountLayout.COMMUNICATOR_TABLE + i * AccountLayout.COMMUNICATOR_BYTES;
      communicators.add(
          new Communicator(
              AccountLayout.getPlainLong(at + AccountLayout.NUMBER_OFFSET),
              AccountLayout.getPlainInt(at + AccountLayout.BEGUN_OFFSET),
              AccountLayout.getPlainInt(at + AccountLayout.OWN_OFFSET),
              AccountLayout.getPlainInt(at + AccountLayout.SIZE_OFFSET),
              readText(at + AccountLayout.NAME_OFFSET, AccountLayout.NAME_BYTES)));
    }
    Traffic traffic =
        new Traffic(
            AccountLayout.getPlainLong(block + AccountLayout.MOVES_OFFSET),
            AccountLayout.getPlainLong(block + AccountLayout.SENT_OFFSET),
            AccountLayout.getPlainLong(block + AccountLayout.RECEIVED_OFFSET),
            AccountLayout.getPlainLong(block + AccountLayout.SENT_BYTES_OFFSET),
            AccountLayout.getPlainLong(block + AccountLayout.RECEIVED_BYTES_OFFSET));
    Queues queues =
        new Queues(
            AccountLayout.getPlainInt(block + AccountLayout.ALL_SENDS_OFFSET),
            AccountLayout.getPlainInt(block + AccountLayout.ALL_RECEIVES_OFFSET),
            AccountLayout.getPlainInt(block + AccountLayout.ALL_UNEXPECTED_OFFSET),
            AccountLayout.getPlainLong(block + AccountLayout.UNEXPECTED_BYTES_OFFSET));
    return new RankAccount(
        waits, traffic, queues,
        readMessages(block + AccountLayout.SEND_TABLE, block + AccountLayout.SENDS_OFFSET),
        readMessages(block + AccountLayout.RECEIVE_TABLE, block + AccountLayout.RECEIVES_OFFSET),
        readMessages(block + AccountLayout.UNEXPECTED_TABLE, block + AccountLayout.UNEXPECTED_OFFSET), communicators,
        readEpochs(block), readPlace(block));
  }

  private static List<Epoch> readEpochs(long block) {
    EpochSource.Kind[] kinds = EpochSource.Kind.values();
    List<Epoch> epochs = new ArrayList<>();
    for (int i = 0; i < count(block + AccountLayout.EPOCHS_OFFSET, AccountLayout.EPOCHS); i++) {
      long at = block + AccountLayout.EPOCH_TABLE + i * AccountLayout.EPOCH_BYTES;
      epochs.add(
          new Epoch(
              AccountLayout.getPlainLong(at + AccountLayout.EPOCH_CONTEXT_OFFSET),
              AccountLayout.getPlainInt(at + AccountLayout.EPOCH_PEER_OFFSET),
              kinds[count(at + AccountLayout.EPOCH_KIND_OFFSET, kinds.length - 1)]));
    }
    return epochs;
  }

  private static Place readPlace(long block) {
    return new Place(
        readText(block + AccountLayout.PLACE, AccountLayout.PLACE_BYTES),
        AccountLayout.getPlainInt(block + AccountLayout.BLOCKED_OFFSET) != 0,
        AccountLayout.getPlainLong(block + AccountLayout.PLACE_SINCE_OFFSET));
  }

  private static int count(long at, int most) {
    return Math.clamp(AccountLayout.getPlainInt(at), 0, most);
  }

  private static Wait readWait(long at) {
    Kind[] kinds = Kind.values();
    return new Wait(
        readText(at + AccountLayout.CALL_OFFSET, AccountLayout.CALL_BYTES),
        readText(at + AccountLayout.LINE_OFFSET, AccountLayout.LINE_BYTES),
        kinds[count(at + AccountLayout.KIND_OFFSET, kinds.length - 1)],
        AccountLayout.getPlainInt(at + AccountLayout.WAIT_PEER_OFFSET),
        AccountLayout.getPlainInt(at + AccountLayout.WAIT_TAG_OFFSET),
        AccountLayout.getPlainLong(at + AccountLayout.WAIT_CONTEXT_OFFSET),
        AccountLayout.getPlainLong(at + AccountLayout.WAIT_LENGTH_OFFSET),
        AccountLayout.getPlainInt(at + AccountLayout.COLLECTIVE_OFFSET),
        AccountLayout.getPlainInt(at + AccountLayout.ROOT_OFFSET),
        AccountLayout.getPlainLong(at + AccountLayout.SINCE_OFFSET));
  }

  private static List<Message> readMessages(long table, long count) {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < count(count, AccountLayout.MESSAGES); i++) {
      long at = table + i * AccountLayout.MESSAGE_BYTES;
      messages.add(
          new Message(
              AccountLayout.getPlainInt(at + AccountLayout.PEER_OFFSET),
              AccountLayout.getPlainInt(at + AccountLayout.TAG_OFFSET),
              AccountLayout.getPlainLong(at + AccountLayout.CONTEXT_OFFSET),
              AccountLayout.getPlainLong(at + AccountLayout.LENGTH_OFFSET)));
    }
    return messages;
  }

  static String readText(long at, int room) {
    byte[] bytes = new byte[room];
    int length = 0;
    for (byte b = AccountLayout.getPlainByte(at); b != 0;
        b = length < room ? AccountLayout.getPlainByte(at + length) : 0) {
      bytes[length++] = b;
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
