package org.relaxvm.backendtestkit.corpus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendtestkit.cache.ExpectedTensors;
import org.relaxvm.backendtestkit.definition.ElementBits;
import org.relaxvm.backendtestkit.definition.Indices;
import org.relaxvm.backendtestkit.definition.MemoryOperand;
import org.relaxvm.tir.PrimFunc;

/**
 * Runs kernels of the corpus in some way and compares all of their tensors, inputs included, with
 * those that the evaluator leaves. Stateless.
 */
public final class CorpusRun {
  private CorpusRun() {}

  /**
   * The arguments of a run: tensors on the host, with the strides that the parameters ask for,
   * longs, doubles and booleans. The same values each time, in new memory.
   */
  public static List<Object> arguments(KernelCase kernel, Map<String, Long> binding) {
    return CaseArguments.make(kernel, binding);
  }

  /**
   * The arguments of a run after the evaluator ran the kernel, or as a cache of earlier runs has
   * them: {@link ExpectedTensors}.
   */
  public static List<Object> expected(KernelCase kernel, Map<String, Long> binding) {
    List<Object> arguments = arguments(kernel, binding);
    ExpectedTensors.ofEnvironment().run(kernel.function(), arguments);
    return arguments;
  }

  /**
   * Runs a kernel with each of its bindings.
   *
   * @param runner runs a kernel on arguments as {@link #arguments} makes them, in place
   * @return the first wrong element; empty when all are right
   */
  public static Optional<Mismatch> run(
      KernelCase kernel, BiConsumer<PrimFunc, List<Object>> runner) {
    for (Map<String, Long> binding : kernel.bindings()) {
      List<Object> expected = expected(kernel, binding);
      List<Object> got = arguments(kernel, binding);
      runner.accept(kernel.function(), got);
      Optional<Mismatch> mismatch = compare(kernel, binding, expected, got);
      if (mismatch.isPresent()) {
        return mismatch;
      }
    }
    return Optional.empty();
  }

  /**
   * The first element of a tensor that differs too much.
   *
   * @param expected arguments after the run that is right
   * @param got the same after the other run; tensors may be on the host only
   */
  public static Optional<Mismatch> compare(
      KernelCase kernel, Map<String, Long> binding, List<Object> expected, List<Object> got) {
    return compare(kernel, binding, kernel.tolerance(), expected, got);
  }

  /**
   * The first element of a tensor that differs too much.
   *
   * @param tolerance in place of the kernel's own
   * @param expected arguments after the run that is right
   * @param got the same after the other run; tensors may be on the host only
   */
  public static Optional<Mismatch> compare(
      KernelCase kernel,
      Map<String, Long> binding,
      Tolerance tolerance,
      List<Object> expected,
      List<Object> got) {
    for (int i = 0; i < expected.size(); i++) {
      if (expected.get(i) instanceof Tensor right && got.get(i) instanceof Tensor other) {
        String param = kernel.function().params().get(i).name();
        List<Mismatch> found = new ArrayList<>();
        MemoryOperand a = MemoryOperand.of(right);
        MemoryOperand b = MemoryOperand.of(other);
        Indices.forEach(
            right.shape(),
            index -> {
              long wanted = a.bitsAt(index);
              long there = b.bitsAt(index);
              if (found.isEmpty() && !accepts(tolerance, right.dtype(), wanted, there)) {
                found.add(
                    new Mismatch(
                        kernel.name(),
                        binding,
                        param,
                        Arrays.toString(index),
                        text(wanted, right.dtype()),
                        text(there, right.dtype())));
              }
            });
        if (!found.isEmpty()) {
          return Optional.of(found.getFirst());
        }
      }
    }
    return Optional.empty();
  }

  private static boolean accepts(Tolerance tolerance, DType dtype, long expected, long got) {
    return dtype.isFloat()
        ? tolerance.accepts(
            dtype, ElementBits.toDouble(expected, dtype), ElementBits.toDouble(got, dtype))
        : expected == got;
  }

  private static String text(long bits, DType dtype) {
    if (dtype.isFloat()) {
      return String.valueOf(Double.longBitsToDouble(bits));
    }
    return ElementBits.isUnsigned(dtype) ? Long.toUnsignedString(bits) : String.valueOf(bits);
  }
}
