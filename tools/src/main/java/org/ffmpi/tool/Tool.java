// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.ffmpi.ThreadLevel;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Incident;
import org.ffmpi.base.Measure;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Standard;

/**
 * The tools interface (MPI-4.1 section 15.3), with control variables, which are the settings, performance variables,
 * events and categories of both. It may be used before {@code Mpi.init} and after MPI was closed. A tool looks at the
 * rank of the thread that has made it, which is that of the process, or in a {@link org.ffmpi.ThreadWorld} that of the
 * rank thread.
 *
 * {@snippet :
 * try (Tool tool = Tool.init(ThreadLevel.MULTIPLE)) {
 *   for (ControlVariable variable : tool.controlVariables()) {
 *     System.out.println(variable.name() + " = " + variable.allocate().readText());
 *   }
 * }
 * }
 *
 * <p>Any number of tools may be open; they know nothing of one another. Errors are {@link ToolException}s, which no
 * error handler sees. Any thread may call, at any time; no call blocks.
 */
public final class Tool implements AutoCloseable {
  private static final List<PerformanceVariable> MEASURES =
      Stream.of(Measure.values()).map(PerformanceVariable::new).toList();

  private static final List<EventSource> SOURCES = Stream.of(Incident.Source.values()).map(EventSource::new).toList();

  private final ToolState state = new ToolState();
  private final List<EventType> events = Stream.of(Incident.values()).map(one -> new EventType(state, one)).toList();

  /** Grows when classes with settings are loaded; guarded by this. Indices stay as they are. */
  private final List<ControlVariable> controls = new ArrayList<>();

  private Tool() {}

  /**
   * Opens the interface ({@code MPI_T_init_thread}, MPI-4.1 section 15.3.4). Each call opens it for itself.
   *
   * @param required the thread level that the tool needs
   * @return the tool; its {@link #threadLevel} is always MULTIPLE
   * @throws ToolException T_ERR_INVALID for null
   */
  @Standard("MPI_T_init_thread")
  public static Tool init(ThreadLevel required) {
    if (required == null) {
      throw ToolException.of(ErrorClass.T_ERR_INVALID, "required", null, "the levels of ThreadLevel");
    }
    return new Tool();
  }

  /**
   * Returns the thread level that is provided ({@code MPI_T_init_thread}, MPI-4.1 section 15.3.4).
   *
   * @return MULTIPLE, independent of that of the program
   */
  @Standard("MPI_T_init_thread")
  public ThreadLevel threadLevel() {
    return ThreadLevel.MULTIPLE;
  }

  /**
   * Closes the interface ({@code MPI_T_finalize}, MPI-4.1 section 15.3.4). Sessions, handles and registrations of this
   * tool cannot be used any more. Does nothing the second time.
   */
  @Override
  @Standard("MPI_T_finalize")
  public void close() {
    state.close();
  }

  // ---- control variables

  /**
   * Lists the control variables ({@code MPI_T_cvar_get_num} and {@code MPI_T_cvar_get_info}, MPI-4.1 section 15.3.6).
   *
   * @return the variables in the order of their indices; later lists may be longer
   * @throws ToolException T_ERR_NOT_INITIALIZED after {@link #close}
   */
  @Standard({"MPI_T_cvar_get_num", "MPI_T_cvar_get_info"})
  public synchronized List<ControlVariable> controlVariables() {
    state.check();
    for (Setting<?> setting : Setting.all()) {
      if (controls.stream().noneMatch(known -> known.setting() == setting)) {
        controls.add(new ControlVariable(state, controls.size(), setting));
      }
    }
    return List.copyOf(controls);
  }

  /**
   * Returns a control variable by its index ({@code MPI_T_cvar_get_info}, MPI-4.1 section 15.3.6).
   *
   * @param index from 0 to the number of variables - 1
   * @return the variable
   * @throws ToolException T_ERR_INVALID_INDEX for any other index, T_ERR_NOT_INITIALIZED after {@link #close}
   */
  @Standard("MPI_T_cvar_get_info")
  public ControlVariable controlVariable(int index) {
    return at(controlVariables(), index);
  }

  /**
   * Returns a control variable by its name ({@code MPI_T_cvar_get_index}, MPI-4.1 section 15.3.6).
   *
   * @param name name of a setting, such as {@code ffmpi.spin}
   * @return the variable
   * @throws ToolException T_ERR_INVALID_NAME for any other name, T_ERR_NOT_INITIALIZED after {@link #close}
   */
  @Standard("MPI_T_cvar_get_index")
  public ControlVariable controlVariable(String name) {
    return named(controlVariables(), one -> one.name().equals(name), name, "controlVariables()");
  }

  // ---- performance variables

  /**
   * Lists the performance variables ({@code MPI_T_pvar_get_num} and {@code MPI_T_pvar_get_info}, MPI-4.1 section
   * 15.3.7).
   *
   * @return the variables in the order of their indices
   * @throws ToolException T_ERR_NOT_INITIALIZED after {@link #close}
   */
  @Standard({"MPI_T_pvar_get_num", "MPI_T_pvar_get_info"})
  public List<PerformanceVariable> performanceVariables() {
    state.check();
    return MEASURES;
  }

  /**
   * Returns a performance variable by its index ({@code MPI_T_pvar_get_info}, MPI-4.1 section 15.3.7).
   *
   * @param index from 0 to the number of variables - 1
   * @return the variable
   * @throws ToolException T_ERR_INVALID_INDEX for any other index, T_ERR_NOT_INITIALIZED after {@link #close}
   */
  @Standard("MPI_T_pvar_get_info")
  public PerformanceVariable performanceVariable(int index) {
    return at(performanceVariables(), index);
  }

  /**
   * Returns a performance variable by its name and class ({@code MPI_T_pvar_get_index}, MPI-4.1 section 15.3.7).
   *
   * @param name its name, such as {@code ffmpi.sent.messages}
   * @param kind its class
   * @return the variable
   * @throws ToolException T_ERR_INVALID_NAME for any other name, T_ERR_NOT_INITIALIZED after {@link #close}
   */
  @Standard("MPI_T_pvar_get_index")
  public PerformanceVariable performanceVariable(String name, Measure.Kind kind) {
    return named(
        performanceVariables(), one -> one.name().equals(name) && one.kind() == kind, name + " (" + kind + ")",
        "performanceVariables()");
  }

  /**
   * Returns the performance variable of a measure.
   *
   * @param measure the measure
   * @return its variable
   * @throws ToolException T_ERR_INVALID_NAME for null, T_ERR_NOT_INITIALIZED after {@link #close}
   */
  public PerformanceVariable performanceVariable(Measure measure) {
    return named(performanceVariables(), one -> one.measure() == measure, measure, "performanceVariables()");
  }

  /**
   * Opens a session of performance variables ({@code MPI_T_pvar_session_create}, MPI-4.1 section 15.3.7).
   *
   * @return the session
   * @throws ToolException T_ERR_NOT_INITIALIZED after {@link #close}
   */
  @Standard("MPI_T_pvar_session_create")
  public ToolSession openSession() {
    state.check();
    return new ToolSession(state);
  }

  // ---- events

  /**
   * Lists the sources of events ({@code MPI_T_source_get_num} and {@code MPI_T_source_get_info}, MPI-4.1 section
   * 15.3.8).
   *
   * @return the sources in the order of their indices
   * @throws ToolException T_ERR_NOT_INITIALIZED after {@link #close}
   */
  @Standard({"MPI_T_source_get_num", "MPI_T_source_get_info"})
  public List<EventSource> sources() {
    state.check();
    return SOURCES;
  }

  /**
   * Returns a source of events by its index ({@code MPI_T_source_get_info}, MPI-4.1 section 15.3.8).
   *
   * @param index from 0 to the number of sources - 1
   * @return the source
   * @throws ToolException T_ERR_INVALID_INDEX for any other index, T_ERR_NOT_INITIALIZED after {@link #close}
   */
  @Standard("MPI_T_source_get_info")
  public EventSource source(int index) {
    return at(sources(), index);
  }

  /**
   * Lists the types of events ({@code MPI_T_event_get_num} and {@code MPI_T_event_get_info}, MPI-4.1 section 15.3.8).
   *
   * @return the types in the order of their indices
   * @throws ToolException T_ERR_NOT_INITIALIZED after {@link #close}
   */
  @Standard({"MPI_T_event_get_num", "MPI_T_event_get_info"})
  public List<EventType> eventTypes() {
    state.check();
    return events;
  }

  /**
   * Returns a type of events by its index ({@code MPI_T_event_get_info}, MPI-4.1 section 15.3.8).
   *
   * @param index from 0 to the number of types - 1
   * @return the type
   * @throws ToolException T_ERR_INVALID_INDEX for any other index, T_ERR_NOT_INITIALIZED after {@link #close}
   */
  @Standard("MPI_T_event_get_info")
  public EventType eventType(int index) {
    return at(eventTypes(), index);
  }

  /**
   * Returns a type of events by its name ({@code MPI_T_event_get_index}, MPI-4.1 section 15.3.8).
   *
   * @param name its name, such as {@code ffmpi.ring.full}
   * @return the type
   * @throws ToolException T_ERR_INVALID_NAME for any other name, T_ERR_NOT_INITIALIZED after {@link #close}
   */
  @Standard("MPI_T_event_get_index")
  public EventType eventType(String name) {
    return named(eventTypes(), one -> one.name().equals(name), name, "eventTypes()");
  }

  // ---- categories

  /**
   * Lists the categories ({@code MPI_T_category_get_num} and {@code MPI_T_category_get_info}, MPI-4.1 section 15.3.9):
   * one for each topic, {@code ffmpi.settings} with one for each scope of settings, and {@code ffmpi}, which has them
   * all.
   *
   * @return the categories in the order of their indices
   * @throws ToolException T_ERR_NOT_INITIALIZED after {@link #close}
   */
  @Standard({"MPI_T_category_get_num", "MPI_T_category_get_info"})
  public List<ToolCategory> categories() {
    List<ControlVariable> settings = controlVariables();
    List<ToolCategory> all = new ArrayList<>();
    for (Measure.Topic topic : Measure.Topic.values()) {
      all.add(new ToolCategory(
          all.size(), "ffmpi." + lower(topic), topic.description(), List.of(),
          MEASURES.stream().filter(one -> one.measure().topic() == topic).toList(),
          events.stream().filter(one -> one.incident().topic() == topic).toList(), List.of()));
    }
    List<ToolCategory> ofAll = new ArrayList<>(all);
    List<ToolCategory> scopes = new ArrayList<>();
    for (Setting.Scope scope : Setting.Scope.values()) {
      ToolCategory made = new ToolCategory(
          all.size(), "ffmpi.settings." + lower(scope), "settings of the scope " + lower(scope),
          settings.stream().filter(one -> one.setting().scope() == scope).toList(), List.of(), List.of(), List.of());
      all.add(made);
      scopes.add(made);
    }
    ToolCategory whole =
        new ToolCategory(all.size(), "ffmpi.settings", "all settings", List.of(), List.of(), List.of(), scopes);
    all.add(whole);
    ofAll.add(whole);
    all.add(new ToolCategory(
        all.size(), "ffmpi", "all variables and events", List.of(), List.of(), List.of(), List.copyOf(ofAll)));
    return List.copyOf(all);
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns a category by its index ({@code MPI_T_category_get_info}, MPI-4.1 section 15.3.9).
   *
   * @param index from 0 to the number of categories - 1
   * @return the category
   * @throws ToolException T_ERR_INVALID_INDEX for any other index, T_ERR_NOT_INITIALIZED after {@link #close}
   */
  @Standard("MPI_T_category_get_info")
  public ToolCategory category(int index) {
    return at(categories(), index);
  }

  /**
   * Returns a category by its name ({@code MPI_T_category_get_index}, MPI-4.1 section 15.3.9).
   *
   * @param name its name, such as {@code ffmpi.messages}
   * @return the category
   * @throws ToolException T_ERR_INVALID_NAME for any other name, T_ERR_NOT_INITIALIZED after {@link #close}
   */
  @Standard("MPI_T_category_get_index")
  public ToolCategory category(String name) {
    return named(categories(), one -> one.name().equals(name), name, "categories()");
  }

  /**
   * Returns a number that grows when a category changes ({@code MPI_T_category_changed}, MPI-4.1 section 15.3.9), as
   * when a program makes a setting of its own.
   *
   * @return the stamp: two equal ones mean that nothing has changed between
   * @throws ToolException T_ERR_NOT_INITIALIZED after {@link #close}
   */
  @Standard("MPI_T_category_changed")
  public int categoriesChanged() {
    return controlVariables().size();
  }

  // ---- look-up

  private static <T> T at(List<T> all, int index) {
    if (index < 0 || index >= all.size()) {
      throw ToolException.of(ErrorClass.T_ERR_INVALID_INDEX, "index", index, "0.." + (all.size() - 1));
    }
    return all.get(index);
  }

  private static <T> T named(List<T> all, Predicate<T> which, Object name, String list) {
    return all.stream().filter(which).findFirst().orElseThrow(
        () -> ToolException.of(ErrorClass.T_ERR_INVALID_NAME, "name", name, "those in " + list));
  }
}
