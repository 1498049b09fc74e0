package org.relaxvm.compiler.wellformed;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** The variables that are seen in one place of a function. */
final class Scope<T> {
  private final Set<T> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<List<T>> open = new ArrayDeque<>();

  /** What is added while something is looked at is not seen any more after it. */
  void inside(Runnable look) {
    open.push(new ArrayList<>());
    look.run();
    open.pop().forEach(seen::remove);
  }

  /** Adds a variable to the innermost scope; one that is seen already stays where it is. */
  void add(T var) {
    if (seen.add(var)) {
      open.element().add(var);
    }
  }

  boolean sees(T var) {
    return seen.contains(var);
  }
}
