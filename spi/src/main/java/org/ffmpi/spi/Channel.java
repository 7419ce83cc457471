// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The path from one communicator to its members: an engine, a context, and the peer of each rank. Immutable except for
 * the sequence of collective calls and the attachment of the collectives.
 *
 * <p>A communicator within one group has the same members at both ends of its messages. One between two groups ranks
 * this process in its own group, and sends to and receives from ranks of the other.
 *
 * <p>This file is long because all uses of the contexts of one communicator are named here, each with its comment.
 */
public final class Channel {
  /** Number of matching contexts between two numbers of {@link Engine#claimContexts}. */
  public static final int CONTEXTS = 8;

  /** Context of the communicator of all ranks. */
  public static final long WORLD_CONTEXT = 0;

  /** Context of the communicators of one rank alone. */
  public static final long SELF_CONTEXT = CONTEXTS;

  /** Context of the messages by which ranks tell each other what they have done, where races are looked for. */
  public static final long WATCH_CONTEXT = 2 * CONTEXTS;

  /** The first number that {@link Engine#claimContexts} may give out. */
  public static final long FIRST_FREE_CONTEXT = 4 * CONTEXTS;

  /** The bits of a channel's context; the bits above belong to one call. */
  private static final int CONTEXT_BITS = 32;

  private static final long CONTEXT_MASK = (1L << CONTEXT_BITS) - 1;

  /** Flag of the context of one start of a persistent collective, whose number is in the bits below. */
  private static final long STARTED = 1L << 62;

  private static final long START_MASK = (1L << 30) - 1;

  private final Engine engine;
  private final long context;
  private final Members local;
  private final Members remote;
  private final int rank;
  private final int size;
  private final Health health;
  private final AtomicInteger collectives = new AtomicInteger();
  private final AtomicInteger ownCollectives = new AtomicInteger();
  private final AtomicInteger persistents = new AtomicInteger();
  private final AtomicInteger objects = new AtomicInteger();
  private volatile boolean exactLength;
  private volatile String name = "";
  private volatile String maker = "";
  private volatile Object attachment;
  private volatile EpochSource epochs;
  private volatile Order order;

  /**
   * Creates a channel over all peers, ranked as the engine numbers them.
   *
   * @param engine the engine
   * @param context a number from {@link Engine#claimContexts}, or a fixed one for predefined communicators
   */
  public Channel(Engine engine, long context) {
    this(engine, context, Members.all(engine.peers()));
  }

  /**
   * Creates a channel within a group.
   *
   * @param engine the engine
   * @param context a number from {@link Engine#claimContexts}, or a fixed one for predefined communicators
   * @param members the group; this process is among them
   */
  public Channel(Engine engine, long context, Members members) {
    this(engine, context, members, members);
  }

  /**
   * Creates a channel between two groups.
   *
   * @param engine the engine
   * @param context a number from {@link Engine#claimContexts}
   * @param local this process's group
   * @param remote the group that messages go to and come from
   */
  public Channel(Engine engine, long context, Members local, Members remote) {
    this.engine = engine;
    this.context = context;
    this.local = local;
    this.remote = remote;
    this.rank = local.rankOf(engine.self());
    this.size = local.size();
    Survival survival = engine.survival();
    this.health = survival == null ? null : new Health(survival, local, remote);
  }

  /**
   * Returns the failures in this channel that this rank has seen.
   *
   * @return null in a job that ends with its first dead rank
   */
  public Health health() {
    return health;
  }

  /**
   * Returns the engine.
   *
   * @return the engine
   */
  public Engine engine() {
    return engine;
  }

  /**
   * Returns this process's rank in its group.
   *
   * @return own rank
   */
  public int rank() {
    return rank;
  }

  /**
   * Returns the number of ranks in this process's group.
   *
   * @return size of the group
   */
  public int size() {
    return size;
  }

  /**
   * Returns this process's group.
   *
   * @return its members
   */
  public Members local() {
    return local;
  }

  /**
   * Returns the group that messages go to and come from.
   *
   * @return its members; {@link #local} unless the channel lies between two groups
   */
  public Members remote() {
    return remote;
  }

  /**
   * Turns a rank of the {@linkplain #remote group at the other end} into a peer number.
   *
   * @param rank a rank from 0 to its size - 1, or a negative special value, which is returned unchanged
   * @return the peer
   */
  public int peer(int rank) {
    return rank < 0 ? rank : remote.peer(rank);
  }

  /**
   * Turns a peer number into a rank of the {@linkplain #remote group at the other end}.
   *
   * @param peer a peer, or a negative special value, which is returned unchanged
   * @return the rank, or UNDEFINED when the peer is no member
   */
  public int rankOf(int peer) {
    return peer < 0 ? peer : remote.rankOf(peer);
  }

  /**
   * Returns a number that all members know and no other channel of the world has. Channels without a common member may
   * have the same contexts; this number distinguishes them by the first rank.
   *
   * @return not negative
   */
  public long identity() {
    int first = remote.size() == 0 ? local.peer(0) : Math.min(local.peer(0), remote.peer(0));
    return context * engine.peers() + first;
  }

  /**
   * Returns the context in the identity of a channel.
   *
   * @param identity what {@link #identity} has returned
   * @param peers number of peers of the engine
   * @return the channel's number
   */
  public static long numberIn(long identity, int peers) {
    return identity / peers;
  }

  /**
   * Returns the context of the user's point-to-point messages, which is the channel's number.
   *
   * @return a matching context
   */
  public long pointToPoint() {
    return context;
  }

  /**
   * Returns the context of blocking and nonblocking collectives.
   *
   * @return a matching context
   */
  public long collective() {
    return context + 1;
  }

  /**
   * Returns the context of persistent collectives, whose tags are a space of their own.
   *
   * @return a matching context
   */
  public long persistent() {
    return context + 2;
  }

  /**
   * Returns the context of one collective call whose ranks have to agree in a signature. Messages of ranks that do not
   * agree never match.
   *
   * @param context {@link #collective}
   * @param signature a negative number whose low 32 bits are 0, or 0 for a call without one
   * @return a context with the same {@link #callOf}
   */
  public static long signed(long context, long signature) {
    return context <= CONTEXT_MASK ? context | signature : context;
  }

  /**
   * Returns the signature in a context.
   *
   * @param context what {@link #signed} has returned
   * @return the signature, 0 when there is none
   */
  public static long signatureOf(long context) {
    return context < 0 ? context & ~CONTEXT_MASK : 0;
  }

  /**
   * Returns the context of one start of a persistent collective. Messages left over from a failed start cannot match
   * those of the next one.
   *
   * @param context {@link #persistent}
   * @param start the number of the start, the same on all ranks
   * @return a context
   */
  public static long started(long context, long start) {
    return context <= CONTEXT_MASK ? context | STARTED | (start & START_MASK) << CONTEXT_BITS : context;
  }

  /**
   * Returns the common part of the contexts of all ranks in one collective call; with the tag it names the call.
   *
   * @param context a context of a collective
   * @return the context without the signature
   */
  public static long callOf(long context) {
    return context < 0 ? context & CONTEXT_MASK : context;
  }

  /**
   * Returns the number of the channel that a context belongs to.
   *
   * @param context any context
   * @return what {@link #pointToPoint} of that channel returns
   */
  public static long numberOf(long context) {
    long number = context < 0 || (context & STARTED) != 0 ? context & CONTEXT_MASK : context;
    return number - number % CONTEXTS;
  }

  /**
   * Returns whether a context counts up from 0 with the numbers of {@link Engine#claimContexts}. Those of starts of
   * persistent collectives, and of ranks that meet by a name, do not.
   *
   * @param context any context
   * @return true when {@link #numberOf} is one of the numbers
   */
  public static boolean isNumbered(long context) {
    return context < 0 || (context & STARTED) == 0;
  }

  /**
   * Returns whether a context serves calls that need all members, not the program's messages.
   *
   * @param context any context
   * @return false for messages between two members
   */
  public static boolean isOfCollectives(long context) {
    long use = (context & CONTEXT_MASK) % CONTEXTS;
    return use != 0 && use != 3 && use != 7;
  }

  /**
   * Returns the context of the messages that set up partitioned communication, under the tags that programs give them.
   *
   * @return a matching context
   */
  public long partitioned() {
    return context + 3;
  }

  /**
   * Returns the context of the messages by which some of the members agree on a new communicator, under the tags that
   * programs give them.
   *
   * @return a matching context
   */
  public long creation() {
    return context + 4;
  }

  /**
   * Returns the context of the messages by which ranks compare their collective calls, where everything is checked.
   *
   * @return a matching context
   */
  public long comparison() {
    return context + 6;
  }

  /**
   * Returns the context of the parts of objects that are messages of their own, under the numbers of
   * {@link #nextObjectTag}.
   *
   * @return a matching context
   */
  public long objects() {
    return context + 7;
  }

  /**
   * Returns the context of the values that ranks combine, within one group.
   *
   * @return a matching context
   */
  public long reductions() {
    return context + 5;
  }

  /**
   * Returns the number of a channel within this process's own group, beside one that lies between two groups.
   *
   * @return a number for a channel of which only {@link #collective} is used
   */
  public long within() {
    return context + 4;
  }

  /**
   * Sets whether the program has promised that its messages are as long as the buffers that receive them. Engines may
   * check the promise where everything is checked.
   *
   * @param promised whether it has
   */
  public void setExactLength(boolean promised) {
    exactLength = promised;
  }

  /**
   * Returns whether the program has promised that its messages are as long as the buffers that receive them.
   *
   * @return the last value set, at first false
   */
  public boolean isExactLength() {
    return exactLength;
  }

  /**
   * Sets the name of the communicator.
   *
   * @param given its name, empty for none
   */
  public void setName(String given) {
    name = given;
  }

  /**
   * Returns the name of the communicator.
   *
   * @return the last name set, at first empty
   */
  public String name() {
    return name;
  }

  /**
   * Sets the line of the program that has made the communicator.
   *
   * @param line a text such as {@code Halo.java:41}
   */
  public void setMaker(String line) {
    maker = line;
  }

  /**
   * Returns words that name the communicator to those who explain why a job stands still.
   *
   * @return its name; without one the line that has made it, if a layer has kept that; otherwise empty
   */
  public String nameOrMaker() {
    return name.isEmpty() && !maker.isEmpty() ? "the communicator of " + maker : name;
  }

  /**
   * Returns how many collective calls this rank has begun, without persistent ones.
   *
   * @return the tag that {@link #nextCollectiveTag} returns next
   */
  public int begunCollectives() {
    return collectives.get() & Integer.MAX_VALUE;
  }

  /** Counts the next collective call as the library's own, not the program's. */
  public void countOwnCollective() {
    ownCollectives.getAndIncrement();
  }

  /**
   * Returns how many of the collective calls were the library's own.
   *
   * @return how often {@link #countOwnCollective} was called
   */
  public int ownCollectives() {
    return ownCollectives.get();
  }

  /**
   * Describes the collective call that a message belongs to, if it is still recorded.
   *
   * @param callContext context of the message
   * @param tag its tag
   * @param note gets the description
   */
  public void describeCall(long callContext, int tag, WaitNote note) {
    if (attachment instanceof Attachment kept) {
      kept.describeCall(callContext, tag, note);
    }
  }

  /**
   * Makes this the channel of a window.
   *
   * @param source lists the window's epochs
   */
  public void setEpochs(EpochSource source) {
    epochs = source;
  }

  /**
   * Returns the window that this channel belongs to.
   *
   * @return its epochs, or null for other channels
   */
  public EpochSource epochs() {
    return epochs;
  }

  /**
   * Claims the tag of the next collective call. All ranks call collectives in the same order, so that all get the same.
   *
   * @return a tag, not negative
   */
  public int nextCollectiveTag() {
    return collectives.getAndIncrement() & Integer.MAX_VALUE;
  }

  /**
   * Returns whether this rank has already begun the collective call with a tag.
   *
   * @param tag a tag of {@link #nextCollectiveTag}
   * @return true when the tag has been claimed, for the last 2^30 calls
   */
  public boolean hasBegun(int tag) {
    int behind = collectives.get() - tag & Integer.MAX_VALUE;
    return behind != 0 && behind < 1 << 30;
  }

  /**
   * Claims the tag of the next persistent collective. All ranks make them in the same order, so that all get the same.
   *
   * @return a tag, not negative
   */
  public int nextPersistentTag() {
    return persistents.getAndIncrement() & Integer.MAX_VALUE;
  }

  /**
   * Claims the tag of the parts of an object that this rank sends.
   *
   * @return a tag, not negative, that no other object of this rank has which is under way in this channel
   */
  public int nextObjectTag() {
    return objects.getAndIncrement() & Integer.MAX_VALUE;
  }

  /**
   * Returns the attachment of this rank's {@link Collectives} to this channel.
   *
   * @param <T> its type; there is one such object
   * @param maker makes it when there is none yet; must not refer to what lives longer than the channel
   * @return the object
   */
  @SuppressWarnings("unchecked") // there is one user
  public <T> T attachment(Function<Channel, T> maker) {
    Object present = attachment;
    if (present == null) {
      synchronized (this) {
        present = attachment;
        if (present == null) {
          present = maker.apply(this);
          attachment = present;
        }
      }
    }
    return (T) present;
  }

  /**
   * Closes the channel: no call follows, though started ones may still be in flight. The attachment may be released.
   */
  public void close() {
    if (attachment instanceof Attachment kept) {
      kept.channelClosed();
    }
  }

  /**
   * Sets the order in which collective calls begin, where the ranks compare them first.
   *
   * @param kept where calls wait for their turn
   */
  public void setOrder(Order kept) {
    order = kept;
  }

  /**
   * Returns the order in which collective calls begin, where the ranks compare them first. Collectives that are not a
   * program's own keep to it.
   *
   * @return where calls wait for their turn, or null where each begins when it is called
   */
  public Order order() {
    return order;
  }

  /** The order of collective calls that begin later than they are called. */
  public interface Order {
    /** Blocks until all earlier calls have begun. */
    void await();

    /**
     * Starts an operation when all earlier calls have begun; never waits.
     *
     * @param start starts it
     * @return an operation that stands for it, registered with the engine
     */
    Operation after(Supplier<Operation> start);

    /** Blocks as {@link #await} does, then stops listening for other ranks' calls: no call follows. */
    void close();
  }

  /**
   * Looks for a rank that calls something else than this one does.
   *
   * @param callContext context of a collective call of this rank
   * @param tag its tag
   * @return the error of receives in that call, or null while nothing is known
   */
  public ReceiveException findOtherCall(long callContext, int tag) {
    return attachment instanceof Attachment kept ? kept.findOtherCall(callContext, tag) : null;
  }

  /** An attachment that is notified when its channel is closed. */
  public interface Attachment {
    /** Called when no call follows, though started ones may still be in flight. */
    void channelClosed();

    /**
     * Looks for a rank that calls something else than this one does. Called now and then while receives wait, possibly
     * under locks of the engine; never waits.
     *
     * @param context context of a collective call of this rank
     * @param tag its tag
     * @return the error of receives in that call, or null
     */
    ReceiveException findOtherCall(long context, int tag);

    /**
     * Describes the collective call that a message belongs to, as {@link WaitSubject#describe} does.
     *
     * @param context context of the message
     * @param tag its tag
     * @param note gets the description, if the call is known
     */
    void describeCall(long context, int tag, WaitNote note);
  }
}
