// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.collectives.execute.ScratchPool;
import org.ffmpi.collectives.region.StubEngine;
import org.junit.jupiter.api.Test;

/** The pool of scratch memory and the table of what belongs to a communicator. */
class MemoryReuseTest {
  private static final class HeapEngine extends StubEngine {
    int shared;
    boolean full;

    HeapEngine() {
      super(0, 1, Settings.of(Map.of()));
    }

    @Override
    public MemorySegment allocateShared(long bytes, long alignment, Arena arena) {
      if (full) {
        throw new MpiException(ErrorClass.ERR_NO_MEM, "full");
      }
      shared++;
      return Arena.ofAuto().allocate(bytes, alignment);
    }
  }

  @Test
  void aSlabThatComesBackIsTheNextOneTaken() {
    HeapEngine engine = new HeapEngine();
    ScratchPool pool = new ScratchPool(true, 1 << 20);
    ScratchPool.Slab slab = pool.acquire(engine, 1000);
    assertEquals(1024, slab.bytes);
    ScratchPool.Slab other = pool.acquire(engine, 1024);
    assertNotSame(slab, other);
    pool.release(slab);
    assertSame(slab, pool.acquire(engine, 1));
    assertEquals(0, engine.shared, "short messages need no shared memory");
  }

  @Test
  void largeSlabsAreSharedUntilThereIsNoRoom() {
    HeapEngine engine = new HeapEngine();
    ScratchPool pool = new ScratchPool(true, 1 << 20);
    pool.acquire(engine, 100_000);
    assertEquals(1, engine.shared);
    engine.full = true;
    assertEquals(1 << 17, pool.acquire(engine, 100_000).bytes);
    pool.acquire(new HeapEngine(), 100_000);
    new ScratchPool(false, 0).acquire(engine, 100_000);
    assertEquals(1, engine.shared);
  }

  @Test
  void whatIsKeptIsBounded() {
    HeapEngine engine = new HeapEngine();
    ScratchPool pool = new ScratchPool(false, 4096);
    ScratchPool.Slab first = pool.acquire(engine, 4096);
    ScratchPool.Slab second = pool.acquire(engine, 4096);
    pool.release(first);
    pool.release(second);
    assertSame(first, pool.acquire(engine, 4096));
    assertNotSame(second, pool.acquire(engine, 4096));
  }

  private static final class Table extends WeakTable<Object, Integer> {
    int made;

    @Override
    Integer make(Object key) {
      return made++;
    }
  }

  @Test
  void theTableFindsByIdentity() {
    Table table = new Table();
    List<Object> keys = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      keys.add(new String("equal"));
      assertEquals(i, table.of(keys.get(i)));
    }
    for (int i = 0; i < 1000; i++) {
      assertEquals(i, table.of(keys.get(i)));
    }
    assertEquals(1000, table.made);
  }

  @Test
  void theTableKeepsNoKeyAlive() throws InterruptedException {
    Table table = new Table();
    WeakReference<Object> key = new WeakReference<>(new Object());
    table.of(key.get() == null ? new Object() : key.get());
    for (int i = 0; i < 100 && !key.refersTo(null); i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertTrue(key.refersTo(null));
    assertEquals(1, table.of(new Object()));
  }
}
