package org.relaxvm.interoptvm.load;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.interoptvm.abi.RawMemory;
import org.relaxvm.interoptvm.call.HostFunctions;
import org.relaxvm.interoptvm.call.ImportedNames;
import org.relaxvm.interoptvm.call.StackRoom;
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
          RuntimeSymbols.PARALLEL_BARRIER);

  private static final String CONTEXT_PREFIX = "__";
  private static final String LIBRARY_CONTEXT = "__tvm_ffi__library_ctx";

  private static final Map<Long, LoadedLibrary> BY_HANDLE = new HashMap<>();

  private final long handle;
  private final Shim shim;
  private final ImportedNames names = new ImportedNames();
  private final StackRoom stackRoom;
  private int users;

  private LoadedLibrary(long handle, Shim shim) {
    this.handle = handle;
    this.shim = shim;
    stackRoom = new StackRoom(shim.stackPointer(), DynamicLinker::symbolOfProcess);
  }

  /**
   * Opens a library, which runs its constructors.
   *
   * @param undefined the symbols that it expects of others, for the message
   * @throws LinkException when it cannot be loaded; nothing is held then
   */
  static LoadedLibrary open(Path path, List<String> undefined) {
    synchronized (BY_HANDLE) {
      Shim shim = Shim.acquire();
      boolean done = false;
      try {
        DynamicLinker.Opened opened = DynamicLinker.openLocal(path.toAbsolutePath().toString());
        if (opened.handle() == 0) {
          throw refusal(path, opened.problem(), undefined);
        }
        LoadedLibrary library = BY_HANDLE.get(opened.handle());
        if (library == null) {
          library = new LoadedLibrary(opened.handle(), shim);
          library.bindContext();
          BY_HANDLE.put(opened.handle(), library);
        }
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

  /** The names of functions that its code has asked for. */
  ImportedNames names() {
    return names;
  }

  /** Checks the stack before calls. */
  StackRoom stackRoom() {
    return stackRoom;
  }

  /** The address of a symbol, or 0. */
  long symbol(String name) {
    return DynamicLinker.symbol(handle, name);
  }

  /** Gives up one opening. */
  void close() {
    synchronized (BY_HANDLE) {
      users--;
      if (users == 0) {
        BY_HANDLE.remove(handle);
      }
      DynamicLinker.close(handle);
      shim.release();
    }
  }

  private void bindContext() {
    for (String name : CONTEXT) {
      long variable = symbol(CONTEXT_PREFIX + name);
      if (variable != 0) {
        RawMemory.putLong(
            variable,
            name.equals(RuntimeSymbols.INIT_ONCE) ? shim.fastPath() : HostFunctions.address(name));
      }
    }
    long context = symbol(LIBRARY_CONTEXT);
    if (context != 0) {
      RawMemory.putLong(context, handle);
    }
  }

  private static LinkException refusal(Path path, String problem, List<String> undefined) {
    List<String> missing =
        undefined.stream().filter(name -> DynamicLinker.symbolOfProcess(name) == 0).toList();
    String text = "cannot load " + path.toAbsolutePath() + ": " + problem;
    if (problem.contains("undefined symbol") && !missing.isEmpty()) {
      text +=
          "\n  symbols that it expects and that neither RelaxVM nor this process has: "
              + String.join(", ", missing)
              + "\n  what to do: link the library that has them when the model is exported, so that"
              + " the model names it, or compile the model without what needs them";
    }
    return new LinkException(ErrorKind.RUNTIME, text);
  }
}
