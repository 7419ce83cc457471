// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.plan.StreamSignature;
import org.ffmpi.shm.segment.JobSegment;

/**
 * The descriptions of datatypes in the segment. Records of this rank's plans and signatures are written when they are
 * first needed; those of peers are read when they first occur. A message names a record by its offset.
 *
 * <p>Records are never changed or released, so that an offset keeps its meaning as long as the job lasts. Their sum
 * is limited; data of a plan without a record is packed instead. A peer's record is copied once and then checked.
 */
public final class TypeRecords {
  /** Longest plan that is worth reading for a peer; a hundred thousand irregular blocks are below it. */
  private static final long LARGEST_PLAN = 4 << 20;

  /** Most bytes of all records of a rank. */
  private static final long LARGEST_SUM = 32 << 20;

  private static final int LONGEST_TEXT = 1000;
  private static final long SLAB_BYTES = 1 << 16;
  private static final long NONE = 0;

  private final JobSegment segment;
  private final Map<Object, Long> plans = new WeakHashMap<>();
  private final Map<Object, Long> signatures = new WeakHashMap<>();
  private long slabNext;
  private long slabEnd;
  private long claimed;

  /**
   * Plans by the record's offset; used with the rank's lock held. The compiler's cache keeps plans in use; a record
   * whose plan has been collected is read again.
   */
  private final Map<Long, WeakReference<Plan>> peersPlans = new HashMap<>();

  /**
   * Creates the records of one rank.
   *
   * @param segment the job's segment
   */
  public TypeRecords(JobSegment segment) {
    this.segment = segment;
  }

  // ---------------------------------------------------------------- own types

  /**
   * Returns the record of a plan. Any thread.
   *
   * @param plan the plan
   * @return the record's offset; 0 when it has no room
   */
  public synchronized long of(Plan plan) {
    Long known = plans.get(plan.core());
    if (known != null) {
      return known;
    }
    long bytes = plan.flattenedBytes();
    long record = bytes > LARGEST_PLAN ? NONE : claim(TypeRecordLayout.BODY_OFFSET + bytes);
    if (record != NONE) {
      plan.flatten(record + TypeRecordLayout.BODY_OFFSET);
      TypeRecordLayout.setPlainLengths(record, bytes, 0);
    }
    return remember(plans, plan.core(), record);
  }

  /**
   * Returns the record that names the types of a signature. Any thread.
   *
   * @param signature the signature
   * @param size bytes of one element
   * @return the record's offset; 0 when it has no room
   */
  public synchronized long of(StreamSignature signature, long size) {
    Long known = signatures.get(signature);
    if (known != null) {
      return known;
    }
    String text = signature.text(size);
    byte[] words = (text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) + " ..." : text)
        .getBytes(StandardCharsets.UTF_8);
    long record = claim(TypeRecordLayout.BODY_OFFSET + words.length);
    if (record != NONE) {
      MemorySegment.copy(
          words, 0, Raw.EVERYTHING, ValueLayout.JAVA_BYTE, record + TypeRecordLayout.BODY_OFFSET, words.length);
      TypeRecordLayout.setPlainLengths(record, 0, words.length);
    }
    return remember(signatures, signature, record);
  }

  private long remember(Map<Object, Long> records, Object key, long record) {
    long offset = record == NONE ? NONE : record - segment.base();
    records.put(key, offset);
    return offset;
  }

  private long claim(long bytes) {
    long rounded = (bytes + 63) & -64;
    if (rounded > LARGEST_SUM - claimed) {
      return NONE;
    }
    try {
      if (rounded > slabEnd - slabNext) {
        long slab = Math.max(SLAB_BYTES, rounded);
        slabNext = segment.claim(slab);
        slabEnd = slabNext + slab;
      }
    } catch (MpiException e) {
      return NONE; // the segment is full: other protocols need no record
    }
    long record = slabNext;
    slabNext += rounded;
    claimed += rounded;
    return record;
  }

  // ---------------------------------------------------------------- peers' types

  /**
   * Returns the plan that a peer's record describes. Called with the rank's lock held.
   *
   * @param offset the record's offset, from the peer
   * @return the plan
   * @throws MpiException ERR_INTERN for an impossible record
   */
  public Plan plan(long offset) {
    WeakReference<Plan> known = peersPlans.get(offset);
    Plan plan = known == null ? null : known.get();
    if (plan == null) {
      long record = segment.address(offset, TypeRecordLayout.BODY_OFFSET);
      long bytes = TypeRecordLayout.getPlainPlan(record);
      if (bytes <= 0 || bytes > LARGEST_PLAN) {
        throw new MpiException(ErrorClass.ERR_INTERN, "a datatype's record at " + offset + " has " + bytes + " bytes");
      }
      segment.address(offset, TypeRecordLayout.BODY_OFFSET + bytes);
      // Copied before it is checked: a peer cannot change it after the check.
      try (Arena arena = Arena.ofConfined()) {
        long copy = Raw.address(arena.allocate(bytes, Long.BYTES));
        Raw.copy(record + TypeRecordLayout.BODY_OFFSET, copy, bytes);
        plan = Plan.unflatten(copy, bytes);
      }
      peersPlans.put(offset, new WeakReference<>(plan));
    }
    return plan;
  }

  /**
   * Returns the names in a peer's record of a signature.
   *
   * @param offset the record's offset, from the peer
   * @return the names of the basic types
   * @throws MpiException ERR_INTERN for an impossible record
   */
  public String text(long offset) {
    if (offset == NONE) {
      return "an unknown signature";
    }
    long record = segment.address(offset, TypeRecordLayout.BODY_OFFSET);
    long bytes = TypeRecordLayout.getPlainText(record);
    if (bytes < 0 || bytes > 4L * LONGEST_TEXT + 16) {
      throw new MpiException(ErrorClass.ERR_INTERN, "a signature's record at " + offset + " has " + bytes + " bytes");
    }
    segment.address(offset, TypeRecordLayout.BODY_OFFSET + bytes);
    byte[] words = new byte[(int) bytes];
    MemorySegment.copy(
        Raw.EVERYTHING, ValueLayout.JAVA_BYTE, record + TypeRecordLayout.BODY_OFFSET, words, 0, words.length);
    return new String(words, StandardCharsets.UTF_8);
  }
}
