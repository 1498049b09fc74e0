package org.relaxvm.backendcuda;

import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendcuda.cublas.Cublas;
import org.relaxvm.backendcuda.cublas.CublasLt;
import org.relaxvm.backendcuda.cublas.CublasSource;
import org.relaxvm.backendsupport.gpu.vendorgemm.Gemm;
import org.relaxvm.backendsupport.gpu.vendorgemm.GemmLibrary;
import org.relaxvm.backendsupport.gpu.vendorgemm.GemmMemory;
import org.relaxvm.tir.analysis.EpilogueFunction;

/**
 * GEMMs on a device by cuBLAS, and by cuBLASLt where they have an epilogue, where these are
 * installed. Thread-safe.
 */
record CublasLibrary(CudaDevice device, CublasSource source) implements GemmLibrary {
  @Override
  public Optional<String> name(DType dtype, boolean hasBias, EpilogueFunction function) {
    if (!Cublas.knows(dtype, function)) {
      return Optional.empty();
    }
    return hasBias || function != EpilogueFunction.NONE
        ? source.lt().map(CublasLt::toString)
        : source.library().map(Cublas::toString);
  }

  /** The library is looked for when a GEMM comes that it suits. */
  @Override
  public boolean takes(Gemm gemm) {
    return Cublas.suits(gemm) && name(gemm.dtype(), gemm.hasBias(), gemm.function()).isPresent();
  }

  @Override
  public boolean multiply(Gemm gemm, String function, Stream stream, GemmMemory memory) {
    return device.own(stream).multiply(function, gemm, memory);
  }
}
