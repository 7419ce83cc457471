// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool.bean;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Measure;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.RankMeasures;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Gauge;

/**
 * The measures of one rank as an MBean, {@code org.ffmpi:type=Rank,rank=N}. Attributes count from the begin of the
 * rank. They stay after the rank has left, until another rank of the same number begins in this process. Called by
 * threads of JMX clients; never waits.
 */
final class RankBean implements DynamicMBean {
  /** The beans that are registered, by rank. */
  private static final Map<Integer, RankBean> BEANS = new ConcurrentHashMap<>();

  private final Engine engine;
  private final ObjectName name;
  private final Map<String, Measure> measures = new LinkedHashMap<>();
  private final Map<Measure, Gauge> observed = new EnumMap<>(Measure.class);

  /** The gauge of regions; null before the first collective call. */
  private volatile Gauge regions;

  private RankBean(Engine engine, ObjectName name) {
    this.engine = engine;
    this.name = name;
    for (Measure measure : Measure.values()) {
      boolean isLate = measure == Measure.REGIONS;
      Gauge gauge = isLate || measure.isOfCommunicator()
          ? null
          : RankMeasures.gauge(measure, engine, () -> null, null);
      if (isLate || gauge != null) {
        measures.put(attribute(measure), measure);
      }
      if (gauge != null) {
        observed.put(measure, gauge.observe());
      }
    }
  }

  /** Registers the bean of a rank, in place of one of an earlier rank with this number. */
  static void register(Engine engine) {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      RankBean bean = new RankBean(engine, new ObjectName("org.ffmpi:type=Rank,rank=" + engine.self()));
      synchronized (BEANS) {
        RankBean earlier = BEANS.put(engine.self(), bean);
        if (earlier != null && server.isRegistered(bean.name)) {
          server.unregisterMBean(bean.name);
          earlier.observed.values().forEach(Gauge::release);
        }
        server.registerMBean(bean, bean.name);
      }
    } catch (JMException e) {
      throw new MpiException(ErrorClass.ERR_INTERN, "the MBean of rank " + engine.self() + " was refused: " + e, e);
    }
  }

  /** Adds what the collectives of a rank keep. */
  static void setCollectives(Engine engine, Collectives collectives) {
    RankBean bean = BEANS.get(engine.self());
    if (bean != null && bean.engine.incidents() == engine.incidents()) {
      bean.regions = collectives.gauge(Measure.REGIONS, engine, null);
    }
  }

  /** Returns the name of an attribute, such as SentEagerBytes for ffmpi.sent.eager.bytes. */
  static String attribute(Measure measure) {
    StringBuilder text = new StringBuilder();
    for (String word : measure.title().substring("ffmpi.".length()).split("\\.")) {
      text.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
    }
    return text.toString();
  }

  private Object value(Measure measure) {
    Gauge gauge = measure == Measure.REGIONS ? regions : observed.get(measure);
    if (gauge == null) {
      return 0L;
    }
    if (measure.isVector()) {
      long[] values = new long[gauge.length()];
      Arrays.setAll(values, gauge::read);
      return values;
    }
    long value = gauge.read(0);
    return measure.states().isEmpty() ? (Object) value : measure.states().get((int) value);
  }

  @Override
  public Object getAttribute(String attribute) throws AttributeNotFoundException {
    Measure measure = measures.get(attribute);
    if (measure == null) {
      throw new AttributeNotFoundException(attribute + ": allowed are " + measures.keySet());
    }
    return value(measure);
  }

  @Override
  public AttributeList getAttributes(String[] attributes) {
    AttributeList all = new AttributeList();
    for (String one : attributes) {
      Measure measure = measures.get(one);
      if (measure != null) {
        all.add(new Attribute(one, value(measure)));
      }
    }
    return all;
  }

  @Override
  public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException(attribute.getName() + " can only be read");
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return new AttributeList();
  }

  @Override
  public Object invoke(String action, Object[] arguments, String[] signature) throws ReflectionException {
    throw new ReflectionException(new NoSuchMethodException(action));
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    MBeanAttributeInfo[] all = measures.entrySet().stream()
        .map(one -> new MBeanAttributeInfo(
            one.getKey(), type(one.getValue()), one.getValue().description(), true, false, false))
        .toArray(MBeanAttributeInfo[]::new);
    return new MBeanInfo(
        RankBean.class.getName(), "what rank " + engine.self() + " does, counted from its begin", all, null, null,
        null);
  }

  private static String type(Measure measure) {
    return (measure.isVector() ? long[].class : measure.states().isEmpty() ? long.class : String.class).getName();
  }
}
