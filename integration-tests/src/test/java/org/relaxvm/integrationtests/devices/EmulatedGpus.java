package org.relaxvm.integrationtests.devices;

import java.util.ServiceLoader;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.backendcuda.CudaBackendProvider;
import org.relaxvm.backendcuda.EmulatedGpu;
import org.relaxvm.backendcuda.emulation.NeedsHostCompiler;

/**
 * What this machine offers, and {@code cuda:0} in any case: where there is no GPU of NVIDIA, an
 * emulated one. All of the backend takes part but the calls of the driver and NVRTC.
 */
public final class EmulatedGpus {
  private EmulatedGpus() {}

  /** Whether {@code cuda:0} is played. */
  public static boolean arePlayed() {
    try {
      new CudaBackendProvider().open().close();
      return false;
    } catch (BackendException _) {
      return true;
    }
  }

  /** The registry, which the caller closes; skips the test where nothing can play a GPU. */
  public static BackendRegistry open() {
    if (!arePlayed()) {
      return BackendRegistry.discover();
    }
    NeedsHostCompiler.require();
    BackendRegistry.Builder builder = BackendRegistry.builder();
    ServiceLoader.load(BackendProvider.class)
        .forEach(provider -> builder.add(isCuda(provider) ? EmulatedGpu.provider() : provider));
    ServiceLoader.load(FunctionProvider.class).forEach(builder::add);
    return builder.build();
  }

  private static boolean isCuda(BackendProvider provider) {
    return provider instanceof CudaBackendProvider;
  }
}
