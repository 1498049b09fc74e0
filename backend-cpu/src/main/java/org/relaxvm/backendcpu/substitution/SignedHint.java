package org.relaxvm.backendcpu.substitution;

import java.util.Optional;
import org.relaxvm.api.kernels.Activation;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.tir.analysis.Epilogue;
import org.relaxvm.tir.op.LibraryArg;
import org.relaxvm.tir.op.LibraryHint;

/** A hint with what the kernel library says about the function. */
record SignedHint(LibraryHint hint, KernelSignature signature) {
  private static final String MATMUL = "relaxvm.matmul";
  private static final String CONV2D = "relaxvm.conv2d";

  /** Empty when the kernel library of this release has no such function. */
  static Optional<SignedHint> of(LibraryHint hint) {
    return KernelLibrary.standard().signatures().stream()
        .filter(s -> s.name().equals(hint.function()))
        .filter(s -> s.arguments().size() == hint.args().size())
        .findFirst()
        .map(signature -> new SignedHint(hint, signature));
  }

  String function() {
    return hint.function();
  }

  boolean isConvolution() {
    return function().equals(CONV2D);
  }

  /** The argument of a name, if the function has one of that name. */
  Optional<LibraryArg> argument(String argument) {
    return signature.arguments().stream().anyMatch(a -> a.name().equals(argument))
        ? Optional.of(hint.args().get(signature.indexOf(argument)))
        : Optional.empty();
  }

  /** What tells whether the function is worth it; empty when it always is. */
  Optional<ProductSize> size() {
    return argument("transpose_b")
        .map(swapped -> new ProductSize(swapped.equals(new LibraryArg.OfBoolean(true))));
  }

  /** Whether the function has arguments for an epilogue that the hint does not use itself. */
  boolean takes(Epilogue epilogue) {
    boolean plain =
        argument("activation")
                .filter(new LibraryArg.OfText(Activation.NONE.text())::equals)
                .isPresent()
            && (function().equals(MATMUL) || isConvolution());
    boolean hasBias = argument("bias").filter(new LibraryArg.OfNull()::equals).isEmpty();
    boolean fits =
        epilogue
            .function()
            .activation()
            .filter(a -> epilogue.output().dtype().isFloat() || a.acceptsIntegers())
            .isPresent();
    return plain && fits && !(hasBias && epilogue.bias().isPresent());
  }
}
