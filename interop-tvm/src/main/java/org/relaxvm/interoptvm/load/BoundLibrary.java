package org.relaxvm.interoptvm.load;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.spi.Module;
import org.relaxvm.interoptvm.call.Binding;
import org.relaxvm.vmcore.program.HostLinks;

/** The functions of a native library, bound to one virtual machine. Thread-safe. */
public final class BoundLibrary implements Module {
  private final Path path;
  private final Convention convention;
  private final Set<String> functionNames;
  private final LoadedLibrary library;
  private final Binding binding;
  private final Map<String, PackedFunc> functions = new ConcurrentHashMap<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  private BoundLibrary(
      Path path,
      Convention convention,
      Set<String> functionNames,
      LoadedLibrary library,
      HostLinks links) {
    this.path = path;
    this.convention = convention;
    this.functionNames = withRegistered(functionNames, convention, library.registered());
    this.library = library;
    binding = new Binding(library.names(), links, library.stackRoom());
  }

  /**
   * Loads a library, which runs its code, and binds it.
   *
   * @param convention how its functions are called
   * @param functionNames its packed functions
   * @param expected what it expects of others
   * @param links what its code may call
   * @throws org.relaxvm.api.error.LinkException when it cannot be loaded; nothing is held then
   */
  public static BoundLibrary open(
      Path path,
      Convention convention,
      Set<String> functionNames,
      Expected expected,
      HostLinks links) {
    return new BoundLibrary(
        path, convention, Set.copyOf(functionNames), LoadedLibrary.open(path, expected), links);
  }

  private static Set<String> withRegistered(
      Set<String> exported, Convention convention, Set<String> registered) {
    if (registered.isEmpty()) {
      return exported;
    }
    Set<String> all = new HashSet<>(exported);
    all.addAll(convention.functionNames(registered));
    return Set.copyOf(all);
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
    long address = library.symbol(convention.prefix() + name);
    if (address == 0) {
      throw new IllegalStateException(
          "the file of " + origin() + " has changed: there is no function " + name + " any more");
    }
    return convention.function(name, MemorySegment.ofAddress(address), binding);
  }

  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      binding.close();
      library.close();
    }
  }
}
