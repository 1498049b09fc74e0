package org.relaxvm.backendsupport.gpu.vendorgemm;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.Epilogue;
import org.relaxvm.tir.analysis.EpilogueFunction;
import org.relaxvm.tir.analysis.KernelAnalysis;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.op.LibraryArg;
import org.relaxvm.tir.op.LibraryHint;

/**
 * A kernel that says of itself that it is a GEMM, with no epilogue but a bias and a function after
 * it.
 *
 * @param dtype of the result
 * @param a index of the parameter
 * @param b index of the parameter
 * @param bias index of the parameter; negative when there is none
 * @param function of each element
 * @param out index of the parameter
 */
public record HintedGemm(
    DType dtype,
    int a,
    boolean transposedA,
    int b,
    boolean transposedB,
    int bias,
    EpilogueFunction function,
    int out) {
  /** The function of the kernel library, of the arguments that {@link #of} reads. */
  public static final String FUNCTION = "relaxvm.matmul";

  private static final LibraryArg NO_BIAS = new LibraryArg.OfNull();
  private static final LibraryArg NO_ACTIVATION = new LibraryArg.OfText("none");
  private static final int NONE = -1;

  /**
   * The GEMM that a kernel is; empty when its {@linkplain LibraryHint hint} names none, or the
   * kernel does more.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when the hint cannot be read
   */
  public static Optional<HintedGemm> of(KernelAnalysis kernel) {
    return LibraryHint.of(kernel.kernel())
        .filter(hint -> hint.function().equals(FUNCTION) && hint.args().size() == 7)
        .map(LibraryHint::args)
        .filter(args -> args.get(2).equals(NO_BIAS) && args.get(5).equals(NO_ACTIVATION))
        .flatMap(args -> of(kernel, args));
  }

  private static Optional<HintedGemm> of(KernelAnalysis kernel, List<LibraryArg> args) {
    return LibraryHint.output(kernel)
        .filter(gemm -> gemm.rank() >= 2)
        .flatMap(gemm -> kernel.epilogue(gemm, gemm.rank() - 1))
        .filter(epilogue -> epilogue.residual().isEmpty())
        .flatMap(epilogue -> of(kernel, args, epilogue));
  }

  private static Optional<HintedGemm> of(
      KernelAnalysis analysis, List<LibraryArg> args, Epilogue epilogue) {
    PrimFunc kernel = analysis.kernel();
    int a = parameterIndex(analysis, args.get(0));
    int b = parameterIndex(analysis, args.get(1));
    int bias = epilogue.bias().map(buffer -> parameterIndex(kernel, buffer)).orElse(NONE);
    int out = parameterIndex(kernel, epilogue.output());
    List<Integer> indices =
        epilogue.bias().isEmpty() ? List.of(a, b, out) : List.of(a, b, bias, out);
    boolean whole =
        kernel.params().size() == indices.size()
            && indices.stream().allMatch(index -> index >= 0)
            && indices.stream().distinct().count() == indices.size();
    if (!whole) {
      return Optional.empty();
    }
    boolean transposedA = args.get(3).equals(new LibraryArg.OfBoolean(true));
    boolean transposedB = args.get(4).equals(new LibraryArg.OfBoolean(true));
    DType dtype = epilogue.output().dtype();
    return Optional.of(
        new HintedGemm(dtype, a, transposedA, b, transposedB, bias, epilogue.function(), out));
  }

  private static int parameterIndex(KernelAnalysis kernel, LibraryArg arg) {
    int index = arg instanceof LibraryArg.OfParam(String name) ? kernel.parameterIndex(name) : NONE;
    return index < 0
        ? NONE
        : parameterIndex(
            kernel.kernel(), ((Param.OfBuffer) kernel.kernel().params().get(index)).buffer());
  }

  /** The index of a parameter that is row-major; negative when there is none. */
  private static int parameterIndex(PrimFunc kernel, Buffer buffer) {
    return buffer.strides().isEmpty() && buffer.elemOffset().equals(IntImm.of(0))
        ? kernel.params().indexOf(new Param.OfBuffer(buffer))
        : NONE;
  }

  /** Who computes it where it is large enough, as the end of where a function comes from. */
  public String origin(GemmLibrary library) {
    return library.origin(dtype, bias >= 0, function);
  }

  /** The tensors of a call, by the indices of parameters. */
  public Factors factors(@Nullable Tensor[] tensors) {
    return new Factors(
        Objects.requireNonNull(tensors[a]),
        transposedA,
        Objects.requireNonNull(tensors[b]),
        transposedB,
        bias < 0 ? null : Objects.requireNonNull(tensors[bias]),
        function,
        Objects.requireNonNull(tensors[out]));
  }
}
