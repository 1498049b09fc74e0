package org.relaxvm.backendcuda.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The calls of a driver that is really loaded, and machines on which none can be. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "it puts files in the way of the loader of Linux")
@EnabledIfSystemProperty(
    named = "os.arch",
    matches = "amd64",
    disabledReason = "JCuda has native code for this processor only")
class DriverTest {
  private static final String NO_DRIVER =
      "RuntimeError: the driver of CUDA (libcuda.so.1) cannot be loaded\n"
          + "  what to do: install the driver of NVIDIA and see whether 'nvidia-smi' shows the"
          + " device; in a container, start it with the device, such as 'docker run --gpus all';"
          + " where the driver lies in a folder of its own, name that in LD_LIBRARY_PATH\n";

  @TempDir Path folder;

  private String run(Class<?> main, Map<String, String> more, List<String> flags)
      throws IOException, InterruptedException {
    Map<String, String> environment = new HashMap<>(more);
    environment.put("LD_LIBRARY_PATH", folder.toString());
    return ChildJvm.run(main, environment, flags);
  }

  @Test
  void eachCallReachesTheDriver() throws IOException, InterruptedException {
    FakeLibrary.compile(folder);
    assertThat(run(UseDriver.class, Map.of(), List.of()))
        .isEqualTo(
            """
            version: 12080
            devices: 1
            DeviceReport[name=Fake GPU, uuid=GPU-a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf, major=9, \
            minor=0, totalMemory=25769803776, multiprocessors=114, warpSize=32, maxThreads=1024, \
            maxBlock=(1024,1024,64), maxGrid=(2147483647,65535,65535), sharedBytes=49152, \
            sharedBytesAllowed=232448, l2Bytes=52428800, memoryPools=true, integrated=false]
            reach: false
            cuDeviceGet failed with CUDA_ERROR_INVALID_DEVICE (101)
            FreeMemory[free=3221225472, total=25769803776]
            aligned: true
            copied: [0, 1, 2, 3]
            cuMemAlloc failed with CUDA_ERROR_OUT_OF_MEMORY (2)
            cuMemAllocAsync failed with CUDA_ERROR_OUT_OF_MEMORY (2)
            pinned: 64 of 7
            before: false
            after: true, 1.5
            cuEventElapsedTime failed with CUDA_ERROR_INVALID_HANDLE (400)
            FunctionReport[maxThreads=512, registers=40, sharedBytes=256, localBytes=16]
            filled: [2.5, 2.5, 2.5, 0.0]
            cuLaunchKernel failed with CUDA_ERROR_INVALID_VALUE (1)
            plain: [70000, 2, 3, 32, 5, 6, 100, 0, 0]
            extended: [8, 9, 10, 4, 5, 6, 200, 4, 1, 4, 2, 1, 1, 11, 16, 1, 1, 6, 1, 0, 0, 2, 1, 0, 0]
            cuModuleGetFunction failed with CUDA_ERROR_NOT_FOUND (500)
            cuModuleLoadDataEx failed with CUDA_ERROR_INVALID_PTX (218): ptxas application ptx \
            input, line 1; fatal: bad
            cuStreamSynchronize failed with CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED (900)
            graph: true
            cuStreamEndCapture failed with CUDA_ERROR_INVALID_VALUE (1)
            live: {CONTEXT=1, STREAM=1}
            left: {}
            """);
  }

  @Test
  void aPartOfADeviceHasItsOwnUuid() throws IOException, InterruptedException {
    FakeLibrary.compile(folder);
    assertThat(run(UseDriver.class, Map.of("FAKE_CUDA_PART", "1"), List.of()))
        .contains("name=Fake GPU, uuid=MIG-a0a1a2a3-a4a5-a6a7-a8a9-aaabacadae01, ");
  }

  @Test
  void theBackendOpensWhatItFinds() throws IOException, InterruptedException {
    FakeLibrary.compile(folder);
    assertThat(run(OpenIt.class, Map.of(), List.of()))
        .isEqualTo("probe: true\ndevices: [cuda:0]\ndevices: [cuda:0]\n");
  }

  @Test
  void withoutADriverTheMessageSaysWhatToInstall() throws IOException, InterruptedException {
    NoDriver.assume();
    // Found first, and no library.
    Files.writeString(folder.resolve("libcuda.so.1"), "no library");
    assertThat(run(OpenIt.class, Map.of(), List.of()))
        .isEqualTo("probe: true\n" + NO_DRIVER + NO_DRIVER);
  }

  @Test
  void aDriverThatIsTooOldIsNotAskedForMore() throws IOException, InterruptedException {
    FakeLibrary.compile(folder);
    String tooOld =
        "RuntimeError: the driver of CUDA is too old: it knows CUDA 11.8, but 12.0 or later is"
            + " needed\n  what to do: install a newer driver of NVIDIA, 525 or later on Linux;"
            + " 'nvidia-smi' shows the version\n";
    assertThat(run(OpenIt.class, Map.of("FAKE_CUDA_VERSION", "11080"), List.of()))
        .isEqualTo("probe: true\n" + tooOld + tooOld);
  }

  @Test
  void aDriverThatLacksAFunctionIsNotCalled() throws IOException, InterruptedException {
    FakeLibrary.compile(folder, "-DTOO_OLD");
    String tooOld =
        "RuntimeError: the driver of CUDA is too old: it has no function cuLaunchKernelEx, which"
            + " those of CUDA 12.0 and later have\n  what to do: install a newer driver of NVIDIA;"
            + " 'nvidia-smi' shows the version\n";
    assertThat(run(OpenIt.class, Map.of(), List.of())).isEqualTo("probe: true\n" + tooOld + tooOld);
  }

  @Test
  void aDriverWithoutDevicesSaysWhatHidesThem() throws IOException, InterruptedException {
    FakeLibrary.compile(folder);
    assertThat(
            run(
                OpenIt.class,
                Map.of("FAKE_CUDA_INIT", "100", "CUDA_VISIBLE_DEVICES", ""),
                List.of()))
        .startsWith(
            "probe: true\nRuntimeError: the driver of CUDA finds no device: cuInit failed with"
                + " CUDA_ERROR_NO_DEVICE (100)\n  CUDA_VISIBLE_DEVICES is '', and the driver"
                + " shows only the devices that it lists");
  }

  @Test
  void aFileInsteadOfTheNativeLibraryDoesNoHarm() throws IOException, InterruptedException {
    FakeLibrary.compile(folder);
    Path shared = Files.createDirectory(folder.resolve("shared"));
    Files.writeString(shared.resolve("libJCudaDriver-12.6.0-linux-x86_64.so"), "no library");
    assertThat(run(OpenIt.class, Map.of(), List.of("-Djava.io.tmpdir=" + shared)))
        .startsWith("probe: true\ndevices: [cuda:0]\n");
    try (var files = Files.list(shared)) {
      assertThat(files).as("files that were left there").hasSize(1);
    }
  }

  @Test
  void aFolderThatCannotBeWrittenToIsNamed() throws IOException, InterruptedException {
    FakeLibrary.compile(folder);
    Path noFolder = Files.writeString(folder.resolve("file"), "").resolve("missing");
    assertThat(run(OpenIt.class, Map.of(), List.of("-Djava.io.tmpdir=" + noFolder)))
        .contains(
            "\nRuntimeError: the native part of JCuda cannot be loaded on Linux ",
            "\n  what to do: have the jar jcuda-natives of this system on the class path, and see"
                + " to it that files can be written to and run from the folder "
                + noFolder
                + ", or name another with -Djava.io.tmpdir=\n");
  }
}
