package org.relaxvm.backendcuda.context;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.backendcuda.driver.Cuda;
import org.relaxvm.backendcuda.driver.CudaStatusException;

/**
 * A device that the driver offers.
 *
 * @param ordinal its number in this process
 * @param facts what it says of itself
 */
public record FoundDevice(int ordinal, DeviceFacts facts) {
  /** The variable of the environment by which the driver hides devices and orders the others. */
  public static final String VISIBLE = "CUDA_VISIBLE_DEVICES";

  private static final int OLDEST_DRIVER = 12000;
  private static final int NO_DEVICE = 100;
  private static final int INVALID_DEVICE = 101;

  /**
   * All devices in the driver's order, those included that are too old to be used, so that each has
   * the driver's own number. Only asks.
   *
   * @param environment gives the value of a variable, or null
   * @return one at least
   * @throws BackendException when the driver is too old or there are no devices, with what to do
   */
  public static List<FoundDevice> all(Cuda cuda, UnaryOperator<@Nullable String> environment) {
    int version;
    int count;
    try {
      version = cuda.driverVersion();
      requireNewEnough(version);
      count = cuda.deviceCount();
    } catch (CudaStatusException e) {
      throw e.code() == NO_DEVICE || e.code() == INVALID_DEVICE
          ? none(environment, e)
          : unusable(e);
    }
    if (count == 0) {
      throw none(environment, null);
    }
    List<FoundDevice> found = new ArrayList<>();
    for (int ordinal = 0; ordinal < count; ordinal++) {
      try {
        found.add(new FoundDevice(ordinal, new DeviceFacts(cuda.report(ordinal), version)));
      } catch (CudaStatusException e) {
        throw unusable(e);
      }
    }
    return List.copyOf(found);
  }

  private static void requireNewEnough(int version) {
    if (version < OLDEST_DRIVER) {
      throw new BackendException(
          ErrorKind.RUNTIME,
          "the driver of CUDA is too old: it knows CUDA "
              + DeviceFacts.versionText(version)
              + ", but "
              + DeviceFacts.versionText(OLDEST_DRIVER)
              + " or later is needed"
              + "\n  what to do: install a newer driver of NVIDIA, 525 or later on Linux;"
              + " 'nvidia-smi' shows the version");
    }
  }

  private static BackendException none(
      UnaryOperator<@Nullable String> environment, @Nullable CudaStatusException e) {
    String visible = environment.apply(VISIBLE);
    return new BackendException(
        ErrorKind.RUNTIME,
        "the driver of CUDA finds no device"
            + (e == null ? "" : ": " + e.getMessage())
            + (visible == null
                ? "\n  what to do: see whether 'nvidia-smi' shows the device; in a container, start"
                    + " it with the device, such as 'docker run --gpus all'"
                : "\n  "
                    + VISIBLE
                    + " is '"
                    + visible
                    + "', and the driver shows only the devices that it lists, up to the first that"
                    + " does not exist\n"
                    + "  what to do: correct it or remove it from the environment; 'nvidia-smi -L'"
                    + " lists numbers and UUIDs"),
        e);
  }

  private static BackendException unusable(CudaStatusException e) {
    return new BackendException(
        ErrorKind.RUNTIME,
        "the devices of CUDA cannot be listed: "
            + e.getMessage()
            + "\n  what to do: see whether 'nvidia-smi' works; if not, start the machine again, as"
            + " after an update of the driver, or install the driver again",
        e);
  }
}
