package org.relaxvm.interoprelay.translate.code;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Names of functions in a translated program, where functions of the program and packed functions
 * share one name space.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 14. Confined to one thread.
 */
public final class FunctionNames {
  private static final String BUILTINS = "vm.builtin.";

  private final Set<String> taken;
  private final List<String> names = new ArrayList<>();

  /**
   * Names the functions of a program: as they are called, or with the prefix {@code relay.} where a
   * packed function has the name.
   *
   * @param packed names of packed functions, which do not change
   */
  public FunctionNames(Collection<String> functions, Collection<String> packed) {
    taken = new HashSet<>(packed);
    List<String> clashing = new ArrayList<>();
    for (String name : functions) {
      if (taken.contains(name) || name.startsWith(BUILTINS)) {
        clashing.add(name);
      }
    }
    functions.stream().filter(name -> !clashing.contains(name)).forEach(taken::add);
    for (String name : functions) {
      names.add(clashing.contains(name) ? unused("relay." + name) : name);
    }
  }

  /** The name of a function by its index. */
  public String get(int function) {
    return names.get(function);
  }

  /** A name that no function has, which now is taken: the one wanted, or that and some dollars. */
  public String unused(String wanted) {
    String name = wanted;
    while (!taken.add(name)) {
      name += "$";
    }
    return name;
  }
}
