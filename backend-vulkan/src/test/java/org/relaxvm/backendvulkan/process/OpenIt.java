package org.relaxvm.backendvulkan.process;

import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.backendvulkan.VulkanBackendProvider;

/** Opens the backend twice and says what came of it. */
final class OpenIt {
  private OpenIt() {}

  public static void main(String[] args) {
    System.out.println("probe: " + new VulkanBackendProvider().probe().usable());
    for (int round = 0; round < 2; round++) {
      try (Backend backend = new VulkanBackendProvider().open()) {
        System.out.println("devices: " + backend.devices());
        backend.devices().getFirst().openStream().close();
      } catch (BackendException e) {
        System.out.println(e.kind() + ": " + e.getMessage());
      }
    }
  }
}
