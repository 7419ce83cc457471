// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.tool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Collectors;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.ffmpi.Comm;
import org.ffmpi.base.Measure;
import org.ffmpi.testkit.MpiTest;

/** The MBean of each rank, which is made from the same definitions as the performance variables. */
class RankBeanTest {
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  /** Brings the ranks, which are threads, together without a message. */
  private final CyclicBarrier together = new CyclicBarrier(2);

  private Object read(ObjectName name, String attribute) throws JMException {
    return server.getAttribute(name, attribute);
  }

  @MpiTest(ranks = 2, settings = {"ffmpi.jmx=9010", "ffmpi.coll.region.after=1"})
  void attributesAreTheMeasuresOfTheRank(Comm world) throws Exception {
    int rank = world.rank();
    ObjectName name = new ObjectName("org.ffmpi:type=Rank,rank=" + rank);
    world.sendrecv(new int[4], 1 - rank, 1, new int[4], 1 - rank, 1);
    assertEquals(1L, read(name, "SentEager"));
    assertEquals(16L, read(name, "SentBytes"));
    assertEquals(1L, read(name, "ReceivedMessages"));
    long[] to = new long[2];
    to[1 - rank] = 16;
    assertArrayEquals(to, (long[]) read(name, "SentBytesTo"));
    assertEquals("active", read(name, "RankState"));
    assertTrue((Long) read(name, "QueueUnexpectedPeak") <= 1);
    assertEquals(0L, read(name, "RegionUsed"));
    together.await();
    world.barrier();
    assertEquals(1L, read(name, "RegionUsed"));
    MBeanInfo info = server.getMBeanInfo(name);
    Set<String> described =
        Arrays.stream(info.getAttributes()).map(MBeanAttributeInfo::getDescription).collect(Collectors.toSet());
    for (Measure measure : Measure.values()) {
      assertEquals(!measure.isOfCommunicator(), described.contains(measure.description()), measure.title());
    }
    for (MBeanAttributeInfo one : info.getAttributes()) {
      assertTrue(one.isReadable() && !one.isWritable(), one.getName());
      Object value = read(name, one.getName());
      assertEquals(one.getType(), value.getClass().getName().replace("java.lang.Long", "long"), one.getName());
    }
    assertEquals(2, server.getAttributes(name, new String[] {"SentBytes", "Weather", "WaitTime"}).size());
    assertThrows(AttributeNotFoundException.class, () -> read(name, "Weather"));
    assertThrows(AttributeNotFoundException.class, () -> server.setAttribute(name, new Attribute("SentBytes", 1L)));
  }

  @MpiTest(ranks = 7)
  void thereIsNoBeanWithoutTheSetting(Comm world) throws JMException {
    assertFalse(server.isRegistered(new ObjectName("org.ffmpi:type=Rank,rank=6")));
  }
}
