package org.relaxvm.api;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;

/**
 * The functions of this process: every virtual machine finds them by name, and so does native code
 * of programs. They are searched last, after the functions that are registered on a builder.
 *
 * <pre>{@code
 * Functions.register("example.twice", (args, result) -> result.setLong(2 * args.longAt(0)));
 * try (Value doubled = Functions.get("example.twice").invoke(21)) {
 *   return doubled.asLong();
 * }
 * }</pre>
 *
 * <p>A virtual machine resolves the names of a program when it is built and keeps what it found: a
 * function that is replaced or removed later stays in use there. Names that a running program looks
 * up itself are looked up at that time.
 *
 * <p>A function is held strongly until it is removed, with its class loader. A library that may be
 * unloaded removes what it registered, or registers on the builder instead.
 *
 * <p>Thread-safe. The functions are called from many threads at once.
 *
 * <p>Source: docs/spec/vm-semantics.md, section 3. Rationale: docs/rationale/api.md, "Why are there
 * functions of the process?"
 */
public final class Functions {
  private static final ConcurrentMap<String, PackedFunc> FUNCTIONS = new ConcurrentSkipListMap<>();

  private Functions() {}

  /**
   * Registers a function.
   *
   * @param name by which programs call it, such as {@code example.twice}
   * @throws LinkException a {@code ValueError} when the name is registered already or empty
   */
  public static void register(String name, PackedFunc function) {
    requireName(name);
    if (FUNCTIONS.putIfAbsent(name, function) != null) {
      throw new LinkException(
          ErrorKind.VALUE,
          "function '"
              + name
              + "' is already registered in this process\n  what to do: choose another name, remove"
              + " it with Functions.remove(\""
              + name
              + "\"), or replace it with Functions.replace");
    }
  }

  /**
   * Registers an ordinary function of boxed values; see {@link PackedFunc#of}.
   *
   * @throws LinkException as {@link #register(String, PackedFunc)}
   */
  public static void register(
      String name, Function<@Nullable Object[], @Nullable Object> function) {
    register(name, PackedFunc.of(function));
  }

  /**
   * Registers a function in place of the one that has the name, if one has it.
   *
   * @return the function that had the name
   * @throws LinkException a {@code ValueError} when the name is empty
   */
  public static Optional<PackedFunc> replace(String name, PackedFunc function) {
    requireName(name);
    return Optional.ofNullable(FUNCTIONS.put(name, function));
  }

  /**
   * The function of a name. Call it with {@link PackedFunc#invoke}.
   *
   * @throws LinkException a {@code ValueError} when there is none, with those that exist
   */
  public static PackedFunc get(String name) {
    return find(name)
        .orElseThrow(
            () ->
                new LinkException(
                    ErrorKind.VALUE,
                    "no function '"
                        + name
                        + "' is registered in this process\n  registered: "
                        + (FUNCTIONS.isEmpty() ? "none" : String.join(", ", list()))
                        + "\n  what to do: register it with Functions.register(\""
                        + name
                        + "\", function)"));
  }

  /** The function of a name, or empty when there is none. */
  public static Optional<PackedFunc> find(String name) {
    return Optional.ofNullable(FUNCTIONS.get(name));
  }

  /** The registered names, sorted. */
  public static List<String> list() {
    return List.copyOf(FUNCTIONS.keySet());
  }

  /**
   * Removes a function.
   *
   * @return the function that had the name, or empty when there was none
   */
  public static Optional<PackedFunc> remove(String name) {
    return Optional.ofNullable(FUNCTIONS.remove(name));
  }

  private static void requireName(String name) {
    if (name.isEmpty()) {
      throw new LinkException(ErrorKind.VALUE, "the name of a function is empty");
    }
  }
}
