package org.relaxvm.backendopencl;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.jocl.CL;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.backendopencl.driver.OpenCl;

/** What machines answer that have no device. */
@NeedsOpenCl
class EnumerationTest {
  private final FaultyDriver faults = new FaultyDriver();

  @Test
  void aLoaderWithoutDriversSaysWhatToInstall() {
    String message =
        "the loader of OpenCL works, but finds no driver\n  what to do: install the driver of the"
            + " device, which puts a file *.icd into /etc/OpenCL/vendors (or the folder that"
            + " OCL_ICD_VENDORS names); on Debian this is the package pocl-opencl-icd for the CPU";
    faults.fail("platforms", "clGetPlatformIDs", OpenCl.PLATFORM_NOT_FOUND);
    refuses(message);
    faults.heal("platforms");
    faults.answer("platforms", List.of());
    refuses(message);
  }

  @Test
  void aLoaderThatFailsSaysItsCode() {
    faults.fail("platforms", "clGetPlatformIDs", CL.CL_OUT_OF_HOST_MEMORY);
    refuses(
        "the platforms of OpenCL cannot be listed: clGetPlatformIDs failed with"
            + " CL_OUT_OF_HOST_MEMORY (-6)\n  what to do: see whether 'clinfo' works; if not,"
            + " install the driver again");
  }

  @Test
  void platformsWithoutDevicesAreNoDevices() {
    faults.answer("devices", List.of());
    refuses(
        "no platform of OpenCL has a device\n  what to do: see whether 'clinfo' shows the device,"
            + " and whether its driver is the right one for this machine");
  }

  @Test
  void aPlatformThatFailsIsLeftOutAndNamedWhenThereIsNoOther() {
    faults.fail("devices", "clGetDeviceIDs", CL.CL_OUT_OF_RESOURCES);
    assertThatThrownBy(() -> new OpenClBackendProvider(faults::driver).open())
        .isInstanceOf(BackendException.class)
        .hasMessageStartingWith(
            "no platform of OpenCL has a device: clGetDeviceIDs failed with CL_OUT_OF_RESOURCES"
                + " (-5)")
        .hasMessageEndingWith(
            "\n  what to do: see whether 'clinfo' shows the device, and whether its driver is the"
                + " right one for this machine");
  }

  private void refuses(String message) {
    assertThatThrownBy(() -> new OpenClBackendProvider(faults::driver).open())
        .isInstanceOf(BackendException.class)
        .hasMessage(message);
  }
}
