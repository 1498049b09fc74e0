package org.relaxvm.interoprelay.release.interp;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.interoprelay.release.ReleasedConstant;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.ReleasedFunction;
import org.relaxvm.interoprelay.release.verify.ReleasedVerifier;

/**
 * Runs released executables of the Relay VM directly. It is the measure for translated programs,
 * not a fast way to run them. All devices of the executable are the host.
 *
 * <p>Registers hold tensors, storages, datatypes ({@link org.relaxvm.api.Tuple} with a tag) and
 * closures ({@link org.relaxvm.api.Closure}). Frames are on the heap, so that the depth of calls
 * does not depend on the Java stack.
 *
 * <p>Source: docs/spec/relay-register-vm.md, sections 2 and 15.2. Immutable and thread-safe.
 */
public final class ReleasedInterpreter {
  /** How deep functions may call each other, unless another limit is given. */
  public static final int MAX_FRAMES = 100_000;

  private final ReleasedExecutable executable;
  private final List<PackedFunc> packed;
  private final Map<String, Integer> indices = new HashMap<>();
  private final int maxFrames;

  /**
   * An interpreter of an executable, with at most {@link #MAX_FRAMES} frames.
   *
   * @param functions finds kernels by name
   * @throws org.relaxvm.api.error.InvalidProgramException when the executable breaks a rule
   * @throws LinkException an {@code InternalError} that names all kernels that are missing, or a
   *     {@code ValueError} when a constant has no value
   */
  public ReleasedInterpreter(
      ReleasedExecutable executable, Function<String, Optional<PackedFunc>> functions) {
    this(executable, functions, MAX_FRAMES);
  }

  /** An interpreter of an executable, with a limit of frames. */
  public ReleasedInterpreter(
      ReleasedExecutable executable,
      Function<String, Optional<PackedFunc>> functions,
      int maxFrames) {
    ReleasedVerifier.verify(executable);
    requireConstants(executable);
    this.executable = executable;
    this.packed = resolved(executable.packed(), functions);
    this.maxFrames = maxFrames;
    for (int i = 0; i < executable.functions().size(); i++) {
      indices.put(executable.functions().get(i).name(), i);
    }
  }

  private static void requireConstants(ReleasedExecutable executable) {
    for (ReleasedConstant constant : executable.constants()) {
      if (constant instanceof ReleasedConstant.LateBound(String name)) {
        throw new LinkException(
            ErrorKind.VALUE,
            "the constant '"
                + name
                + "' has no value\n  what to do: bind the constants with LateBoundConstants.bind");
      }
    }
  }

  private static List<PackedFunc> resolved(
      List<String> names, Function<String, Optional<PackedFunc>> functions) {
    List<PackedFunc> found = new ArrayList<>();
    Set<String> missing = new LinkedHashSet<>();
    for (String name : names) {
      functions.apply(name).ifPresentOrElse(found::add, () -> missing.add(name));
    }
    if (!missing.isEmpty()) {
      throw new LinkException(
          ErrorKind.INTERNAL,
          "the program needs kernels that nothing provides:\n    "
              + String.join("\n    ", missing)
              + "\n  what to do: give the interpreter a lookup that finds them");
    }
    return List.copyOf(found);
  }

  /**
   * Calls a function.
   *
   * @param args tensors, tuples and closures; borrowed for the call
   * @return the result, which the caller closes
   * @throws CallException when there is no such function, the number of arguments is another, or
   *     the program fails
   */
  public Value call(String function, @Nullable Object... args) {
    Integer index = indices.get(function);
    if (index == null) {
      throw new CallException(
          ErrorKind.VALUE,
          "there is no function '"
              + function
              + "'\n  functions: "
              + String.join(
                  ", ", executable.functions().stream().map(ReleasedFunction::name).toList()));
    }
    Object result = run(index, args);
    if (result instanceof Managed managed) {
      try {
        return Value.owned(managed.newHandle());
      } finally {
        managed.release();
      }
    }
    return Value.owned(result);
  }

  /** The result of a function, whose owner is the caller. */
  @Nullable Object run(int index, @Nullable Object[] args) {
    ReleasedFunction function = executable.functions().get(index);
    int params = function.paramNames().size();
    if (params != args.length) {
      throw new CallException(
          ErrorKind.TYPE,
          "function '"
              + function.name()
              + "' takes "
              + params
              + (params == 1 ? " argument" : " arguments")
              + ", but got "
              + args.length);
    }
    return new Run(this).call(index, args);
  }

  ReleasedExecutable executable() {
    return executable;
  }

  PackedFunc packed(int index) {
    return packed.get(index);
  }

  int maxFrames() {
    return maxFrames;
  }
}
