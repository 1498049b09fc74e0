package org.relaxvm.backendcuda.process;

import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.backendcuda.CudaBackendProvider;

/** Opens the backend twice and says what came of it. */
final class OpenIt {
  private OpenIt() {}

  public static void main(String[] args) {
    System.out.println("probe: " + new CudaBackendProvider().probe().usable());
    for (int round = 0; round < 2; round++) {
      try (Backend backend = new CudaBackendProvider().open()) {
        System.out.println("devices: " + backend.devices());
      } catch (BackendException e) {
        System.out.println(e.kind() + ": " + e.getMessage());
      }
    }
  }
}
