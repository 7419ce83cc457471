// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.io.DataInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.spi.CallPlace;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.FlatBuffer;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.SharedMemory;
import org.ffmpi.spi.WindowWatch;

/**
 * The search for races in one window at one rank. The accesses to a part are compared in its shadow, at once where that
 * is in this process, otherwise by the part's owner, who gets a message about them. A rank reports what it has done
 * before it sends its clock to any other, so that an owner who has read all that has come knows everything that
 * precedes what it knows. Windows whose ranks do not share memory are not compared between ranks: only buffers are.
 */
final class WindowRaces implements WindowWatch {
  private static final int ACCESS = 0;
  private static final int COMPLETE = 1;

  /** An access of this rank that is not complete. */
  private record Running(SeenAccess access, int target, List<BufferUse> uses) {}

  /** An access of another rank that has been told. */
  private record Told(SeenAccess access) {}

  private final RankRaces races;
  private final Channel channel;
  private final long number;
  private final Object name;
  private final int rank;
  /** Peers of the ranks. */
  private final int[] peers;
  /** Whether accesses of different ranks are compared. */
  private final boolean compares;
  private final PartShadows parts;
  private final List<TrackedMemory.Region> regions = new ArrayList<>();
  private final List<Running> running = new ArrayList<>();
  private final List<Told> told = new ArrayList<>();
  private final ThreadLocal<Running> lastOfThread = new ThreadLocal<>();

  WindowRaces(RankRaces races, Channel channel, Parts memory) {
    this.races = races;
    this.channel = channel;
    this.number = channel.pointToPoint();
    this.name = memory.name();
    this.rank = channel.rank();
    this.peers = new int[channel.size()];
    for (int r = 0; r < peers.length; r++) {
      peers[r] = channel.peer(r);
    }
    SharedMemory shared = races.engine.sharedMemory();
    this.compares = shared != null && shared.reachesAll(channel);
    this.parts = new PartShadows(peers, rank, number, memory.sameOp(), memory.ordered());
    races.opened(number, this);
    if (compares) {
      parts.meet(races.engine, races.stream);
      track(memory);
    }
  }

  private void track(Parts memory) {
    FlatBuffer bytes = memory.own();
    if (bytes.isPresent() && bytes.count() > 0) {
      long first = TrackedMemory.baseOf(bytes.kind(), bytes.owner()) + bytes.offset();
      track(new TrackedMemory.Region(
          TrackedMemory.spaceOf(bytes.owner()), first, first + bytes.count(), 0, this, rank));
    }
    for (int r = 0; memory.parts() != null && r < peers.length; r++) {
      MemorySegment part = memory.parts()[r];
      // Ranks of one process have one view of a part, which its owner tracks.
      if (part != null && part.byteSize() > 0 && (r == rank ? !bytes.isPresent() : parts.isFar(r))) {
        track(new TrackedMemory.Region(
            TrackedMemory.spaceOf(part), Raw.address(part), Raw.address(part) + part.byteSize(), 0, this, r));
      }
    }
  }

  private void track(TrackedMemory.Region region) {
    for (TrackedMemory.Region other : region.target() == rank ? TrackedMemory.overlapping(region)
        : List.<TrackedMemory.Region>of()) {
      WindowRaces window = other.window();
      if (window != this && window.races == races && other.target() == window.rank) {
        parts.shadow(rank).share(window.parts.shadow(window.rank),
            region.first() - region.position() - other.first() + other.position());
      }
    }
    regions.add(region);
    TrackedMemory.add(region);
  }

  boolean isOf(RankRaces others) {
    return races == others;
  }

  private long key(long what) {
    return PartShadows.key(number, what);
  }

  // ---- accesses

  @Override
  public void access(Access access) {
    races.enter();
    races.poll();
    races.throwFound();
    RunSet bytes = new RunSet();
    access.plan().forEachRun(
        access.count(), (at, length) -> bytes.add(access.position() + at, access.position() + at + length));
    SeenAccess.Kind kind = kind(access);
    boolean fetches = access.op() != null && (access.written() != null || access.read() == null);
    String site = site(access);
    SeenAccess seen = new SeenAccess(
        kind, access.swaps() ? null : access.op(), access.unit() == null ? 0 : access.unit().representation(),
        access.unit() == null ? 0 : (int) access.unit().extent(), fetches, races.self, bytes, races.clock.moment(),
        SeenAccess.OPEN, site);
    List<BufferUse> uses = uses(access, site);
    Running started = new Running(seen, access.target(), uses);
    if (compares && !bytes.isEmpty()) {
      try {
        add(access.target(), seen);
      } catch (MpiException e) {
        uses.forEach(BufferUse::end);
        throw e;
      }
      if (access.op() != null) {
        parts.clocks(access.target()).leave(LockClocks.ATOMIC, races.clock.now());
      }
    }
    synchronized (running) {
      running.add(started);
    }
    lastOfThread.set(started);
  }

  private static SeenAccess.Kind kind(Access access) {
    if (access.swaps()) {
      return SeenAccess.Kind.SWAP;
    }
    if (access.op() != null) {
      return SeenAccess.Kind.ACCUMULATE;
    }
    return access.read() != null ? SeenAccess.Kind.PUT : SeenAccess.Kind.GET;
  }

  private static String site(Access access) {
    CallPlace place = CallPlace.ofThisThread();
    String what = access.swaps() ? " of " + access.unit()
        : access.op() == null ? "" : " (" + access.op().mpiName() + " of " + access.unit() + ")";
    return place.call() + what + " at " + (place == CallPlace.NOWHERE ? "an unknown place" : place.line());
  }

  private List<BufferUse> uses(Access access, String site) {
    List<BufferUse> uses = new ArrayList<>();
    String until = "a fence, flush, flushLocal, unlock or complete";
    try {
      use(uses, access.read(), false, site, until);
      use(uses, access.compared(), false, site, until);
      use(uses, access.written(), true, site, until);
    } catch (MpiException e) {
      uses.forEach(BufferUse::end);
      throw e;
    }
    return uses;
  }

  private void use(List<BufferUse> uses, FlatBuffer buffer, boolean writes, String site, String until) {
    BufferUse use = BufferUse.begin(races, buffer, writes, true, null, site, until);
    if (use != null) {
      uses.add(use);
    }
  }

  /** Compares an access with those that are known here, and reports it to the part's owner. */
  private void add(int target, SeenAccess seen) {
    PartShadow.Conflict conflict = settled(parts.shadow(target), parts.shadow(target).add(seen), seen, seen.bytes);
    if (conflict != null) {
      parts.shadow(target).remove(seen);
      throw RaceFindings.add(races.self, ErrorClass.ERR_RMA_CONFLICT, text(conflict, target));
    }
    tell(target, seen);
    prune(target);
  }

  /**
   * Returns a conflict that is still one when all is read that ranks in other processes have told; null when it has
   * ceased to be, or has been reported.
   */
  private PartShadow.Conflict settled(
      PartShadow shadow, PartShadow.Conflict found, SeenAccess access, RunSet bytes) {
    PartShadow.Conflict conflict = found;
    boolean mayChange = shadow == parts.shadow(rank) && parts.hasFar();
    if (conflict != null && conflict.earlier().end == SeenAccess.OPEN && mayChange) {
      races.poll();
      conflict = shadow.check(access, bytes);
    }
    return conflict != null && shadow.report(conflict) ? conflict : null;
  }

  private void tell(int target, SeenAccess seen) {
    if (parts.isFar(target)) {
      races.stream.tell(peers[target], number, out -> {
        out.writeByte(ACCESS);
        seen.write(out);
      });
    }
  }

  private void prune(int target) {
    parts.shadow(target).prune(races.stream.known(peers, races.self, races.clock.now()));
  }

  private String text(PartShadow.Conflict conflict, int target) {
    return RaceText.ofAccesses(
        conflict.earlier(), channel.rankOf(conflict.earlier().peer), conflict.later(),
        channel.rankOf(conflict.later().peer), conflict.first(), conflict.end(), target, name);
  }

  // ---- loads and stores

  /** Notes a load or store of a part. */
  void touched(RankRaces thread, int target, long first, long end, SeenAccess.Kind kind, String site) {
    RankRaces by = thread.sharesProcess() ? thread : races;
    long[] clock = by.clock.now();
    PartShadow shadow = parts.shadow(target);
    RunSet bytes = new RunSet();
    bytes.add(first, end);
    SeenAccess access = shadow.local(kind, by.self, bytes, clock, site);
    if (access == null) {
      return;
    }
    PartShadow.Conflict conflict = settled(shadow, shadow.check(access, bytes), access, bytes);
    if (conflict != null) {
      by.found(ErrorClass.ERR_RMA_CONFLICT, text(conflict, target), true);
    }
    if (parts.isFar(target)) {
      tell(target, SeenAccess.local(kind, by.self, bytes, clock, false, site));
    }
  }

  /** Lets others that access a part with an order learn what a rank has done, at a store, or the rank from them. */
  void ordered(RankRaces thread, int target, boolean stores) {
    RankRaces by = thread.sharesProcess() ? thread : races;
    by.settle();
    if (stores) {
      parts.clocks(target).leave(LockClocks.ATOMIC, by.clock.release());
    } else {
      by.clock.join(parts.clocks(target).read(LockClocks.ATOMIC));
    }
  }

  /** Notes that a call has a buffer in a part. */
  void addUse(BufferUse use, TrackedMemory.Region region) {
    RunSet bytes = new RunSet();
    long[] words = use.bytes.words();
    for (int i = 0; i < words.length; i += 2) {
      long first = Math.max(words[i], region.first());
      bytes.add(first - region.first() + region.position(),
          Math.min(words[i + 1], region.end()) - region.first() + region.position());
    }
    if (!bytes.isEmpty()) {
      SeenAccess access = SeenAccess.local(
          use.writes ? SeenAccess.Kind.STORE : SeenAccess.Kind.LOAD, use.races.self, bytes, use.races.clock.moment(),
          true, use.site.toString());
      use.addAccess(access);
      PartShadow shadow = parts.shadow(region.target());
      PartShadow.Conflict conflict = settled(shadow, shadow.add(access), access, bytes);
      if (conflict != null) {
        throw RaceFindings.add(use.races.self, ErrorClass.ERR_RMA_CONFLICT, text(conflict, region.target()));
      }
    }
  }

  // ---- completion

  @Override
  public void completed(int target, boolean locally) {
    List<Running> ended = new ArrayList<>();
    synchronized (running) {
      running.removeIf(each -> {
        boolean isEnded = target == ALL || each.target == target;
        if (isEnded) {
          ended.add(each);
        }
        return isEnded && !locally;
      });
    }
    end(ended, locally);
  }

  private void end(List<Running> ended, boolean locally) {
    if (ended.isEmpty()) {
      return;
    }
    long moment = races.clock.moment()[races.self];
    RunSet[] starts = new RunSet[peers.length];
    for (Running each : ended) {
      each.uses.forEach(BufferUse::end);
      each.uses.clear();
      SeenAccess access = each.access;
      boolean reads = access.kind == SeenAccess.Kind.GET || access.fetches;
      if (access.end != SeenAccess.OPEN || locally && !reads) {
        continue;
      }
      access.end = moment;
      if (compares && access.fetches) {
        races.clock.join(parts.clocks(each.target).read(LockClocks.ATOMIC));
      }
      if (parts.isFar(each.target)) {
        starts[each.target] = starts[each.target] == null ? new RunSet() : starts[each.target];
        starts[each.target].add(access.start(), access.start() + 1);
      }
    }
    for (int r = 0; r < peers.length; r++) {
      if (starts[r] != null) {
        RunSet of = starts[r];
        races.stream.tell(peers[r], number, out -> {
          out.writeByte(COMPLETE);
          out.writeLong(moment);
          SeenAccess.writeLongs(out, of.words());
        });
      }
    }
  }

  @Override
  public Operation requested(Operation started, Runnable onSeen) {
    Running last = lastOfThread.get();
    return last == null ? started : new ObservedOperation(started, false, () -> {
      end(List.of(last), true);
      onSeen.run();
    });
  }

  // ---- what other ranks tell

  /** Reads an item about this rank's part. */
  void read(int peer, DataInputStream in) throws IOException {
    if (in.readByte() == ACCESS) {
      SeenAccess access = SeenAccess.read(in, peer);
      parts.shadow(rank).addTold(access);
      synchronized (told) {
        told.add(new Told(access));
      }
    } else {
      long moment = in.readLong();
      parts.shadow(rank).complete(peer, moment, new RunSet(SeenAccess.readLongs(in)));
    }
  }

  /** Compares the accesses of which other ranks have told, once all that they have told is read. */
  void compare() {
    List<Told> all;
    synchronized (told) {
      if (told.isEmpty()) {
        return;
      }
      all = List.copyOf(told);
      told.clear();
    }
    PartShadow own = parts.shadow(rank);
    for (Told each : all) {
      PartShadow.Conflict conflict = own.check(each.access, each.access.bytes);
      if (conflict != null && own.report(conflict)) {
        races.found(ErrorClass.ERR_RMA_CONFLICT, text(conflict, rank), false);
      }
    }
    prune(rank);
  }

  // ---- order

  @Override
  public void before(Order order, int[] ranks) {
    races.enter();
    if (order == Order.CLOSE) {
      completed(ALL, false);
    }
    long[] clock = races.clock.release();
    for (int r : ranks == null ? all() : ranks) {
      if (r != rank) {
        races.stream.tell(peers[r], key(order.ordinal()), 0, clock);
      } else if (ranks != null) {
        races.stream.tell(races.self, key(order.ordinal()), 0, clock);
      }
    }
  }

  @Override
  public void after(Order order, int[] ranks) {
    for (int r : ranks == null ? all() : ranks) {
      if (r != rank || ranks != null) {
        races.clock.join(races.stream.await(peers[r], key(order.ordinal()), 0, 0));
      }
    }
    races.poll();
    if (order == Order.CLOSE) {
      parts.shadow(rank).close();
      regions.forEach(TrackedMemory::remove);
      races.closed(number);
      parts.forget();
      races.throwFoundNow();
    }
    races.throwFound();
  }

  private int[] all() {
    int[] all = new int[peers.length];
    for (int r = 0; r < all.length; r++) {
      all[r] = r;
    }
    return all;
  }

  @Override
  public void locked(int target, boolean exclusive) {
    if (compares) {
      races.clock.join(parts.clocks(target).read(LockClocks.EXCLUSIVE));
      if (exclusive) {
        races.clock.join(parts.clocks(target).read(LockClocks.SHARED));
      }
    }
  }

  @Override
  public void unlocking(int target, boolean exclusive) {
    if (compares) {
      parts.clocks(target).leave(exclusive ? LockClocks.EXCLUSIVE : LockClocks.SHARED, races.clock.release());
    }
    races.poll();
    races.throwFound();
  }

  @Override
  public void attached(MemorySegment memory) {
    if (compares) {
      long first = Raw.address(memory);
      track(new TrackedMemory.Region(
          TrackedMemory.spaceOf(memory), first, first + memory.byteSize(), first, this, rank));
    }
  }

  @Override
  public void detached(MemorySegment memory) {
    regions.removeIf(region -> {
      boolean same = region.first() == Raw.address(memory);
      if (same) {
        TrackedMemory.remove(region);
      }
      return same;
    });
  }
}
