package org.relaxvm.backendsupport.gpu.kernellibrary;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.api.spi.Module;
import org.relaxvm.backendsupport.gpu.module.GpuDriver;
import org.relaxvm.backendsupport.gpu.vendorgemm.GemmLibrary;
import org.relaxvm.backendsupport.gpu.vendorgemm.HintedGemm;
import org.relaxvm.tir.analysis.EpilogueFunction;
import org.relaxvm.tir.library.LibraryFormula;

/**
 * The kernel library of a device that runs kernels of the kernel IR. A function makes a kernel at
 * its first call and keeps it for later ones of the same dtypes, ranks and attributes; extents may
 * differ as long as those that were equal stay equal, but for extents that the kernel has to know,
 * such as the channels of a convolution. Kernels that are not used any more give way to others.
 *
 * <p>Tensors have to be on the device and to be row-major. An index that a tensor holds and that is
 * out of range reads 0 and writes nothing, as a GPU cannot raise an error.
 *
 * <p>Thread-safe.
 */
public final class GpuLibrary implements Module {
  /** How many kernels a library keeps by default. */
  public static final int CAPACITY = 512;

  private final GpuDriver driver;
  private final String origin;
  private final KernelStore store;
  private final Map<String, PackedFunc> functions = new LinkedHashMap<>();

  private GpuLibrary(GpuDriver driver, int capacity) {
    this.driver = driver;
    this.origin = "kernel library of " + driver.device().id();
    this.store = new KernelStore(driver.device().id(), capacity);
    LibraryFormula.all()
        .forEach(
            (name, formula) -> functions.put(name, new LibraryFunction(formula, driver, store)));
  }

  /**
   * The library of a device. Builds nothing yet.
   *
   * @return a module that is closed before the device
   */
  public static GpuLibrary of(GpuDriver driver) {
    return of(driver, CAPACITY);
  }

  /**
   * The library of a device.
   *
   * @param capacity how many kernels are kept; at least 1
   */
  public static GpuLibrary of(GpuDriver driver, int capacity) {
    return new GpuLibrary(driver, capacity);
  }

  @Override
  public String origin() {
    return origin;
  }

  @Override
  public String originOf(String function) {
    return function.equals(HintedGemm.FUNCTION)
        ? origin + driver.gemmLibrary().map(GpuLibrary::provider).orElse("")
        : origin;
  }

  private static String provider(GemmLibrary library) {
    String plain = library.origin(DType.FLOAT32, false, EpilogueFunction.NONE);
    return plain
        + library
            .name(DType.FLOAT32, true, EpilogueFunction.RELU)
            .map(
                name ->
                    (plain.isEmpty() ? "; large products" : ",") + " with bias or relu by " + name)
            .orElse("");
  }

  @Override
  public Set<String> functionNames() {
    return Set.copyOf(functions.keySet());
  }

  @Override
  public Optional<PackedFunc> find(String name) {
    return Optional.ofNullable(functions.get(name));
  }

  @Override
  public CallEffects effectsOf(String function) {
    return functions.containsKey(function)
        ? KernelLibrary.standard()
            .find(function)
            .map(KernelSignature::effects)
            .orElse(CallEffects.UNKNOWN)
        : CallEffects.UNKNOWN;
  }

  /** How many kernels are kept now. */
  public int kernels() {
    return store.size();
  }

  /** Called when the device is closed. */
  @Override
  public void close() {
    store.close();
  }
}
