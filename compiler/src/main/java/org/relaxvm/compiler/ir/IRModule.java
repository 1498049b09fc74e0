package org.relaxvm.compiler.ir;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.relaxvm.api.TypeKey;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.type.VDevice;

/**
 * A program that is to be compiled: functions by name, in the order in which they were added.
 * Immutable.
 *
 * @param functions the functions; kernels have the name of their variable
 * @param attrs attributes for passes
 * @param vdevices the virtual devices that types and constants name, in the order of their indices
 */
@TypeKey("ir.IRModule")
public record IRModule(
    SequencedMap<GlobalVar, ModuleFunction> functions, Attrs attrs, List<VDevice> vdevices) {
  /** A module without functions. */
  public static final IRModule EMPTY = new IRModule(new LinkedHashMap<>(), Attrs.NONE, List.of());

  /** Copies the functions and checks the names of kernels. */
  public IRModule {
    SequencedMap<GlobalVar, ModuleFunction> copy = new LinkedHashMap<>(functions);
    functions = Collections.unmodifiableSequencedMap(copy);
    vdevices = List.copyOf(vdevices);
    copy.forEach(
        (name, function) -> {
          if (function instanceof KernelFunction(var kernel)
              && !kernel.name().equals(name.name())) {
            throw new InvalidProgramException(
                ErrorKind.VALUE,
                "the kernel "
                    + kernel.name()
                    + " cannot be the function "
                    + name.name()
                    + " of a module; expected the same name");
          }
        });
  }

  /** The function of a name; empty when there is none. */
  public Optional<ModuleFunction> find(GlobalVar name) {
    return Optional.ofNullable(functions.get(name));
  }

  /**
   * The function of a name.
   *
   * @throws InvalidProgramException a {@code ValueError} when there is none
   */
  public ModuleFunction require(GlobalVar name) {
    return find(name)
        .orElseThrow(
            () ->
                new InvalidProgramException(
                    ErrorKind.VALUE,
                    "the module has no function "
                        + name.name()
                        + "; it has "
                        + (functions.isEmpty()
                            ? "none"
                            : String.join(
                                ", ", functions.keySet().stream().map(GlobalVar::name).toList()))));
  }

  /**
   * The function over tensors of a name.
   *
   * @throws InvalidProgramException a {@code ValueError} when there is none, a {@code TypeError}
   *     when it is of another kind
   */
  public RelaxFunction requireFunction(GlobalVar name) {
    return require(name, RelaxFunction.class, "function over tensors");
  }

  /**
   * The kernel of a name.
   *
   * @throws InvalidProgramException a {@code ValueError} when there is none, a {@code TypeError}
   *     when it is of another kind
   */
  public KernelFunction requireKernel(GlobalVar name) {
    return require(name, KernelFunction.class, "kernel");
  }

  private <T extends ModuleFunction> T require(GlobalVar name, Class<T> kind, String text) {
    ModuleFunction found = require(name);
    if (kind.isInstance(found)) {
      return kind.cast(found);
    }
    throw new InvalidProgramException(
        ErrorKind.TYPE, "the function " + name.name() + " of the module is no " + text);
  }

  /** The functions over tensors. */
  public SequencedMap<GlobalVar, RelaxFunction> relaxFunctions() {
    return only(RelaxFunction.class);
  }

  /** The kernels. */
  public SequencedMap<GlobalVar, KernelFunction> kernels() {
    return only(KernelFunction.class);
  }

  /** The same module with one more function, or with one replaced. */
  public IRModule with(GlobalVar name, ModuleFunction function) {
    SequencedMap<GlobalVar, ModuleFunction> copy = new LinkedHashMap<>(functions);
    copy.put(name, function);
    return withFunctions(copy);
  }

  /** The same module with other functions. */
  public IRModule withFunctions(Map<GlobalVar, ? extends ModuleFunction> newFunctions) {
    return new IRModule(new LinkedHashMap<>(newFunctions), attrs, vdevices);
  }

  /** The same module with other attributes. */
  public IRModule withAttrs(Attrs newAttrs) {
    return new IRModule(functions, newAttrs, vdevices);
  }

  private <T extends ModuleFunction> SequencedMap<GlobalVar, T> only(Class<T> kind) {
    SequencedMap<GlobalVar, T> found = new LinkedHashMap<>();
    functions.forEach(
        (name, function) -> {
          if (kind.isInstance(function)) {
            found.put(name, kind.cast(function));
          }
        });
    return found;
  }
}
