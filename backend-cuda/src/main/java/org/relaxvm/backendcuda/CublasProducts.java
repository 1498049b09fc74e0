package org.relaxvm.backendcuda;

import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendcuda.cublas.Cublas;
import org.relaxvm.backendcuda.cublas.CublasLt;
import org.relaxvm.backendcuda.cublas.CublasSource;
import org.relaxvm.backendsupport.gpu.vendorgemm.Product;
import org.relaxvm.backendsupport.gpu.vendorgemm.ProductLibrary;
import org.relaxvm.backendsupport.gpu.vendorgemm.ProductPlaces;
import org.relaxvm.tir.analysis.EpilogueFunction;

/**
 * Products on a device by cuBLAS, and by cuBLASLt where something is after them, where these are
 * installed. Thread-safe.
 */
record CublasProducts(CudaDevice device, CublasSource source) implements ProductLibrary {
  @Override
  public Optional<String> name(DType dtype, boolean hasBias, EpilogueFunction function) {
    if (!Cublas.knows(dtype, function)) {
      return Optional.empty();
    }
    return hasBias || function != EpilogueFunction.NONE
        ? source.lt().map(CublasLt::toString)
        : source.library().map(Cublas::toString);
  }

  /** The library is looked for when a product comes that it suits. */
  @Override
  public boolean takes(Product product) {
    return Cublas.suits(product)
        && name(product.dtype(), product.hasBias(), product.function()).isPresent();
  }

  @Override
  public boolean multiply(Product product, String function, Stream stream, ProductPlaces places) {
    return device.own(stream).multiply(function, product, places);
  }
}
