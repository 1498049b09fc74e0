package org.relaxvm.backendcuda.driver;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jcuda.CudaException;
import jcuda.driver.JCudaDriver;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.backendsupport.gpu.device.NativeLibraries;

/**
 * Loads the driver of CUDA, and with it the native part of JCuda. Stateless.
 *
 * <p>Rationale: docs/rationale/backend-cuda.md, "Why is every driver function looked up before
 * JCuda is used?"
 */
final class JcudaLibrary {
  private static final boolean WINDOWS = System.getProperty("os.name").startsWith("Windows");
  private static final String DRIVER = WINDOWS ? "nvcuda.dll" : "libcuda.so.1";

  /** Where drivers are that the system's loader is not told of: WSL, distributions, containers. */
  private static final List<String> FOLDERS =
      List.of(
          "/usr/lib/wsl/lib",
          "/usr/lib64",
          "/usr/lib64/nvidia",
          "/usr/lib/nvidia",
          "/usr/lib/x86_64-linux-gnu",
          "/usr/lib/aarch64-linux-gnu",
          "/usr/local/nvidia/lib64",
          "/run/opengl-driver/lib");

  private JcudaLibrary() {}

  static LibCuda load() {
    SymbolLookup driver = driver();
    LibCuda direct;
    try {
      direct = new LibCuda(driver);
    } catch (IllegalArgumentException e) {
      throw tooOld(e);
    }
    try {
      // Whatever comes first initializes the class. Codes are looked at here, not thrown.
      NativeLibraries.initialize("jcuda", () -> JCudaDriver.setExceptionsEnabled(false));
    } catch (LinkageError | IOException | CudaException e) {
      throw NativeLibraries.unusable(
          "JCuda", "have the jar jcuda-natives of this system on the class path, and ", e);
    }
    return direct;
  }

  /**
   * The library of the driver, which stays loaded. JCuda's own asks for it by its name, which the
   * system's loader knows from then on, wherever it was found.
   */
  private static SymbolLookup driver() {
    for (String name : candidates()) {
      SymbolLookup found = open(name);
      if (found != null) {
        return found;
      }
    }
    throw noDriver();
  }

  private static List<String> candidates() {
    List<String> names = new ArrayList<>();
    names.add(DRIVER);
    if (!WINDOWS) {
      // The system's loader looks into the folders of LD_LIBRARY_PATH by itself.
      for (String folder : FOLDERS) {
        Path file = Path.of(folder, DRIVER);
        if (Files.isRegularFile(file)) {
          names.add(file.toString());
        }
      }
    }
    return names;
  }

  @SuppressWarnings("restricted")
  private static @Nullable SymbolLookup open(String name) {
    try {
      return SymbolLookup.libraryLookup(name, Arena.global());
    } catch (IllegalArgumentException _) {
      // The next one.
      return null;
    }
  }

  private static BackendException tooOld(IllegalArgumentException missing) {
    return new BackendException(
        ErrorKind.RUNTIME,
        "the driver of CUDA is too old: it has no function "
            + missing.getMessage()
            + ", which those of CUDA 12.0 and later have"
            + "\n  what to do: install a newer driver of NVIDIA; 'nvidia-smi' shows the version",
        missing);
  }

  private static BackendException noDriver() {
    return new BackendException(
        ErrorKind.RUNTIME,
        "the driver of CUDA ("
            + DRIVER
            + ") cannot be loaded"
            + "\n  what to do: install the driver of NVIDIA and see whether 'nvidia-smi' shows the"
            + " device; in a container, start it with the device, such as 'docker run --gpus"
            + " all'; where the driver lies in a folder of its own, name that in LD_LIBRARY_PATH",
        null);
  }
}
