package org.relaxvm.backendsupport.gpu.kernellibrary;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.backendsupport.gpu.module.GpuDriver;
import org.relaxvm.backendsupport.gpu.vendorgemm.Factors;
import org.relaxvm.backendsupport.gpu.vendorgemm.GemmLibrary;
import org.relaxvm.backendsupport.gpu.vendorgemm.HintedGemm;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.EpilogueFunction;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.te.TensorExpr;

/** A function of the library: finds or makes the kernel for a call and runs it. Thread-safe. */
final class LibraryFunction implements PackedFunc {
  private final KernelSignature signature;
  private final Formula formula;
  private final GpuDriver driver;
  private final KernelStore store;

  LibraryFunction(KernelSignature signature, Formula formula, GpuDriver driver, KernelStore store) {
    this.signature = signature;
    this.formula = formula;
    this.driver = driver;
    this.store = store;
  }

  @Override
  public void call(CallArgs args, CallResult result) {
    LibraryCall call = LibraryCall.checked(signature, args, driver.device());
    if (isMultiplied(call)) {
      return;
    }
    boolean flat = formula.flat().test(call);
    CallExtents extents = formula.extents(call, driver.wantsGeneralKernels());
    try (KernelStore.Lease lease =
        store.lease(key(call, extents, flat), () -> make(call, extents, flat))) {
      if (lease != null) {
        run(lease.kernel(), call, flat);
      }
    } catch (InvalidProgramException e) {
      throw new CallException(e.kind(), signature.name() + ": " + e.summary(), e);
    } catch (RelaxException e) {
      if (!e.summary().startsWith(signature.name())) {
        e.addLocation("library function " + signature.name());
      }
      throw e;
    }
  }

  /** Whether the call is a GEMM that a library of the vendor was given. */
  private boolean isMultiplied(LibraryCall call) {
    Optional<GemmLibrary> library = driver.gemmLibrary();
    if (library.isEmpty() || !signature.name().equals(HintedGemm.FUNCTION)) {
      return false;
    }
    Optional<EpilogueFunction> function = EpilogueFunction.of(call.attribute("activation"));
    if (function.isEmpty()) {
      return false;
    }
    List<Tensor> bias = call.tensors("bias");
    Factors factors =
        new Factors(
            call.tensors("a").getFirst(),
            call.flag("transpose_a"),
            call.tensors("b").getFirst(),
            call.flag("transpose_b"),
            bias.isEmpty() ? null : bias.getFirst(),
            function.get(),
            call.output());
    try {
      return factors.multiply(library.get(), driver.device(), signature.name(), call.args());
    } catch (RelaxException e) {
      e.addLocation("library function " + signature.name());
      throw e;
    }
  }

  private void run(CompiledLibraryKernel kernel, LibraryCall call, boolean flat) {
    try {
      kernel.run(call);
    } catch (CallException e) {
      // The same in the words of the table, where it can be said in them.
      check(call, flat);
      throw e;
    }
  }

  /** All that the kernel depends on. */
  private List<@Nullable Object> key(LibraryCall call, CallExtents extents, boolean flat) {
    List<@Nullable Object> key = new ArrayList<>();
    key.add(signature.name());
    key.add(flat);
    CallArgs args = call.args();
    for (int i = 0; i < args.count(); i++) {
      List<Tensor> tensors = call.tensors(i);
      if (tensors.isEmpty()) {
        key.add(args.at(i));
      }
      for (Tensor tensor : tensors) {
        key.add(tensor.dtype());
        key.add(codes(tensor, extents, flat));
      }
    }
    return key;
  }

  private static List<Long> codes(Tensor tensor, CallExtents extents, boolean flat) {
    return flat
        ? List.of(extents.code(tensor.elementCount()))
        : Arrays.stream(tensor.shape().toArray()).map(extents::code).boxed().toList();
  }

  private @Nullable CompiledLibraryKernel make(
      LibraryCall call, CallExtents extents, boolean flat) {
    check(call, flat);
    if (call.output().elementCount() == 0) {
      return null;
    }
    Operands operands = new Operands(call, extents, flat);
    TensorExpr out = formula.result().apply(operands);
    PrimFunc kernel = operands.kernel().build(out);
    return CompiledLibraryKernel.load(driver, kernel, operands.sources(), flat);
  }

  private void check(LibraryCall call, boolean flat) {
    Operands operands = new Operands(call, CallExtents.constant(), flat);
    checkShape(call, formula.result().apply(operands), flat);
  }

  private static void checkShape(LibraryCall call, TensorExpr out, boolean flat) {
    Analyzer analyzer = new Analyzer();
    long[] dims = new long[out.shape().size()];
    for (int axis = 0; axis < dims.length; axis++) {
      PrimExpr extent = analyzer.simplify(out.shape().get(axis));
      if (!(extent instanceof IntImm constant)) {
        throw new IllegalStateException("the extent " + extent + " is not known");
      }
      dims[axis] = constant.value();
    }
    Shape expected = Shape.of(dims);
    Shape given = call.output().shape();
    if (flat && expected.elementCount() != given.elementCount()) {
      throw call.wrong(
          Operands.OUT, "a shape of " + expected.elementCount() + " elements", "shape " + given);
    }
    if (!flat && !expected.equals(given)) {
      throw call.wrong(Operands.OUT, "shape " + expected, "shape " + given);
    }
  }
}
