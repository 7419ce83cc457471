// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.base.raw.Raw;

/**
 * The installed MPI that this process has loaded. There is one, since a process takes part in MPI once; it stays loaded
 * until the process ends.
 */
public final class MpiLibrary {
  /** Room for the text of any library: the largest {@code MPI_MAX_LIBRARY_VERSION_STRING} of the three ABIs. */
  private static final long VERSION_BYTES = 8192;

  private static MpiLibrary loaded;

  private final String name;
  private final long handle;
  private final MpiAbi abi;
  private final String version;

  private MpiLibrary(String name, long handle, MpiAbi abi, String version) {
    this.name = name;
    this.handle = handle;
    this.abi = abi;
    this.version = version;
  }

  /**
   * Finds and loads the library, unless it is loaded. Takes 0.1 to 0.3 s. The caller initializes MPI.
   *
   * @param settings {@link MpiSettings}
   * @return the library
   * @throws MpiException ERR_OTHER when no library is found, with the names and places searched; ERR_ARG when the
   *     setting's name is not found
   */
  public static MpiLibrary load(Settings settings) {
    return load(settings, System.getenv());
  }

  static synchronized MpiLibrary load(Settings settings, Map<String, String> environment) {
    if (loaded == null) {
      LibrarySearch search = LibrarySearch.of(MpiSettings.LIBRARY.get(settings), environment);
      SignalRules.setVariables(environment);
      loaded = SignalRules.keepHandlers(() -> find(search));
    }
    return loaded;
  }

  /**
   * Returns the library that is loaded.
   *
   * @return the library
   * @throws IllegalStateException when no library is loaded
   */
  public static synchronized MpiLibrary current() {
    if (loaded == null) {
      throw new IllegalStateException("MpiLibrary.load has not been called");
    }
    return loaded;
  }

  private static MpiLibrary find(LibrarySearch search) {
    List<String> failures = new ArrayList<>();
    for (String candidate : search.candidates()) {
      long handle = DynamicLinker.open(candidate, 0);
      if (handle == 0) {
        failures.add(DynamicLinker.error());
        continue;
      }
      String version = version(handle);
      MpiAbi abi = abi(candidate, handle, version);
      if (abi != null && search.accepts(abi)) {
        // Global only now: two libraries in the global scope would see each other's functions.
        if (DynamicLinker.open(candidate, DynamicLinker.GLOBAL) == 0) {
          throw new MpiException(ErrorClass.ERR_OTHER, "the MPI library cannot be loaded: " + DynamicLinker.error());
        }
        return new MpiLibrary(candidate, handle, abi, version);
      }
      DynamicLinker.close(handle);
      failures.add(candidate + (version == null
          ? " is not an MPI library: it has no MPI_Get_library_version"
          : " is " + (abi == null ? "of an unknown ABI: " : "another MPI than the launcher's: ") + firstLine(version)));
    }
    throw search.nothingFound(failures);
  }

  /** Returns the text of MPI_Get_library_version, or null without that function. MPI need not be initialized. */
  private static String version(long library) {
    long function = DynamicLinker.find(library, "MPI_Get_library_version");
    if (function == 0) {
      return null;
    }
    MethodHandle call = Linking.at(function);
    try (Arena arena = Arena.ofConfined()) {
      long text = Raw.address(arena.allocate(VERSION_BYTES + Integer.BYTES, Integer.BYTES));
      long unused = (long) call.invokeExact(text, text + VERSION_BYTES, 0L, 0L, 0L, 0L, 0L);
      return DynamicLinker.text(text).strip();
    } catch (Throwable t) {
      throw Linking.rethrow(t);
    }
  }

  /**
   * Returns a library's ABI, or null when it is not known. A library with the ABI of MPI-5 comes beside one with the
   * implementation's own, has the same functions, and differs in its name, which the standard fixes.
   */
  private static MpiAbi abi(String name, long library, String version) {
    if (version == null) {
      return null;
    }
    boolean standard = DynamicLinker.find(library, "MPI_Abi_get_version") != 0;
    if (standard && LibrarySearch.fileName(name).contains("mpi_abi")) {
      return MpiAbi.STANDARD;
    }
    if (DynamicLinker.find(library, "ompi_mpi_comm_world") != 0) {
      return MpiAbi.OPEN_MPI;
    }
    String text = version.toUpperCase(Locale.ROOT);
    if (List.of("MPICH", "INTEL", "MVAPICH", "CRAY", "PARASTATION").stream().anyMatch(text::contains)) {
      return MpiAbi.MPICH;
    }
    return standard ? MpiAbi.STANDARD : null;
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("").strip();
  }

  /**
   * Returns the library's ABI.
   *
   * @return one of the three
   */
  public MpiAbi abi() {
    return abi;
  }

  /**
   * Returns the first line of the library's version text.
   *
   * @return one line, such as {@code Open MPI v4.1.4, package: …}
   */
  public String title() {
    return firstLine(version).replaceAll("\\s+", " ");
  }

  /**
   * Returns the absolute address of a function or a variable.
   *
   * @param symbol its name
   * @return the address
   * @throws MpiException ERR_OTHER when the library has none of this name
   */
  long addressOf(String symbol) {
    long address = DynamicLinker.find(handle, symbol);
    if (address == 0) {
      throw new MpiException(ErrorClass.ERR_OTHER, "the MPI library " + name + " (" + title() + ") has no " + symbol);
    }
    return address;
  }

  @Override
  public String toString() {
    return title() + " (" + name + ", " + abi + ")";
  }
}
