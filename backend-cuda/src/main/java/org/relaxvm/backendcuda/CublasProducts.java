package org.relaxvm.backendcuda;

import java.util.Optional;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendcuda.cublas.Cublas;
import org.relaxvm.backendcuda.cublas.CublasSource;
import org.relaxvm.backendsupport.launch.KernelArgument.Memory;
import org.relaxvm.backendsupport.vendor.Product;
import org.relaxvm.backendsupport.vendor.ProductLibrary;

/** Products on a device by cuBLAS, where it is installed and suits them. Thread-safe. */
record CublasProducts(CudaDevice device, CublasSource source) implements ProductLibrary {
  @Override
  public Optional<String> name() {
    return source.library().map(Cublas::version);
  }

  /** The library is looked for when a product comes that it suits. */
  @Override
  public boolean takes(Product product) {
    return Cublas.suits(product) && source.library().isPresent();
  }

  @Override
  public void multiply(
      Product product, String function, Stream stream, Memory a, Memory b, Memory out) {
    Cublas library = source.library().orElseThrow();
    device.own(stream).multiply(library, function, product, a, b, out);
  }
}
