package org.relaxvm.backendsupport.gpu.vendorgemm;

import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.tir.analysis.EpilogueFunction;

/** A library that multiplies matrices on a device. Thread-safe. */
public interface GemmLibrary {
  /**
   * The name and version of what computes GEMMs of a kind where they are large enough, such as
   * {@code cuBLAS 12.6.4}; empty where nothing does.
   *
   * @param hasBias whether a bias is added
   * @param function of each element
   */
  Optional<String> name(DType dtype, boolean hasBias, EpilogueFunction function);

  /** Whether it is there and is used for a GEMM instead of a generated kernel. */
  boolean takes(Gemm gemm);

  /**
   * Enqueues a GEMM that it takes.
   *
   * @param function what the GEMM is part of, for messages and profiles
   * @param stream of the device
   * @return whether it did; otherwise nothing was enqueued, as the library turned out to have
   *     nothing for such a GEMM
   * @throws org.relaxvm.api.error.RelaxException when the library or the device fails
   */
  boolean multiply(Gemm gemm, String function, Stream stream, GemmMemory memory);

  /**
   * Who computes large GEMMs of a kind, as the end of where a function comes from; empty where
   * nothing does.
   */
  default String origin(DType dtype, boolean hasBias, EpilogueFunction function) {
    return name(dtype, hasBias, function).map(name -> "; large products by " + name).orElse("");
  }
}
