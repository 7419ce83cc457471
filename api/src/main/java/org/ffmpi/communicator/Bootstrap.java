// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import org.ffmpi.Errhandler;
import org.ffmpi.Group;
import org.ffmpi.Info;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.CommHints;
import org.ffmpi.process.ErrhandlerImpl;
import org.ffmpi.process.GroupAccess;
import org.ffmpi.process.InfoAccess;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Members;

/**
 * The agreement of a group's members on a context when no communicator has exactly these members. Its messages use a
 * context that each member computes from the group and the purpose of the call. Such contexts lie in a range of their
 * own, of 2 to the power of 59; a check in the message detects a collision of two.
 */
public final class Bootstrap {
  /** Contexts from this one on are computed; those below it are counted up. */
  private static final long FIRST = 1L << 62;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Bootstrap() {}

  /**
   * Makes a channel for a group with this process. Collective over the group; blocks until its first member has called
   * it.
   *
   * @param purpose distinguishes what the same group does at the same time
   */
  static Channel of(World world, Engine engine, Members members, String purpose) {
    if (members.rankOf(engine.self()) == Constants.UNDEFINED) {
      throw MpiException.argument(
          ErrorClass.ERR_GROUP, "group", members, "groups that contain this process, number " + engine.self());
    }
    if (members.size() == 1) {
      return new Channel(engine, engine.claimContexts(1), members);
    }
    long place = hash(members, purpose, GOLDEN);
    long check = hash(members, purpose, ~GOLDEN);
    Channel meeting = new Channel(engine, FIRST | place << 4 >>> 2 & -Channel.CONTEXTS, members);
    long[] told = {meeting.rank() == 0 ? engine.claimContexts(1) : 0, check};
    Exchange.bcast(meeting, world, told, 0);
    if (told[1] != check) {
      throw new MpiException(
          ErrorClass.ERR_OTHER, "group: another one is being made in the same context; choose another tag");
    }
    return new Channel(engine, told[0], members);
  }

  private static long hash(Members members, String purpose, long seed) {
    long h = seed;
    for (int r = 0; r < members.size(); r++) {
      h = mix(h, members.peer(r));
    }
    for (int i = 0; i < purpose.length(); i++) {
      h = mix(h, purpose.charAt(i));
    }
    return h;
  }

  /** One round of a multiply and xor-shift hash. */
  private static long mix(long h, long value) {
    long x = (h ^ value) * GOLDEN;
    x ^= x >>> 32;
    x *= 0xD6E8FEB86659FD93L;
    return x ^ x >>> 29;
  }

  /** Returns the environment that a group comes from. */
  static World worldOf(String argument, Group group) {
    if (group == null || GroupAccess.world(group) == null) {
      throw MpiException.argument(ErrorClass.ERR_GROUP, argument, group, "groups with members");
    }
    return GroupAccess.world(group);
  }

  static void check(String argument, Group group) {
    GroupAccess.world(group).checkCommunication();
    if (GroupAccess.isClosed(group) || GroupAccess.members(group).size() == 0) {
      throw MpiException.argument(
          ErrorClass.ERR_GROUP, argument, group, "groups with members that have not been closed");
    }
  }

  static void checkTag(String stringtag) {
    if (stringtag == null || stringtag.length() >= Constants.MAX_STRINGTAG_LEN) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "stringtag", stringtag,
          "texts of less than " + Constants.MAX_STRINGTAG_LEN + " characters");
    }
  }

  /** Reads the hints of a new communicator, and checks its first error handler. */
  static CommHints hints(Info info, Errhandler<?> errhandler) {
    MpiException refused = ErrhandlerImpl.refusal(errhandler);
    if (refused != null) {
      throw refused;
    }
    return CommHints.NONE.with(InfoAccess.entries(info));
  }
}
