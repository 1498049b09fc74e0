package org.relaxvm.api;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A function of a program together with values bound to its last arguments. Calling it with {@code
 * (a, b)} calls the function with {@code (a, b, bound...)}.
 *
 * <p>The closure owns its bound values. It belongs to the VM that made it and is called through
 * that VM: with {@code vm.builtin.invoke_closure}, or {@link VmContext#invoke}.
 *
 * <p>Source: docs/spec/vm-semantics.md, section 5. Immutable; thread-safe.
 *
 * <p>Rationale: docs/rationale/api.md, "Why is `Closure` a final class in `api`?"
 */
public final class Closure extends Managed {
  private final String functionName;
  private final PackedFunc target;
  private final @Nullable Object[] bound;

  private Closure(String functionName, PackedFunc target, @Nullable Object[] bound) {
    this.functionName = functionName;
    this.target = target;
    this.bound = bound;
  }

  /** A closure without bound values. */
  public static Closure of(String functionName, PackedFunc target) {
    return new Closure(functionName, target, new Object[0]);
  }

  /** The name of the program's function. */
  public String functionName() {
    return functionName;
  }

  /** What is called in the end; inside a VM call only. */
  public PackedFunc target() {
    return target;
  }

  /** The values bound to the last arguments, borrowed; scalars are boxed. */
  public List<@Nullable Object> bound() {
    return Collections.unmodifiableList(Arrays.asList(bound));
  }

  /** The number of bound values. */
  public int boundCount() {
    return bound.length;
  }

  /** Bound value {@code index}, borrowed; a scalar is boxed. */
  public @Nullable Object boundAt(int index) {
    return bound[index];
  }

  /**
   * A closure that binds further values in front of those already bound: the call {@code
   * bind(x).bind(y)(a)} is {@code f(a, y, x)}.
   *
   * @param values borrowed; retained by the new closure
   */
  public Closure bind(@Nullable Object... values) {
    @Nullable Object[] all = Arrays.copyOf(values, values.length + bound.length);
    System.arraycopy(bound, 0, all, values.length, bound.length);
    Closure made = new Closure(functionName, target, all);
    Managed.retainAll(all);
    return made;
  }

  @Override
  public Closure newHandle() {
    return bind();
  }

  @Override
  @Nullable Runnable contentReleaser() {
    @Nullable Object[] values = bound;
    boolean holdsMemory = holdsMemory(values);
    return holdsMemory ? () -> release(values) : null;
  }

  /** Looks at each value once: closures can hold each other deeply, and one many times. */
  private static boolean holdsMemory(@Nullable Object[] values) {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    ArrayDeque<@Nullable Object[]> waiting = new ArrayDeque<>();
    waiting.add(values);
    while (!waiting.isEmpty()) {
      for (Object value : waiting.remove()) {
        if (value instanceof Managed managed && seen.add(managed)) {
          if (managed instanceof Closure || managed instanceof Tuple) {
            waiting.add(managed.parts());
          } else if (managed.contentReleaser() != null) {
            return true;
          }
        }
      }
    }
    return false;
  }

  @Override
  @Nullable Object[] parts() {
    return bound;
  }

  /** Does nothing: a closure holds only its bound values. */
  @Override
  protected void dispose() {}

  private static void release(@Nullable Object[] values) {
    for (Object value : values) {
      Managed.release(value);
    }
  }

  @Override
  protected String describeKind() {
    return "closure";
  }

  @Override
  public String toString() {
    return "closure of " + functionName + " with " + bound.length + " bound values";
  }
}
