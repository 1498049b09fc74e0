package org.relaxvm.backendsupport.gpu.kernellibrary;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.backendsupport.gpu.module.GpuDriver;
import org.relaxvm.backendsupport.gpu.vendorgemm.Factors;
import org.relaxvm.backendsupport.gpu.vendorgemm.GemmLibrary;
import org.relaxvm.backendsupport.gpu.vendorgemm.HintedGemm;
import org.relaxvm.tir.analysis.EpilogueFunction;
import org.relaxvm.tir.library.KernelRequest;
import org.relaxvm.tir.library.LibraryCall;
import org.relaxvm.tir.library.LibraryFormula;

/** A function of the library: finds or makes the kernel for a call and runs it. Thread-safe. */
final class LibraryFunction implements PackedFunc {
  private final KernelSignature signature;
  private final LibraryFormula formula;
  private final GpuDriver driver;
  private final KernelStore store;

  LibraryFunction(LibraryFormula formula, GpuDriver driver, KernelStore store) {
    this.signature = formula.signature();
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
    KernelRequest request = formula.request(call, driver.wantsGeneralKernels());
    try (KernelStore.Lease lease = store.lease(request.key(), () -> make(request))) {
      if (lease != null) {
        run(lease.kernel(), call, request);
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

  private @Nullable CompiledLibraryKernel make(KernelRequest request) {
    return request.make().map(kernel -> CompiledLibraryKernel.load(driver, kernel)).orElse(null);
  }

  private static void run(CompiledLibraryKernel kernel, LibraryCall call, KernelRequest request) {
    try {
      kernel.run(call);
    } catch (CallException e) {
      // The same in the words of the table, where it can be said in them.
      request.check();
      throw e;
    }
  }
}
