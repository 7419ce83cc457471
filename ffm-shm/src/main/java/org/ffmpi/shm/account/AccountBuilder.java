// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.account;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.shm.account.RankAccount.Communicator;
import org.ffmpi.shm.account.RankAccount.Epoch;
import org.ffmpi.shm.account.RankAccount.Message;
import org.ffmpi.shm.account.RankAccount.Place;
import org.ffmpi.shm.account.RankAccount.Queues;
import org.ffmpi.shm.account.RankAccount.Traffic;
import org.ffmpi.shm.account.RankAccount.Wait;
import org.ffmpi.spi.EpochSource;

/**
 * Collects a rank's account. All entries are counted, and those that have room are kept. Used under the rank's lock.
 */
public final class AccountBuilder {
  private final List<Message> sends = new ArrayList<>();
  private final List<Message> receives = new ArrayList<>();
  private final List<Message> unexpected = new ArrayList<>();
  private final List<Communicator> communicators = new ArrayList<>();
  private final List<Epoch> epochs = new ArrayList<>();
  private int allSends;
  private int allReceives;
  private int allUnexpected;
  private long unexpectedBytes;
  private long sent;
  private long received;
  private long sentBytes;
  private long receivedBytes;

  /** Creates an empty account. */
  public AccountBuilder() {}

  /**
   * Adds a send that has not ended.
   *
   * @param peer its destination
   * @param tag its tag
   * @param context its matching context
   * @param bytes its length
   */
  public void addSend(int peer, int tag, long context, long bytes) {
    allSends++;
    add(sends, peer, tag, context, bytes);
  }

  /**
   * Adds a posted receive.
   *
   * @param peer the wanted sender, or ANY_SOURCE
   * @param tag the wanted tag, or ANY_TAG
   * @param context its matching context
   * @param bytes its capacity
   */
  public void addReceive(int peer, int tag, long context, long bytes) {
    allReceives++;
    add(receives, peer, tag, context, bytes);
  }

  /**
   * Adds an unexpected message.
   *
   * @param peer its sender
   * @param tag its tag
   * @param context its matching context
   * @param bytes its length
   * @param kept bytes of it that are stored at this rank
   */
  public void addUnexpected(int peer, int tag, long context, long bytes, long kept) {
    allUnexpected++;
    unexpectedBytes += kept;
    add(unexpected, peer, tag, context, bytes);
  }

  private static void add(List<Message> to, int peer, int tag, long context, long bytes) {
    if (to.size() < AccountLayout.MESSAGES) {
      to.add(new Message(peer, tag, context, bytes));
    }
  }

  /**
   * Adds a communicator.
   *
   * @param context its number
   * @param begun number of collective calls that the rank has begun on it
   * @param own number of these that are the library's own
   * @param size its number of ranks
   * @param name its name
   */
  public void addCommunicator(long context, int begun, int own, int size, String name) {
    if (communicators.size() < AccountLayout.COMMUNICATORS) {
      communicators.add(new Communicator(context, begun, own, size, name));
    }
  }

  /**
   * Adds an open epoch.
   *
   * @param context the number of the window's channel
   * @param peer the other rank, or ANY_SOURCE
   * @param kind its kind
   */
  public void addEpoch(long context, int peer, EpochSource.Kind kind) {
    if (epochs.size() < AccountLayout.EPOCHS) {
      epochs.add(new Epoch(context, peer, kind));
    }
  }

  /**
   * Adds to the amounts sent to a peer.
   *
   * @param records records of its ring
   * @param bytes bytes through ring and pipe
   */
  public void sent(long records, long bytes) {
    sent += records;
    sentBytes += bytes;
  }

  /**
   * Adds to the amounts received from a peer.
   *
   * @param records records of its ring
   * @param bytes bytes through the ring, or by another protocol
   */
  public void received(long records, long bytes) {
    received += records;
    receivedBytes += bytes;
  }

  /**
   * Returns the account.
   *
   * @param waits the rank's waits
   * @param moves polls of long waits that moved something
   * @param place the place of the program
   * @return an immutable value
   */
  public RankAccount build(List<Wait> waits, long moves, Place place) {
    return new RankAccount(
        List.copyOf(waits), new Traffic(moves, sent, received, sentBytes, receivedBytes),
        new Queues(allSends, allReceives, allUnexpected, unexpectedBytes), List.copyOf(sends), List.copyOf(receives),
        List.copyOf(unexpected), List.copyOf(communicators), List.copyOf(epochs), place);
  }
}
