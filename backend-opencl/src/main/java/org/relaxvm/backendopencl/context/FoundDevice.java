package org.relaxvm.backendopencl.context;

import java.util.ArrayList;
import java.util.List;
import org.jocl.cl_device_id;
import org.jocl.cl_platform_id;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.backendopencl.driver.OpenCl;
import org.relaxvm.backendopencl.driver.OpenClStatusException;
import org.slf4j.LoggerFactory;

/**
 * A device that a driver offers.
 *
 * @param platform its platform
 * @param device the device
 * @param facts what it says of itself
 */
public record FoundDevice(cl_platform_id platform, cl_device_id device, DeviceFacts facts) {
  /**
   * All devices of all platforms, in the order of the platforms and then of the devices. Only asks.
   *
   * @return one at least
   * @throws BackendException when there are none, with what to do
   */
  public static List<FoundDevice> all(OpenCl cl) {
    List<FoundDevice> found = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    for (cl_platform_id platform : platforms(cl)) {
      try {
        for (cl_device_id device : cl.devices(platform)) {
          found.add(new FoundDevice(platform, device, DeviceFacts.of(cl, platform, device)));
        }
      } catch (OpenClStatusException e) {
        // One driver that does not work hides no other.
        LoggerFactory.getLogger(FoundDevice.class)
            .warn("a platform of OpenCL is left out: {}", e.getMessage());
        silent.add(e.getMessage());
      }
    }
    if (found.isEmpty()) {
      throw new BackendException(
          ErrorKind.RUNTIME,
          "no platform of OpenCL has a device"
              + (silent.isEmpty() ? "" : ": " + String.join(", ", silent))
              + "\n  what to do: see whether 'clinfo' shows the device, and whether its driver is"
              + " the right one for this machine");
    }
    return List.copyOf(found);
  }

  private static List<cl_platform_id> platforms(OpenCl cl) {
    try {
      List<cl_platform_id> platforms = cl.platforms();
      if (!platforms.isEmpty()) {
        return platforms;
      }
    } catch (OpenClStatusException e) {
      if (e.code() != OpenCl.PLATFORM_NOT_FOUND) {
        throw new BackendException(
            ErrorKind.RUNTIME,
            "the platforms of OpenCL cannot be listed: "
                + e.getMessage()
                + "\n  what to do: see whether 'clinfo' works; if not, install the driver again",
            e);
      }
    }
    throw new BackendException(
        ErrorKind.RUNTIME,
        "the loader of OpenCL works, but finds no driver"
            + "\n  what to do: install the driver of the device, which puts a file *.icd into"
            + " /etc/OpenCL/vendors (or the folder that OCL_ICD_VENDORS names); on Debian this is"
            + " the package pocl-opencl-icd for the CPU");
  }
}
