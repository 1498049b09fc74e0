package org.relaxvm.backendvulkan.context;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.backendvulkan.driver.Vulkan;
import org.relaxvm.backendvulkan.driver.VulkanStatusException;

/** An instance of Vulkan with the devices that it sees. Thread-safe. */
public final class Instance implements AutoCloseable {
  private final Vulkan vulkan;
  private final long handle;
  private final List<FoundDevice> devices;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Instance(Vulkan vulkan, long handle, List<FoundDevice> devices) {
    this.vulkan = vulkan;
    this.handle = handle;
    this.devices = devices;
  }

  /**
   * Makes an instance and asks which devices there are.
   *
   * @throws BackendException when the loader is too old, has no driver, or no device can be used,
   *     with what to do
   */
  public static Instance open(Vulkan vulkan) {
    int version = vulkan.loaderVersion();
    if (Integer.compareUnsigned(version, Vulkan.NEEDED_VERSION) < 0) {
      throw new BackendException(
          ErrorKind.RUNTIME,
          "the loader of Vulkan has version "
              + Vulkan.versionText(version)
              + ", but "
              + FoundDevice.NEEDED
              + " or later is needed"
              + "\n  what to do: install a newer one; on Debian this is the package libvulkan1");
    }
    long handle = create(vulkan);
    try {
      return new Instance(vulkan, handle, FoundDevice.all(vulkan, handle));
    } catch (RuntimeException e) {
      vulkan.destroyInstance(handle);
      throw e;
    }
  }

  private static long create(Vulkan vulkan) {
    try {
      return vulkan.createInstance();
    } catch (VulkanStatusException e) {
      throw switch (e.code()) {
        case Vulkan.INCOMPATIBLE_DRIVER -> noDriver(e);
        case Vulkan.LAYER_NOT_PRESENT -> noLayer(e);
        default -> unlisted(e);
      };
    }
  }

  private static BackendException noDriver(VulkanStatusException e) {
    return new BackendException(
        ErrorKind.RUNTIME,
        "the loader of Vulkan works, but finds no driver"
            + "\n  what to do: install the driver of the device, which puts a file *.json into"
            + " /usr/share/vulkan/icd.d (or where VK_DRIVER_FILES names it); on Debian this is the"
            + " package mesa-vulkan-drivers, which has one for the CPU, too",
        e);
  }

  private static BackendException noLayer(VulkanStatusException e) {
    return new BackendException(
        ErrorKind.RUNTIME,
        "the validation layer of Vulkan is asked for by -D"
            + Vulkan.VALIDATION
            + "=true, but the loader does not find it"
            + "\n  what to do: install it, on Debian the package vulkan-validationlayers, or leave"
            + " out the setting",
        e);
  }

  static BackendException unlisted(VulkanStatusException e) {
    return new BackendException(
        ErrorKind.RUNTIME,
        "the devices of Vulkan cannot be listed: "
            + e.getMessage()
            + "\n  what to do: see whether 'vulkaninfo' works; if not, install the driver again",
        e);
  }

  /** All devices that can be used, one at least. */
  public List<FoundDevice> devices() {
    return devices;
  }

  /**
   * Gives the instance back, after all that was made of its devices; once.
   *
   * @throws BackendException when the validation layer watched and found something wrong
   */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      vulkan.destroyInstance(handle);
      List<String> faults = vulkan.faults();
      if (!faults.isEmpty()) {
        throw new BackendException(
            ErrorKind.INTERNAL,
            "the validation layer of Vulkan found "
                + faults.size()
                + (faults.size() == 1 ? " fault" : " faults")
                + " in how its devices were used, of which the first is: "
                + faults.getFirst()
                + "\n  what to do: report it with this text; all of them are in the log");
      }
    }
  }
}
