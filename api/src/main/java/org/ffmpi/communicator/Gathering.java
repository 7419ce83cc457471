// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.CommState;
import org.ffmpi.process.Failures;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Meetings;
import org.ffmpi.spi.Members;

/**
 * The common part of all calls by which a group meets another one. Its root speaks for it and tells the others what was
 * agreed, and all enter the place together or none does. Collective over the group.
 */
final class Gathering {
  /** The context of the communicator between the groups, the first that is free in a new engine. */
  private static final long CONTEXT = Channel.FIRST_FREE_CONTEXT;

  private static final String FINE = "+";

  private final CommState state;
  private final World world;
  private final Channel channel;

  Gathering(CommState state) {
    this.state = state;
    this.world = state.world;
    this.channel = state.channel;
  }

  /** Returns how this process meets others. */
  static Meetings meetings(World world) {
    Meetings meetings = world.engine().meetings();
    if (meetings == null) {
      throw new MpiException(
          ErrorClass.ERR_UNSUPPORTED_OPERATION,
          "this engine cannot meet processes of other jobs: " + world.engine().describe());
    }
    return meetings;
  }

  /** Checks the root, which has to be the same at all ranks. */
  void checkRoot(int root) {
    state.checkCollective();
    if (root < 0 || root >= channel.size()) {
      throw state.raise(MpiException.argument(ErrorClass.ERR_ROOT, "root", root, "0.." + (channel.size() - 1)));
    }
  }

  /** Broadcasts what the root has found out; an error is thrown at all ranks. */
  String tell(int root, Finding finding) {
    String text = "";
    MpiException own = null;
    if (channel.rank() == root) {
      try {
        text = FINE + finding.find();
      } catch (RuntimeException e) {
        own = Failures.translate(e);
        String prefix = own.errorClass().mpiName() + ": ";
        String said = own.getMessage();
        text = own.errorClass().code() + " " + (said.startsWith(prefix) ? said.substring(prefix.length()) : said);
      }
    }
    String heard = bcast(text, root);
    if (own != null) {
      throw own;
    }
    if (!heard.startsWith(FINE)) {
      int space = heard.indexOf(' ');
      ErrorClass errorClass =
          ErrorClass.ofCode(Integer.parseInt(heard.substring(0, space))).orElse(ErrorClass.ERR_OTHER);
      throw new MpiException(errorClass, heard.substring(space + 1));
    }
    return heard.substring(FINE.length());
  }

  /** The part of the root in a call of all. */
  @FunctionalInterface
  interface Finding {
    /** Returns what the others have to know. */
    String find();
  }

  private String bcast(String text, int root) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    long[] length = {bytes.length};
    Exchange.bcast(channel, world, length, root);
    long[] words = new long[Math.toIntExact((length[0] + Long.BYTES - 1) / Long.BYTES)];
    for (int i = 0; i < bytes.length; i++) {
      words[i / Long.BYTES] |= (bytes[i] & 0xFFL) << i % Long.BYTES * Byte.SIZE;
    }
    if (words.length > 0) {
      Exchange.bcast(channel, world, words, root);
    }
    byte[] heard = new byte[(int) length[0]];
    for (int i = 0; i < heard.length; i++) {
      heard[i] = (byte) (words[i / Long.BYTES] >>> i % Long.BYTES * Byte.SIZE);
    }
    return new String(heard, StandardCharsets.UTF_8);
  }

  /**
   * Enters a place with all ranks of the group.
   *
   * @param first number of rank 0 there
   * @param processes how many take part
   * @return the engine there
   * @throws MpiException when one of the ranks cannot enter; none has then
   */
  Engine enter(String place, int first, int processes) {
    Meetings meetings = meetings(world);
    Engine engine = null;
    MpiException failed = null;
    try {
      engine = meetings.enter(place, first + channel.rank(), processes);
    } catch (RuntimeException e) {
      failed = Failures.translate(e);
    }
    long[] all = Exchange.allgather(channel, world, failed == null ? 0 : failed.errorClass().code());
    if (Arrays.stream(all).allMatch(code -> code == 0)) {
      return engine;
    }
    if (engine != null) {
      meetings.leave(engine, false);
    }
    if (failed != null) {
      throw failed;
    }
    int rank = 0;
    while (all[rank] == 0) {
      rank++;
    }
    throw new MpiException(
        ErrorClass.ofCode((int) all[rank]).orElse(ErrorClass.ERR_OTHER),
        "rank " + rank + " cannot enter the memory in which the groups meet");
  }

  /** Makes the channel between this group, whose rank 0 has the first number, and the other one. */
  Channel between(Engine engine, int first, int otherFirst, int others) {
    return new Channel(
        engine, CONTEXT, Members.range(first, channel.size(), 1), Members.range(otherFirst, others, 1));
  }
}
