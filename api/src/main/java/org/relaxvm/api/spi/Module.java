package org.relaxvm.api.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.PackedFunc;

/**
 * Functions loaded together: the kernels of a program, a device's kernel library, a native library.
 * The VM resolves names across all modules when it is constructed (InitFuncPool).
 *
 * <p>Thread-safe. The functions of a module may be called until it is closed.
 */
public interface Module extends AutoCloseable {
  /** Where the functions come from, for messages: a file, a jar, a device. */
  String origin();

  /** The names of all functions of this module itself, without imports. */
  Set<String> functionNames();

  /** The function of a name in this module itself, without imports. */
  Optional<PackedFunc> find(String name);

  /** Modules that this one brings along; searched after it, in order. */
  default List<Module> imports() {
    return List.of();
  }

  /** The function of a name in this module or, depth first, in its imports. */
  default Optional<PackedFunc> findWithImports(String name) {
    Optional<PackedFunc> own = find(name);
    if (own.isPresent()) {
      return own;
    }
    for (Module imported : imports()) {
      Optional<PackedFunc> found = imported.findWithImports(name);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /** Gives back what the module holds; its functions must not be called afterwards. */
  @Override
  default void close() {}

  /** A module over a map of functions. */
  static Module of(String origin, Map<String, PackedFunc> functions) {
    return new MapModule(origin, Map.copyOf(functions));
  }

  /** A module without functions. */
  static Module empty(String origin) {
    return of(origin, Map.of());
  }
}
