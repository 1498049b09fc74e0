package org.relaxvm.backendtestkit.corpus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.backendtestkit.definition.Definition;
import org.relaxvm.backendtestkit.definition.Definitions;
import org.relaxvm.backendtestkit.definition.ElementBits;
import org.relaxvm.backendtestkit.definition.Indices;
import org.relaxvm.backendtestkit.definition.KernelRequest;
import org.relaxvm.backendtestkit.definition.MemoryOperand;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.op.LibraryArg;

/** Compares a kernel with the definition of the library function that its hint names. */
final class LibraryAgreement {
  private static final Map<String, Definition> DEFINITIONS = Definitions.standard();

  private LibraryAgreement() {}

  /** What differs first; empty when nothing does. */
  static Optional<String> differs(
      KernelCase kernel, Map<String, Long> binding, KernelSignature signature) {
    List<Object> args = CorpusRun.arguments(kernel, binding);
    List<@Nullable Object> call = new ArrayList<>();
    for (LibraryArg arg : kernel.library().orElseThrow().args()) {
      call.add(value(kernel, args, arg));
    }
    KernelRequest request =
        KernelRequest.of(signature, CallArgs.of(call.toArray()), MemoryOperand::of);
    Definition definition = Objects.requireNonNull(DEFINITIONS.get(signature.name()));
    Definition.ElementFunction elements = definition.define(request);
    new Evaluator().run(kernel.function(), args);
    Tensor out = (Tensor) Objects.requireNonNull(call.getLast());
    MemoryOperand got = MemoryOperand.of(out);
    List<String> wrong = new ArrayList<>();
    Indices.forEach(
        out.shape(),
        index -> {
          long wanted = ElementBits.stored(elements.at(index), out.dtype());
          if (wrong.isEmpty() && !near(out.dtype(), wanted, got.bitsAt(index))) {
            wrong.add(
                kernel.name()
                    + " with "
                    + binding
                    + " at "
                    + Arrays.toString(index)
                    + ": the library has "
                    + ElementBits.toDouble(wanted, out.dtype())
                    + ", the kernel "
                    + ElementBits.toDouble(got.bitsAt(index), out.dtype()));
          }
        });
    return wrong.stream().findFirst();
  }

  private static @Nullable Object value(KernelCase kernel, List<Object> args, LibraryArg arg) {
    return switch (arg) {
      case LibraryArg.OfParam(String name) -> {
        for (int i = 0; i < args.size(); i++) {
          if (kernel.function().params().get(i).name().equals(name)) {
            yield args.get(i);
          }
        }
        throw new IllegalArgumentException(kernel.name() + " has no parameter " + name);
      }
      case LibraryArg.OfBoolean(boolean value) -> value;
      case LibraryArg.OfLong(long value) -> value;
      case LibraryArg.OfDouble(double value) -> value;
      case LibraryArg.OfText(String value) -> value;
      case LibraryArg.OfShape(List<Long> extents) ->
          Shape.of(extents.stream().mapToLong(Long::longValue).toArray());
      case LibraryArg.OfNull() -> null;
    };
  }

  private static boolean near(DType dtype, long wanted, long got) {
    if (!dtype.isFloat()) {
      return wanted == got;
    }
    double tolerance =
        switch (dtype.toString()) {
          case "float64" -> 1e-12;
          case "float32" -> 1e-5;
          case "float16" -> 2e-3;
          default -> 1e-2;
        };
    return new Tolerance(tolerance, 1, "definitions are rounded elsewhere")
        .accepts(dtype.bits() > 32 ? dtype : DType.FLOAT32, toDouble(wanted), toDouble(got));
  }

  private static double toDouble(long bits) {
    return Double.longBitsToDouble(bits);
  }
}
