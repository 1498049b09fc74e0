package org.relaxvm.interoprelay.proposal.interp;

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
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayModule;
import org.relaxvm.interoprelay.proposal.verify.RelayVerifier;

/**
 * Runs Relay programs directly, on host tensors. It is the measure for translated programs, not a
 * fast way to run them.
 *
 * <p>Registers hold tensors, shapes, integers, datatypes ({@link org.relaxvm.api.Tuple} with a tag)
 * and closures ({@link org.relaxvm.api.Closure}). Frames are on the heap, so that the depth of
 * calls does not depend on the Java stack.
 *
 * <p><b>Phi.</b> An operand is valid from its definition until a Kill, or until control enters a
 * block that dominates the definition, so that it belongs to a former iteration of a loop. Where
 * the verifier decides the Phi, it takes its operand at the entry of its join: the valid one, or
 * the one defined last of two, as on the back edge of a loop. Otherwise the Phi looks when it is
 * executed, and exactly one operand must be valid.
 *
 * <p>Source: docs/spec/relay-register-vm.md, sections 1, 2 and 5. Immutable and thread-safe.
 *
 * <p>Rationale: docs/rationale/interop-relay.md, "Why does a Phi of the interpreter not take the
 * operand that was defined last?"
 */
public final class RelayInterpreter {
  private final RelayModule module;
  private final List<FunctionPlan> plans;
  private final List<PackedFunc> packed;
  private final Map<String, Integer> indices = new HashMap<>();
  private final InterpreterOptions options;

  /**
   * An interpreter of a program.
   *
   * @param functions finds packed functions by name
   * @throws org.relaxvm.api.error.InvalidProgramException when the program breaks a rule
   * @throws LinkException an {@code InternalError} that names all packed functions that are missing
   */
  public RelayInterpreter(RelayModule module, Function<String, Optional<PackedFunc>> functions) {
    this(module, functions, InterpreterOptions.DEFAULT);
  }

  /** An interpreter of a program, with options. */
  public RelayInterpreter(
      RelayModule module,
      Function<String, Optional<PackedFunc>> functions,
      InterpreterOptions options) {
    this.module = module;
    this.options = options;
    this.plans =
        RelayVerifier.verify(module, options.verify()).functions().stream()
            .map(FunctionPlan::of)
            .toList();
    this.packed = resolved(module.packed(), functions);
    for (int i = 0; i < plans.size(); i++) {
      indices.put(plans.get(i).function().name(), i);
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
          (missing.size() == 1
                  ? "the program needs a packed function that nothing provides:"
                  : "the program needs "
                      + missing.size()
                      + " packed functions that nothing provides:")
              + "\n    "
              + String.join("\n    ", missing)
              + "\n  what to do: give the interpreter a lookup that finds them");
    }
    return List.copyOf(found);
  }

  /**
   * Calls a function.
   *
   * @param args values of the kinds that {@link Value} lists; borrowed for the call
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
              + String.join(", ", module.functions().stream().map(RelayFunction::name).toList()));
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
  @Nullable Object run(int function, @Nullable Object[] args) {
    RelayFunction callee = plans.get(function).function();
    if (callee.params() != args.length) {
      throw new CallException(
          ErrorKind.TYPE,
          "function "
              + callee.name()
              + " takes "
              + callee.params()
              + (callee.params() == 1 ? " argument" : " arguments")
              + ", but got "
              + args.length);
    }
    return new Run(this).call(function, args);
  }

  RelayModule module() {
    return module;
  }

  FunctionPlan plan(int function) {
    return plans.get(function);
  }

  PackedFunc packed(int index) {
    return packed.get(index);
  }

  InterpreterOptions options() {
    return options;
  }
}
