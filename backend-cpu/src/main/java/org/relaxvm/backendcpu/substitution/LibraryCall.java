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
import org.relaxvm.api.kernels.Activation;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.rewrite.IrVisitor;

/**
 * A call of a function of the kernel library that does what a kernel does. A kernel says so with
 * the attributes {@code library}, the name of the function, and {@code library.args}, its arguments
 * in order: names of the kernel's tensors and values, separated by commas. Where the tensor that
 * the function writes is a temporary of the kernel, the stages behind it must be what the function
 * can do too: adding a bias and a residual, an activation.
 *
 * <p>Immutable and thread-safe.
 */
public final class LibraryCall implements PackedFunc {
  /** Products of matrices with fewer multiplications are not worth the way into the library. */
  private static final long WORTH_IT = 1L << 16;

  private static final String MATMUL = "relaxvm.matmul";
  private static final String CONV2D = "relaxvm.conv2d";
  private static final String RESIDUAL = "_residual";
  private static final int FROM_VALUE = -1;

  private final String name;
  private final PackedFunc function;
  private final int transposed;
  private final int flattened;
  private final int[] places;
  private final @Nullable Object[] values;

  /**
   * A call.
   *
   * @param transposed where it is said that the left matrix is transposed; negative when nowhere
   * @param flattened which tensor is passed without its axes of one element; negative when none
   */
  private LibraryCall(
      String name, PackedFunc function, int transposed, int flattened, List<Slot> slots) {
    this.name = name;
    this.transposed = transposed;
    this.flattened = flattened;
    this.function = function;
    this.places = slots.stream().mapToInt(Slot::place).toArray();
    this.values = slots.stream().map(Slot::value).toArray();
  }

  /** An argument: its place among those of the kernel, or else a value. */
  private record Slot(int place, @Nullable Object value) {}

  /**
   * The call that a kernel can be replaced with.
   *
   * @param library finds functions by name, such as {@code relaxvm.matmul}
   * @return empty when the kernel names no function, one that is not there, or does more than it
   * @throws org.relaxvm.api.error.InvalidProgramException when the kernel names an argument in a
   *     way that cannot be read
   */
  public static Optional<LibraryCall> of(
      PrimFunc kernel, Function<String, Optional<PackedFunc>> library) {
    return LibraryHint.of(kernel).flatMap(hint -> of(kernel, hint, library));
  }

  private static Optional<LibraryCall> of(
      PrimFunc kernel, LibraryHint hint, Function<String, Optional<PackedFunc>> library) {
    Optional<Buffer> product = hint.output().flatMap(output -> buffer(kernel, output));
    if (product.isEmpty()) {
      return Optional.empty();
    }
    boolean convolution = hint.signature().name().equals(CONV2D);
    int biasAxis = convolution ? 1 : product.get().rank() - 1;
    if (biasAxis < 0 || biasAxis >= product.get().rank()) {
      return Optional.empty();
    }
    return Epilogue.of(kernel, product.get(), biasAxis)
        .filter(epilogue -> epilogue.isEmpty() || takes(hint, epilogue))
        .flatMap(epilogue -> with(kernel, hint, epilogue, library));
  }

  /** Whether the function has arguments for an epilogue that the hint does not use itself. */
  private static boolean takes(LibraryHint hint, Epilogue epilogue) {
    String function = hint.signature().name();
    HintArgument nothing = new HintArgument.OfValue(null);
    boolean plain =
        hint.argument("activation")
                .filter(new HintArgument.OfValue(Activation.NONE.text())::equals)
                .isPresent()
            && (function.equals(MATMUL) || function.equals(CONV2D));
    boolean hasBias = hint.argument("bias").filter(nothing::equals).isEmpty();
    boolean fits = epilogue.output().dtype().isFloat() || epilogue.activation().acceptsIntegers();
    return plain && fits && !(hasBias && epilogue.bias().isPresent());
  }

  private static Optional<LibraryCall> with(
      PrimFunc kernel,
      LibraryHint hint,
      Epilogue epilogue,
      Function<String, Optional<PackedFunc>> library) {
    List<HintArgument> arguments = new ArrayList<>(hint.arguments());
    String function = hint.signature().name();
    if (!epilogue.isEmpty()) {
      int bias = hint.signature().indexOf("bias");
      arguments.set(
          hint.signature().indexOf("activation"),
          new HintArgument.OfValue(epilogue.activation().text()));
      epilogue.bias().ifPresent(b -> arguments.set(bias, new HintArgument.OfTensor(b.name())));
      if (epilogue.residual().isPresent()) {
        function += RESIDUAL;
        arguments.add(bias + 1, new HintArgument.OfTensor(epilogue.residual().get().name()));
      }
    }
    arguments.set(arguments.size() - 1, new HintArgument.OfTensor(epilogue.output().name()));
    List<Slot> slots = new ArrayList<>();
    for (HintArgument argument : arguments) {
      switch (argument) {
        case HintArgument.OfValue(Object value) -> slots.add(new Slot(FROM_VALUE, value));
        case HintArgument.OfTensor(String tensor) -> {
          int place = place(kernel, tensor);
          if (place < 0) {
            return Optional.empty();
          }
          slots.add(new Slot(place, null));
        }
      }
    }
    String found = function;
    int moved = epilogue.residual().isPresent() ? 1 : 0;
    int transposed =
        hint.argument("transpose_a").isPresent()
            ? hint.signature().indexOf("transpose_a") + moved
            : -1;
    int flattened =
        epilogue.bias().filter(bias -> bias.rank() != 1).isPresent()
            ? hint.signature().indexOf("bias")
            : -1;
    return library
        .apply(found)
        .map(packed -> new LibraryCall(found, packed, transposed, flattened, slots));
  }

  /** The place of a tensor among the parameters; negative when it is none, or one of several. */
  private static int place(PrimFunc kernel, String tensor) {
    Optional<Buffer> buffer = buffer(kernel, tensor);
    return buffer.isEmpty() ? -1 : kernel.params().indexOf(new Param.OfBuffer(buffer.get()));
  }

  /** The one buffer of a name. */
  private static Optional<Buffer> buffer(PrimFunc kernel, String name) {
    List<Buffer> found = new ArrayList<>();
    new IrVisitor() {
      @Override
      public void visitBufferDefinition(Buffer buffer) {
        if (buffer.name().equals(name)) {
          found.add(buffer);
        }
      }
    }.visit(kernel);
    return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
  }

  /** The name of the library function. */
  public String name() {
    return name;
  }

  /** Whether for some arguments code of the kernel is better. */
  public boolean mayNotBeWorthIt() {
    return transposed >= 0;
  }

  /**
   * Whether a call is better than code of the kernel: products of matrices from some size on,
   * everything else always.
   *
   * @param args of the kernel
   */
  public boolean isWorthIt(CallArgs args) {
    if (!mayNotBeWorthIt()) {
      return true;
    }
    Shape left = args.tensorAt(places[0]).shape();
    Shape output = args.tensorAt(places[places.length - 1]).shape();
    if (left.rank() < 2) {
      return true;
    }
    boolean swapped = Boolean.TRUE.equals(values[transposed]);
    long depth = left.dim(left.rank() - (swapped ? 2 : 1));
    return output.elementCount() * depth >= WORTH_IT;
  }

  /**
   * Calls the function.
   *
   * @param args of the kernel, borrowed: what it has as parameters, in that order
   * @throws org.relaxvm.api.error.CallException when the function does not take them
   */
  @Override
  public void call(CallArgs args, CallResult result) {
    @Nullable Object[] mapped = new Object[places.length];
    for (int i = 0; i < places.length; i++) {
      Tensor tensor = places[i] == FROM_VALUE ? null : args.tensorAt(places[i]);
      mapped[i] = tensor != null ? tensor : values[i];
    }
    if (flattened < 0) {
      function.call(CallArgs.of(args.contextOrNull(), mapped), result);
      return;
    }
    Tensor bias = args.tensorAt(places[flattened]);
    try (Tensor flat = bias.reshape(Shape.of(bias.elementCount()))) {
      mapped[flattened] = flat;
      function.call(CallArgs.of(args.contextOrNull(), mapped), result);
    }
  }
}
