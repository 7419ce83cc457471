// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.handle;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.ffmpi.base.Attributes;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Texts;
import org.ffmpi.base.hook.Lifetimes;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.TypeExtent;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.basic.TypeArguments;
import org.ffmpi.datatype.carrier.BasicCarriers;
import org.ffmpi.datatype.carrier.Carrier;
import org.ffmpi.datatype.carrier.LayoutTypes;
import org.ffmpi.datatype.carrier.RecordTypes;
import org.ffmpi.datatype.carrier.SegmentCarrier;
import org.ffmpi.datatype.carrier.TypeLayouts;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.plan.PlanCompiler;
import org.ffmpi.datatype.signature.Signature;
import org.ffmpi.datatype.tree.DerivedTree;
import org.ffmpi.datatype.tree.DupType;
import org.ffmpi.datatype.tree.MemberTypes;
import org.ffmpi.datatype.tree.ReductionUnit;
import org.ffmpi.datatype.tree.ResizedType;
import org.ffmpi.datatype.tree.TreeSignature;
import org.ffmpi.datatype.tree.TypeConstructor;
import org.ffmpi.datatype.tree.TypeDescription;
import org.ffmpi.datatype.tree.TypePrinter;
import org.ffmpi.datatype.tree.TypeTree;
import org.ffmpi.datatype.tree.UnitSearch;

/**
 * The object behind every {@link Datatype}. It is an identity over an immutable tree, with a name, attributes, a plan
 * and the state of its life. Engines, collectives and the API get a type's plan, tree and signature here. Methods of
 * the standard are default methods of the interface, where the profiling agent sees them, and forward to methods of
 * other names here. Any thread may call any method; only attributes are guarded by a lock.
 *
 * @param <T> what one element is in Java
 */
public final class TypeHandle<T> implements Datatype<T> {
  private final TypeTree tree;
  private final Bounds bounds;
  private final boolean predefined;

  private volatile String name;
  private volatile Plan plan;
  private volatile boolean closed;
  private Attributes<Datatype<?>> attributes; // created on first use; guarded by this

  /** Set at once for types of records and layouts, on first use for predefined ones; the same for all threads. */
  private Carrier<T> carrier;

  TypeHandle(TypeTree tree, String name, boolean predefined) {
    this.tree = tree;
    this.bounds = tree.bounds();
    this.name = name;
    this.predefined = predefined;
  }

  /** Creates the object of a predefined type with a name. */
  TypeHandle(Basic basic) {
    this(new TypeTree.Named(basic), basic.mpiName(), true);
  }

  private TypeHandle(TypeTree tree, Carrier<T> carrier) {
    this(tree, "", false);
    this.carrier = carrier;
  }

  // ---- from the interface to the object

  /** Returns the object behind a type. There is no other implementation. */
  public static <T> TypeHandle<T> of(Datatype<T> type) {
    return (TypeHandle<T>) type;
  }

  /**
   * Returns the plan that packs and unpacks the elements of a type.
   *
   * @throws MpiException ERR_TYPE when the type is not committed or was freed
   */
  public static Plan planOf(Datatype<?> type) {
    return ((TypeHandle<?>) type).plan();
  }

  /** Returns the bounds of a type that was not freed. */
  public static Bounds boundsOf(TypeExtent type) {
    TypeHandle<?> handle = (TypeHandle<?>) type;
    handle.requireOpen("type");
    return handle.bounds;
  }

  /** Returns the largest alignment in bytes of the basic types in a type; 1 when any address suits it. */
  public static int alignmentOf(Datatype<?> type) {
    return ((TypeHandle<?>) type).bounds.alignment();
  }

  /** Returns the tree of a component of another type; refuses null and a freed type. */
  public static TypeTree tree(String argument, Datatype<?> type) {
    if (type == null) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, argument, null, "datatypes that are not null");
    }
    TypeHandle<?> handle = (TypeHandle<?>) type;
    handle.requireOpen(argument);
    return handle.tree;
  }

  /** Returns the trees of the components of another type. */
  public static MemberTypes trees(String argument, Datatype<?>[] types) {
    MemberTypes.Builder trees = new MemberTypes.Builder(TypeArguments.present(argument, types).length);
    for (int i = 0; i < types.length; i++) {
      Datatype<?> type = types[i];
      trees.add(
          type instanceof TypeHandle<?> handle && !handle.closed
              ? handle.tree
              // names are made for errors only, since there may be a million types
              : tree(argument + "[" + i + "]", type));
    }
    return trees.build();
  }

  /** Returns a number as the calls of C without {@code _c} do: UNDEFINED when it does not fit in an {@code int}. */
  public static int asInt(long value) {
    return value == (int) value ? (int) value : Constants.UNDEFINED;
  }

  // ---- making types

  /** Creates the type that a call of a constructor makes. */
  public static <T> Datatype<T> derived(TypeConstructor constructor) {
    return new TypeHandle<>(new DerivedTree(constructor), "", false);
  }

  /** Creates a type from a memory layout. */
  public static Datatype<MemorySegment> ofLayout(MemoryLayout layout) {
    TypeTree tree = LayoutTypes.tree(layout);
    return new TypeHandle<>(tree, new SegmentCarrier(layout.byteSize()));
  }

  /** Creates a type from a record class. */
  @SuppressWarnings("unchecked") // the carrier of a record class reads and writes that class
  public static <R extends Record> Datatype<R> ofRecord(Class<R> type) {
    RecordTypes record = RecordTypes.of(type);
    return new TypeHandle<>(record.tree(), (Carrier<R>) record.carrier());
  }

  /** Creates a type with other bounds. */
  public Datatype<T> withBounds(long lowerBound, long extent) {
    TypeHandle<T> resized =
        new TypeHandle<>(new DerivedTree(new ResizedType(lowerBound, extent, tree("type", this))), "", false);
    resized.carrier = carrierOrNull();
    return resized;
  }

  /** Creates a duplicate with the attributes that their keys' copy functions return. */
  public Datatype<T> duplicate() {
    Datatype<T> duplicate = bare();
    Attributes<Datatype<?>> mine = attributesOrNull();
    if (mine != null) {
      mine.copyTo(duplicate.attributes());
    }
    return duplicate;
  }

  /**
   * Creates a duplicate without attributes or a name, for a library that needs the type to stay when its user frees it.
   *
   * @return a duplicate, committed if this type is; it need not be freed
   * @throws MpiException ERR_TYPE when this type was freed
   */
  public Datatype<T> bare() {
    TypeHandle<T> duplicate = new TypeHandle<>(new DerivedTree(new DupType(tree("type", this))), "", false);
    duplicate.plan = isCommitted() ? plan() : null;
    duplicate.carrier = carrierOrNull();
    return duplicate;
  }

  // ---- name and attributes

  /** Returns the name, empty when there is none. */
  public String currentName() {
    return name;
  }

  /** Gives the type a name. */
  public void rename(String name) {
    requireOwn();
    this.name = Texts.objectName(name);
  }

  @Override
  public synchronized Attributes<Datatype<?>> attributes() {
    requireOwn();
    if (attributes == null) {
      attributes = new Attributes<>(this);
    }
    return attributes;
  }

  private synchronized Attributes<Datatype<?>> attributesOrNull() {
    return attributes;
  }

  // ---- life

  @Override
  public boolean isCommitted() {
    return predefined || plan != null;
  }

  /** Compiles the type; returns this. */
  public Datatype<T> committed() {
    requireOpen("type");
    if (Lifetimes.kept && !isCommitted()) {
      Lifetimes.made(this, "datatype");
    }
    compile();
    return this;
  }

  /** Deletes the attributes and closes the type; does nothing when it has been closed. */
  public void free() {
    requireNotPredefined();
    if (closed) {
      return;
    }
    Attributes<Datatype<?>> mine = attributesOrNull();
    if (mine != null) {
      mine.deleteAll();
    }
    closed = true;
    if (Lifetimes.kept) {
      Lifetimes.freed(this);
    }
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public boolean isPredefined() {
    return predefined;
  }

  /** Refuses a freed type. */
  private void requireOpen(String argument) {
    if (closed) {
      throw new MpiException(ErrorClass.ERR_TYPE, argument + ": datatype " + this + " was freed");
    }
  }

  private void requireNotPredefined() {
    if (predefined) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "type", this, "types that are not predefined");
    }
  }

  /** Refuses a freed type, and a predefined one, which all worlds share. */
  private void requireOwn() {
    requireOpen("type");
    requireNotPredefined();
  }

  // ---- tree, plan and signature

  /** Returns the immutable tree of constructors. */
  public TypeTree tree() {
    return tree;
  }

  /**
   * Returns the plan that packs and unpacks the type's elements.
   *
   * @throws MpiException ERR_TYPE when the type is not committed or was freed
   */
  public Plan plan() {
    requireOpen("type");
    Plan compiled = plan;
    if (compiled != null) {
      return compiled;
    }
    if (!predefined) {
      throw new MpiException(ErrorClass.ERR_TYPE, "datatype " + this + " is not committed: call commit() first");
    }
    return compile(); // most programs use few predefined types: each is compiled on first use
  }

  /**
   * Compiles with no lock held. Otherwise a virtual thread that waits for the compiler's own lock could stay without a
   * carrier for ever, while others wait for this type in a class initializer and keep their carriers. To compile twice
   * does no harm.
   */
  private Plan compile() {
    if (plan == null) {
      Plan compiled = PlanCompiler.compile(tree.shape(), bounds.extent()).withSignature(new TreeSignature(tree));
      synchronized (this) {
        if (plan == null) {
          plan = compiled;
        }
      }
    }
    return plan;
  }

  /**
   * Returns the basic types of an element, without their places (MPI-4.1 §5.1).
   *
   * @throws MpiException ERR_TYPE when the type was freed
   */
  public Signature signature() {
    requireOpen("type");
    return tree.signature();
  }

  /**
   * Returns the one predefined type of all of this type's data, on which predefined operations work.
   *
   * @return empty for types that mix several, and for those without data
   * @throws MpiException ERR_TYPE when the type was freed
   */
  public Optional<ReductionUnit> reductionUnit() {
    requireOpen("type");
    return Optional.ofNullable(UnitSearch.only(tree));
  }

  // ---- elements

  @Override
  public Optional<Class<?>> arrayClass() {
    return tree instanceof TypeTree.Named(Basic named)
        ? named.element().arrayClass()
        : tree.signature().basic().flatMap(basic -> basic.element().arrayClass());
  }

  @Override
  public boolean acceptsArray(Class<?> arrayClass) {
    return arrayClass != null && tree.acceptsArray(arrayClass);
  }

  @Override
  public boolean hasJavaForm() {
    return carrierOrNull() != null;
  }

  @Override
  public T get(MemorySegment segment, long index) {
    return ElementAccess.get(carrier(), bounds, segment, index);
  }

  @Override
  public void set(MemorySegment segment, long index, T value) {
    ElementAccess.set(carrier(), bounds, segment, index, value);
  }

  /** Returns the carrier of elements, or null when they have no form in Java. */
  @SuppressWarnings("unchecked") // a predefined type's element and the constant's T agree
  private Carrier<T> carrierOrNull() {
    Carrier<T> known = carrier;
    if (known == null && predefined && UnitSearch.only(tree) instanceof ReductionUnit.Single(Basic basic)) {
      known = (Carrier<T>) BasicCarriers.of(basic.element());
      carrier = known;
    }
    return known;
  }

  /**
   * Returns the carrier of elements.
   *
   * @return the carrier, which still works after the type is freed
   * @throws MpiException ERR_TYPE when elements have no form in Java or the type was freed
   */
  public Carrier<T> carrier() {
    requireOpen("type");
    Carrier<T> known = carrierOrNull();
    if (known == null) {
      throw new MpiException(ErrorClass.ERR_TYPE, "datatype " + this + ": an element has no form in Java; types of one"
          + " primitive value, of records and of layouts have one");
    }
    return known;
  }

  @Override
  public Optional<MemoryLayout> layout() {
    requireOpen("type");
    return TypeLayouts.of(tree);
  }

  @Override
  public long count(long bytes) {
    TypeArguments.notNegative("bytes", bytes);
    requireOpen("type");
    long size = bounds.size();
    if (size == 0) {
      return bytes == 0 ? 0 : Constants.UNDEFINED;
    }
    return bytes % size == 0 ? bytes / size : Constants.UNDEFINED;
  }

  @Override
  public long elements(long bytes) {
    TypeArguments.notNegative("bytes", bytes);
    return signature().elementsIn(bytes);
  }

  @Override
  public long bytesOf(long elements) {
    return signature().bytesIn(elements);
  }

  // ---- for people

  @Override
  public String describe() {
    requireOpen("type");
    return TypeDescription.of(tree);
  }

  @Override
  public String describePlan() {
    return plan().toString();
  }

  @Override
  public String describeSignature() {
    return signature().toString();
  }

  @Override
  public String toString() {
    return name.isEmpty() ? TypePrinter.shortForm(tree) : name;
  }
}
