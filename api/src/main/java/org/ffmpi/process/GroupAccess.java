// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import org.ffmpi.Comparison;
import org.ffmpi.Group;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Members;

/** Makes groups and reads them, through hidden methods of {@link Group} that it registers here. */
public abstract class GroupAccess {
  private static GroupAccess groups;

  /** Creates the access of {@link Group}. */
  protected GroupAccess() {}

  /** Called once, when {@link Group} is initialized. */
  public static void register(GroupAccess access) {
    groups = access;
  }

  private static GroupAccess access() {
    if (groups == null) {
      Group.EMPTY.size(); // initializes the class, which registers
    }
    return groups;
  }

  /** Makes a group of peers of a world's engine. */
  public static Group of(World world, Members members) {
    return of(world, world.engine(), members);
  }

  /** Makes a group of peers of an engine of a world. */
  public static Group of(World world, Engine engine, Members members) {
    return access().make(world, engine, members);
  }

  /** Returns the members as peers of an engine. */
  public static Members members(Group group, Engine engine) {
    Engine own = access().engineOf(group);
    return own == null ? members(group) : Identities.in(engine, own, members(group));
  }

  /** Returns the engine that numbers the members; null for the group that is always empty. */
  public static Engine engine(Group group) {
    return access().engineOf(group);
  }

  public static Members members(Group group) {
    return access().membersOf(group);
  }

  public static World world(Group group) {
    return access().worldOf(group);
  }

  public static boolean isClosed(Group group) {
    return access().isClosedGroup(group);
  }

  public static Comparison compare(Members a, Members b) {
    return access().compareMembers(a, b);
  }

  /** Returns why a group cannot be an argument of a call in a world, or null. */
  public static MpiException unusable(String name, Group group, World world) {
    return access().whyUnusable(name, group, world);
  }

  /** Returns why a group is not a part of another, or null. */
  public static MpiException notWithin(String name, Group group, World world, Channel whole) {
    return access().whyNotWithin(name, group, world, whole);
  }

  /** See {@link #of}. */
  protected abstract Group make(World world, Engine engine, Members members);

  /** Returns the members of a group. */
  protected abstract Members membersOf(Group group);

  /** Returns the world of a group. */
  protected abstract World worldOf(Group group);

  /** Returns the engine of a group. */
  protected abstract Engine engineOf(Group group);

  /** Returns whether a group has been closed. */
  protected abstract boolean isClosedGroup(Group group);

  /** Compares the members of two groups. */
  protected abstract Comparison compareMembers(Members a, Members b);

  /** See {@link #unusable}. */
  protected abstract MpiException whyUnusable(String name, Group group, World world);

  /** See {@link #notWithin}. */
  protected abstract MpiException whyNotWithin(String name, Group group, World world, Channel whole);
}
