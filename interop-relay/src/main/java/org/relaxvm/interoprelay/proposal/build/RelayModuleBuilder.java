package org.relaxvm.interoprelay.proposal.build;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayModule;
import org.relaxvm.interoprelay.proposal.verify.RelayVerifier;
import org.relaxvm.interoprelay.proposal.verify.RelayVerifyOptions;

/**
 * Builds Relay programs function by function.
 *
 * <pre>{@code
 * RelayModuleBuilder builder = new RelayModuleBuilder();
 * builder.function("main", 2, f -> {
 *   RelayRegister sum = f.allocTensor(DType.FLOAT32, 4);
 *   f.invokePacked("add", List.of(f.param(0), f.param(1)), List.of(sum));
 *   f.ret(sum);
 * });
 * RelayModule module = builder.build();
 * }</pre>
 *
 * <p>Functions call each other by name, before or after they are defined. Packed functions and
 * constants get their indices at their first use. Constant tensors are borrowed and must not be
 * written any more.
 *
 * <p>Confined to one thread.
 */
public final class RelayModuleBuilder {
  private final Map<String, RelayFunctionBuilder> functions = new LinkedHashMap<>();
  private final Map<String, Integer> packed = new LinkedHashMap<>();
  private final Map<Object, Integer> constantIndices = new HashMap<>();
  private final List<Object> constants = new ArrayList<>();

  /** A builder of a program without functions. */
  public RelayModuleBuilder() {}

  /**
   * Adds a function whose body is emitted by an action.
   *
   * @param params the number of parameters
   * @return this builder
   * @throws InvalidProgramException when a function of the name is there already
   */
  public RelayModuleBuilder function(String name, int params, Consumer<RelayFunctionBuilder> body) {
    RelayFunctionBuilder function = new RelayFunctionBuilder(this, name, params);
    if (functions.putIfAbsent(name, function) != null) {
      throw refused("function '" + name + "' is already defined\n  what to do: rename one of them");
    }
    body.accept(function);
    return this;
  }

  /** The index of a packed function. */
  public int packed(String name) {
    return packed.computeIfAbsent(name, _ -> packed.size());
  }

  /**
   * The index of a constant. Equal numbers and strings, and one tensor given twice, share an entry.
   *
   * @param value a tensor in host memory, an integer, a float or a string
   */
  public int constant(Object value) {
    Object kept =
        switch (value) {
          case Tensor tensor -> tensor;
          case String text -> text;
          case Long number -> number;
          case Integer number -> (long) number;
          case Double number -> number;
          case Float number -> (double) number;
          default ->
              throw refused(
                  "a constant cannot be "
                      + TypeKeys.describe(value)
                      + "\n  expected: a tensor, an integer, a float or a string");
        };
    return constantIndices.computeIfAbsent(
        kept,
        _ -> {
          constants.add(kept);
          return constants.size() - 1;
        });
  }

  int functionIndex(String name) {
    int index = List.copyOf(functions.keySet()).indexOf(name);
    if (index < 0) {
      throw refused(
          "there is no function '"
              + name
              + "'\n  functions: "
              + String.join(", ", functions.keySet())
              + "\n  what to do: define it with function");
    }
    return index;
  }

  /**
   * The program, verified. The builder can go on.
   *
   * @throws InvalidProgramException a {@code ValueError} when it breaks a rule
   */
  public RelayModule build() {
    return build(RelayVerifyOptions.DEFAULT);
  }

  /** The program, verified with options. */
  public RelayModule build(RelayVerifyOptions options) {
    List<RelayFunction> built =
        functions.values().stream().map(RelayFunctionBuilder::build).toList();
    RelayModule module = new RelayModule(built, List.copyOf(packed.keySet()), constants);
    return RelayVerifier.verify(module, options).module();
  }

  static InvalidProgramException refused(String message) {
    return new InvalidProgramException(ErrorKind.VALUE, message);
  }
}
