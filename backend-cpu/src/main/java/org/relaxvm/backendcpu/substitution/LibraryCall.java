package org.relaxvm.backendcpu.substitution;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.Epilogue;
import org.relaxvm.tir.analysis.KernelAnalysis;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.op.LibraryArg;
import org.relaxvm.tir.op.LibraryHint;

/**
 * A call of a function of the kernel library that does what a kernel does. A kernel says so with a
 * {@link LibraryHint}. Where the tensor that the function writes is a temporary of the kernel, the
 * stages after it must be what the function can do too: adding a bias and a residual, an
 * activation.
 *
 * <p>Immutable and thread-safe.
 */
public final class LibraryCall implements PackedFunc {
  private static final String RESIDUAL = "_residual";
  private static final int FROM_VALUE = -1;

  private final String name;
  private final PackedFunc function;
  private final Worth worth;
  private final boolean flattensBias;
  private final int bias;
  private final int[] parameters;
  private final @Nullable Object[] values;

  private LibraryCall(
      String name,
      PackedFunc function,
      Worth worth,
      boolean flattensBias,
      int bias,
      int[] parameters,
      @Nullable Object[] values) {
    this.name = name;
    this.function = function;
    this.worth = worth;
    this.flattensBias = flattensBias;
    this.bias = bias;
    this.parameters = parameters;
    this.values = values;
  }

  /** Whether a call is better than code of the kernel. */
  private sealed interface Worth {
    /** For all calls, or for none. */
    record Known(boolean value) implements Worth {}

    /** For products of some size, with the operands as the first two arguments. */
    record BySize(ProductSize size) implements Worth {}
  }

  /**
   * The call that a kernel can be replaced with.
   *
   * @param library finds functions by name, such as {@code relaxvm.matmul}
   * @return empty when the kernel names no function, one that is not there, or does more than it
   * @throws org.relaxvm.api.error.InvalidProgramException when the kernel names an argument in a
   *     way that cannot be read
   */
  public static Optional<LibraryCall> of(
      KernelAnalysis kernel, Function<String, Optional<PackedFunc>> library) {
    return LibraryHint.of(kernel.kernel())
        .flatMap(SignedHint::of)
        .flatMap(hint -> of(kernel, hint, library));
  }

  private static Optional<LibraryCall> of(
      KernelAnalysis kernel, SignedHint hint, Function<String, Optional<PackedFunc>> library) {
    Optional<Buffer> product = LibraryHint.output(kernel);
    if (product.isEmpty()) {
      return Optional.empty();
    }
    int biasAxis = hint.isConvolution() ? 1 : product.get().rank() - 1;
    if (biasAxis < 0 || biasAxis >= product.get().rank()) {
      return Optional.empty();
    }
    return kernel
        .epilogue(product.get(), biasAxis)
        .filter(epilogue -> epilogue.isEmpty() || hint.takes(epilogue))
        .flatMap(epilogue -> with(kernel, hint, epilogue, library));
  }

  private static Optional<LibraryCall> with(
      KernelAnalysis kernel,
      SignedHint hint,
      Epilogue epilogue,
      Function<String, Optional<PackedFunc>> library) {
    List<LibraryArg> arguments = new ArrayList<>(hint.hint().args());
    String function = hint.function();
    int bias = hint.argument("bias").isPresent() ? hint.signature().indexOf("bias") : FROM_VALUE;
    if (!epilogue.isEmpty()) {
      arguments.set(
          hint.signature().indexOf("activation"),
          new LibraryArg.OfText(epilogue.function().activation().orElseThrow().text()));
      epilogue.bias().ifPresent(b -> arguments.set(bias, new LibraryArg.OfParam(b.name())));
      if (epilogue.residual().isPresent()) {
        function += RESIDUAL;
        arguments.add(bias + 1, new LibraryArg.OfParam(epilogue.residual().get().name()));
      }
    }
    arguments.set(arguments.size() - 1, new LibraryArg.OfParam(epilogue.output().name()));
    int[] parameters = new int[arguments.size()];
    @Nullable Object[] values = new Object[arguments.size()];
    for (int i = 0; i < parameters.length; i++) {
      boolean tensor = arguments.get(i) instanceof LibraryArg.OfParam;
      parameters[i] = tensor ? kernel.parameterIndex(arguments.get(i).text()) : FROM_VALUE;
      values[i] = value(arguments.get(i));
      if (tensor && parameters[i] < 0) {
        return Optional.empty();
      }
    }
    String found = function;
    boolean flattens = epilogue.bias().filter(buffer -> buffer.rank() != 1).isPresent();
    Worth worth = worth(kernel.kernel(), hint, parameters);
    return library
        .apply(found)
        .map(packed -> new LibraryCall(found, packed, worth, flattens, bias, parameters, values));
  }

  private static Worth worth(PrimFunc kernel, SignedHint hint, int[] parameters) {
    Optional<ProductSize> size = hint.size();
    if (size.isEmpty() || parameters[0] < 0 || parameters[1] < 0) {
      return new Worth.Known(true);
    }
    Optional<Boolean> known =
        size.get()
            .isWorthIt(
                buffer(kernel, parameters[0]).shape(), buffer(kernel, parameters[1]).shape());
    return known.isPresent() ? new Worth.Known(known.get()) : new Worth.BySize(size.get());
  }

  /** What the function gets for a value: a Boolean, Long, Double, String, Shape or null. */
  private static @Nullable Object value(LibraryArg argument) {
    return switch (argument) {
      case LibraryArg.OfBoolean(boolean value) -> value;
      case LibraryArg.OfLong(long value) -> value;
      case LibraryArg.OfDouble(double value) -> value;
      case LibraryArg.OfText(String value) -> value;
      case LibraryArg.OfShape(List<Long> extents) ->
          Shape.of(extents.stream().mapToLong(Long::longValue).toArray());
      case LibraryArg.OfNull() -> null;
      case LibraryArg.OfParam(String tensor) -> null;
    };
  }

  private static Buffer buffer(PrimFunc kernel, int parameter) {
    return ((Param.OfBuffer) kernel.params().get(parameter)).buffer();
  }

  /** The name of the library function. */
  public String name() {
    return name;
  }

  /** Whether for some arguments a call may be better than code of the kernel. */
  public boolean mayBeWorthIt() {
    return !worth.equals(new Worth.Known(false));
  }

  /** Whether for some arguments code of the kernel may be better. */
  public boolean mayNotBeWorthIt() {
    return !worth.equals(new Worth.Known(true));
  }

  /**
   * Whether a call is better than code of the kernel: matrix products from some size on, everything
   * else always.
   *
   * @param args of the kernel
   */
  public boolean isWorthIt(CallArgs args) {
    return switch (worth) {
      case Worth.Known(boolean value) -> value;
      case Worth.BySize(ProductSize size) ->
          size.isWorthIt(
              args.tensorAt(parameters[0]).shape(), args.tensorAt(parameters[1]).shape());
    };
  }

  /** The indices of the tensors that the function gets, each once, that of the output last. */
  List<Integer> tensors() {
    List<Integer> used = new ArrayList<>();
    for (int parameter : parameters) {
      if (parameter != FROM_VALUE && !used.contains(parameter)) {
        used.add(parameter);
      }
    }
    return used;
  }

  /** The same call for those arguments alone that are {@link #tensors}. */
  LibraryCall ofTensors() {
    List<Integer> used = tensors();
    int[] own = new int[parameters.length];
    for (int i = 0; i < own.length; i++) {
      own[i] = parameters[i] == FROM_VALUE ? FROM_VALUE : used.indexOf(parameters[i]);
    }
    return new LibraryCall(name, function, worth, flattensBias, bias, own, values);
  }

  /**
   * Calls the function.
   *
   * @param args of the kernel, borrowed: what it has as parameters, in that order
   * @throws org.relaxvm.api.error.CallException when the function does not take them
   */
  @Override
  public void call(CallArgs args, CallResult result) {
    @Nullable Object[] mapped = new Object[parameters.length];
    for (int i = 0; i < parameters.length; i++) {
      Tensor tensor = parameters[i] == FROM_VALUE ? null : args.tensorAt(parameters[i]);
      mapped[i] = tensor != null ? tensor : values[i];
    }
    if (!flattensBias) {
      function.call(CallArgs.of(args.contextOrNull(), mapped), result);
      return;
    }
    Tensor given = args.tensorAt(parameters[bias]);
    try (Tensor flat = given.reshape(Shape.of(given.elementCount()))) {
      mapped[bias] = flat;
      function.call(CallArgs.of(args.contextOrNull(), mapped), result);
    }
  }
}
