package org.relaxvm.interoptvm.load;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.interoptvm.abi.RawMemory;
import org.relaxvm.interoptvm.call.HostFunctions;
import org.relaxvm.interoptvm.call.ImportedNames;
import org.relaxvm.interoptvm.call.StackRoom;
import org.relaxvm.interoptvm.call.SystemSymbols;
import org.relaxvm.interoptvm.shim.ElfShim;
import org.relaxvm.interoptvm.shim.RuntimeSymbols;

/**
 * A native library in this process. The dynamic linker gives all who open one file the same code
 * and the same variables, so there is one of these for all virtual machines that run it; the last
 * one that closes it unloads it. Thread-safe.
 */
final class LoadedLibrary {
  /** The variables of a library through which it calls the host; each may be missing. */
  private static final List<String> CONTEXT =
      List.of(
          RuntimeSymbols.CALL,
          RuntimeSymbols.ERROR,
          RuntimeSymbols.LOOKUP,
          RuntimeSymbols.INIT_ONCE,
          RuntimeSymbols.ALLOC_WORKSPACE,
          RuntimeSymbols.FREE_WORKSPACE,
          RuntimeSymbols.PARALLEL_LAUNCH,
          RuntimeSymbols.PARALLEL_BARRIER,
          RuntimeSymbols.OLD_CALL,
          RuntimeSymbols.OLD_ERROR,
          RuntimeSymbols.OLD_LOOKUP);

  private static final String CONTEXT_PREFIX = "__";

  /** The variables that hold what the library passes to the lookup; the second one is older. */
  private static final List<String> LIBRARY_CONTEXTS =
      List.of("__tvm_ffi__library_ctx", "__tvm_module_ctx");

  private static final Map<Long, LoadedLibrary> BY_HANDLE = new HashMap<>();

  private static final int MOST_SPELLINGS = 100;

  private final long handle;
  private final String name;
  private final FileIdentity identity;
  private final Shim shim;

  /** The functions that its constructors registered, by name. */
  private final Map<String, Long> registered;

  private final ImportedNames names = new ImportedNames();
  private final StackRoom stackRoom;
  private int users;

  private LoadedLibrary(
      long handle, String name, FileIdentity identity, Shim shim, Map<String, Long> registered) {
    this.handle = handle;
    this.registered = Map.copyOf(registered);
    this.name = name;
    this.identity = identity;
    this.shim = shim;
    stackRoom =
        new StackRoom(
            shim.own(ElfShim.STACK_POINTER),
            shim.own(ElfShim.CALL_WITHIN),
            DynamicLinker::symbolOfProcess);
  }

  /**
   * Opens a library, which runs its constructors.
   *
   * @param expected what it expects of others, for the message
   * @throws LinkException when it cannot be loaded; nothing is held then
   */
  static LoadedLibrary open(Path path, Expected expected) {
    synchronized (BY_HANDLE) {
      Shim shim = Shim.acquire();
      boolean done = false;
      try {
        LoadedLibrary library = find(path, expected, shim);
        library.users++;
        done = true;
        return library;
      } finally {
        if (!done) {
          shim.release();
        }
      }
    }
  }

  /**
   * The dynamic linker gives out what it has loaded under a name, even if the file of this name is
   * another one by now. Then another spelling of the name makes it look at the file.
   */
  private static LoadedLibrary find(Path path, Expected expected, Shim shim) {
    FileIdentity identity = FileIdentity.of(path);
    for (int spelling = 0; spelling < MOST_SPELLINGS; spelling++) {
      String name = spelled(path.toAbsolutePath(), spelling);
      Map<String, Long> registered = new HashMap<>();
      DynamicLinker.Opened opened =
          SystemSymbols.collect(registered, () -> DynamicLinker.openLocal(name));
      if (opened.handle() == 0) {
        throw expected.refusal(path, opened.problem());
      }
      boolean used = false;
      try {
        LoadedLibrary known = BY_HANDLE.get(opened.handle());
        if (known == null) {
          known = new LoadedLibrary(opened.handle(), name, identity, shim, registered);
          known.bindContext(path);
          BY_HANDLE.put(opened.handle(), known);
        }
        used = known.identity.equals(identity);
        if (used) {
          return known;
        }
      } finally {
        if (!used) {
          DynamicLinker.close(opened.handle());
        }
      }
    }
    throw new LinkException(
        ErrorKind.RUNTIME,
        "cannot load "
            + path.toAbsolutePath()
            + ": "
            + MOST_SPELLINGS
            + " files that had this name before are still in use\n"
            + "  what to do: close virtual machines that are not needed any more");
  }

  private static String spelled(Path path, int spelling) {
    Path folder = path.getParent();
    return folder == null || spelling == 0
        ? path.toString()
        : folder + "/" + "./".repeat(spelling) + path.getFileName();
  }

  /** The names of functions that its code has asked for. */
  ImportedNames names() {
    return names;
  }

  /** Checks the stack before calls. */
  StackRoom stackRoom() {
    return stackRoom;
  }

  /** The address of a symbol, or 0; also of one that was registered and is not visible. */
  long symbol(String name) {
    long address = DynamicLinker.symbol(handle, name);
    return address != 0 ? address : registered.getOrDefault(name, 0L);
  }

  /** The names of functions that the library registered when it was loaded. */
  Set<String> registered() {
    return registered.keySet();
  }

  /** Gives up one opening. */
  void close() {
    synchronized (BY_HANDLE) {
      users--;
      try {
        DynamicLinker.close(handle);
      } finally {
        // The linker keeps some libraries for good: then variables keep the handles of names.
        if (users == 0 && !DynamicLinker.isLoaded(name, handle)) {
          BY_HANDLE.remove(handle);
        }
        shim.release();
      }
    }
  }

  private void bindContext(Path path) {
    for (String name : LIBRARY_CONTEXTS) {
      long context = symbol(name);
      if (context != 0 && RawMemory.getLong(context) != 0) {
        throw inUse(path);
      }
    }
    for (String name : CONTEXT) {
      long variable = symbol(CONTEXT_PREFIX + name);
      if (variable != 0) {
        RawMemory.putLong(
            variable,
            name.equals(RuntimeSymbols.INIT_ONCE) ? shim.fastPath() : HostFunctions.address(name));
      }
    }
    for (String name : LIBRARY_CONTEXTS) {
      long context = symbol(name);
      if (context != 0) {
        RawMemory.putLong(context, handle);
      }
    }
  }

  private static LinkException inUse(Path path) {
    return new LinkException(
        ErrorKind.RUNTIME,
        "cannot load "
            + path.toAbsolutePath()
            + ": another class loader or another runtime of this process has loaded it, and its"
            + " variables are in use\n"
            + "  what to do: load a copy of the file");
  }
}
