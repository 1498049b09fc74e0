package org.relaxvm.interoptvm.library;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.spi.Module;

/**
 * One search for a name among modules, some of which answer for what they import: {@link
 * ConstLoaderModule}. Whatever is imported by how many, each module is asked once.
 */
public final class ImportSearch {
  private final String name;
  private final Set<Module> asked = Collections.newSetFromMap(new IdentityHashMap<>());

  ImportSearch(String name) {
    this.name = name;
  }

  /** The function of a name in a module or, depth first, in its imports. */
  public static Optional<PackedFunc> withImports(Module root, String name) {
    ImportSearch search = new ImportSearch(name);
    for (Module module : root.withImports()) {
      Optional<PackedFunc> found = search.in(module);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /** What {@link Module#find} of a module gives, as far as this search has not asked before. */
  Optional<PackedFunc> in(Module module) {
    // Not recursive: a file decides how deep it goes.
    ArrayDeque<Module> next = new ArrayDeque<>();
    next.push(module);
    while (!next.isEmpty()) {
      Module current = next.pop();
      if (!asked.add(current)) {
        continue;
      }
      Optional<PackedFunc> found;
      if (current instanceof ConstLoaderModule constants) {
        found = constants.findOwn(name);
        constants.imports().reversed().forEach(next::push);
      } else {
        found = current.find(name);
      }
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }
}
