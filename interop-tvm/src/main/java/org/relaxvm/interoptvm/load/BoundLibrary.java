package org.relaxvm.interoptvm.load;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.spi.Module;
import org.relaxvm.interoptvm.call.Binding;
import org.relaxvm.interoptvm.call.NativeFunction;
import org.relaxvm.vmcore.program.HostLinks;

/** The functions of a native library, bound to one virtual machine. Thread-safe. */
public final class BoundLibrary implements Module {
  /** What the symbol of a packed function begins with. */
  public static final String FUNCTION_PREFIX = "__tvm_ffi_";

  private final Path path;
  private final Set<String> functionNames;
  private final LoadedLibrary library;
  private final Binding binding;
  private final Map<String, PackedFunc> functions = new ConcurrentHashMap<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  private BoundLibrary(
      Path path, Set<String> functionNames, LoadedLibrary library, HostLinks links) {
    this.path = path;
    this.functionNames = functionNames;
    this.library = library;
    binding = new Binding(library.names(), links, library.stackRoom());
  }

  /**
   * Loads a library, which runs its code, and binds it.
   *
   * @param functionNames its packed functions
   * @param undefined the symbols that it expects of others
   * @param links what its code may call
   * @throws org.relaxvm.api.error.LinkException when it cannot be loaded; nothing is held then
   */
  public static BoundLibrary open(
      Path path, Set<String> functionNames, List<String> undefined, HostLinks links) {
    return new BoundLibrary(
        path, Set.copyOf(functionNames), LoadedLibrary.open(path, undefined), links);
  }

  @Override
  public String origin() {
    return path.toAbsolutePath().toString();
  }

  @Override
  public Set<String> functionNames() {
    return functionNames;
  }

  @Override
  public Optional<PackedFunc> find(String name) {
    if (!functionNames.contains(name) || closed.get()) {
      return Optional.empty();
    }
    return Optional.of(functions.computeIfAbsent(name, this::function));
  }

  private PackedFunc function(String name) {
    long address = library.symbol(FUNCTION_PREFIX + name);
    if (address == 0) {
      throw new IllegalStateException(
          "the file of " + origin() + " has changed: there is no function " + name + " any more");
    }
    return new NativeFunction(name, MemorySegment.ofAddress(address), binding);
  }

  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      binding.close();
      library.close();
    }
  }
}
