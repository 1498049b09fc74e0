package org.relaxvm.interoptvm.library;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.spi.Module;

/**
 * Gives the modules that it imports their constants: when a function that needs some is first asked
 * for, the function {@code __init_<symbol>} of an import is called with them.
 *
 * <p>{@value #ALL_CONSTANTS} is a function without arguments that gives all constants: a tuple with
 * a tuple {@code (name, tensor)} for each, since there are no maps here.
 *
 * <p>Source: docs/spec/native-library.md, section 4.3. Thread-safe. The imports belong to whoever
 * made them.
 */
public final class ConstLoaderModule implements Module {
  /** The name of the function that gives all constants. */
  public static final String ALL_CONSTANTS = "get_const_var_tensor";

  private static final String INIT = "__init_";

  private final String origin;
  private final ConstLoader content;
  private final List<Module> imports;
  private final Set<String> functionNames;
  private final Set<String> initialised = new HashSet<>();

  // An initialisation may look up functions of this module recursively.
  private final ReentrantLock lock = new ReentrantLock();

  /** A module over what was read. */
  public ConstLoaderModule(String origin, ConstLoader content, List<Module> imports) {
    this.origin = origin;
    this.content = content;
    this.imports = List.copyOf(imports);
    functionNames = functionNames(content, this.imports);
  }

  @Override
  public String origin() {
    return origin;
  }

  /** The symbols that constants are for and that an import has, and {@value #ALL_CONSTANTS}. */
  @Override
  public Set<String> functionNames() {
    return functionNames;
  }

  private static Set<String> functionNames(ConstLoader content, List<Module> imports) {
    Set<String> names = new TreeSet<>();
    // Now, that those of the imports are known: to ask them each time would go down all ways.
    for (Set<String> imported : imports.stream().map(Module::functionNames).toList()) {
      for (String symbol : content.needs().keySet()) {
        if (imported.contains(symbol)) {
          names.add(symbol);
        }
      }
    }
    names.add(ALL_CONSTANTS);
    return Collections.unmodifiableSet(names);
  }

  /**
   * The function of a name in the imports themselves, without theirs; initialised when it needs
   * constants.
   *
   * @throws LinkException when its initialisation reports a failure
   */
  @Override
  public Optional<PackedFunc> find(String name) {
    return new ImportSearch(name).in(this);
  }

  @Override
  public Optional<PackedFunc> findWithImports(String name) {
    return ImportSearch.withImports(this, name);
  }

  /** What this module itself has of a name, which it initialises when it needs constants. */
  Optional<PackedFunc> findOwn(String name) {
    List<String> needs = content.needs().get(name);
    if (needs != null) {
      initialise(name, needs);
    }
    return name.equals(ALL_CONSTANTS)
        ? Optional.of((_, result) -> result.set(allConstants()))
        : Optional.empty();
  }

  @Override
  public List<Module> imports() {
    return imports;
  }

  private Optional<PackedFunc> findInImports(String name) {
    ImportSearch search = new ImportSearch(name);
    for (Module module : imports) {
      Optional<PackedFunc> found = search.in(module);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private void initialise(String symbol, List<String> needs) {
    lock.lock();
    try {
      if (!initialised.add(symbol)) {
        return;
      }
      boolean done = false;
      try {
        Optional<PackedFunc> init = findInImports(INIT + symbol);
        if (init.isPresent()) {
          call(init.get(), symbol, needs);
        }
        done = true;
      } finally {
        if (!done) {
          initialised.remove(symbol);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void call(PackedFunc init, String symbol, List<String> needs) {
    @Nullable Object[] tensors = new Object[needs.size()];
    for (int i = 0; i < tensors.length; i++) {
      tensors[i] = content.constants().get(needs.get(i));
    }
    try (Tuple constants = Tuple.of(tensors);
        Value result = init.invoke(constants)) {
      if (!(result.object() instanceof Long code) || code != 0) {
        throw new LinkException(
            ErrorKind.RUNTIME,
            "the initialization of "
                + symbol
                + " failed\n  function: "
                + INIT
                + symbol
                + " of "
                + origin
                + "\n  expected: 0\n  got: "
                + result);
      }
    }
  }

  private Tuple allConstants() {
    @Nullable Object[] pairs = new Object[content.constants().size()];
    int i = 0;
    for (Map.Entry<String, Tensor> constant : content.constants().entrySet()) {
      pairs[i++] = Tuple.of(constant.getKey(), constant.getValue());
    }
    return Tuple.ofOwned(pairs);
  }
}
