package org.relaxvm.backendsupport.vendor;

import java.util.Optional;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendsupport.launch.KernelArgument.Memory;

/** A library that multiplies matrices on a device. Thread-safe. */
public interface ProductLibrary {
  /** Its name and version, such as {@code cuBLAS 12.6.4}; empty where it is not there. */
  Optional<String> name();

  /** Whether it is there and is used for a product instead of a generated kernel. */
  boolean takes(Product product);

  /**
   * Enqueues a product that it takes. All memory is of the device, borrowed until the work is done.
   *
   * @param function what the product is part of, for messages and profiles
   * @param stream of the device
   * @param a starts with the first element
   * @param b starts with the first element
   * @param out where the result is written, apart from both
   * @throws org.relaxvm.api.error.RelaxException when the library or the device fails
   */
  void multiply(Product product, String function, Stream stream, Memory a, Memory b, Memory out);
}
