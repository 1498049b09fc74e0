package org.relaxvm.backendopencl.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.backendopencl.NeedsOpenCl;

/** Machines without a loader of OpenCL, and with one that finds no driver. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "it puts files in the way of the loader of Linux")
class LoaderTest {
  private static final String NO_LOADER =
      "RuntimeError: the loader of OpenCL (libOpenCL.so.1, OpenCL.dll) cannot be loaded\n"
          + "  what to do: install it and a driver of the device; on Debian these are the packages"
          + " ocl-icd-libopencl1 and, for the CPU, pocl-opencl-icd\n";

  private static final String NO_DRIVER =
      "RuntimeError: the loader of OpenCL works, but finds no driver\n"
          + "  what to do: install the driver of the device, which puts a file *.icd into"
          + " /etc/OpenCL/vendors (or the folder that OCL_ICD_VENDORS names); on Debian this is"
          + " the package pocl-opencl-icd for the CPU\n";

  @TempDir Path folder;

  @Test
  void withoutALoaderTheMessageSaysWhatToInstall() throws IOException, InterruptedException {
    // Found first, and no library: the machine's own is not looked for.
    Files.writeString(folder.resolve("libOpenCL.so.1"), "no library");
    assertThat(open(Map.of("LD_LIBRARY_PATH", folder.toString()), folder))
        .isEqualTo("probe: true\n" + NO_LOADER + NO_LOADER);
  }

  @Test
  @NeedsOpenCl
  void withoutADriverTheMessageSaysWhatToInstall() throws IOException, InterruptedException {
    assertThat(open(Map.of("OCL_ICD_VENDORS", folder + "/"), folder))
        .isEqualTo("probe: true\n" + NO_DRIVER + NO_DRIVER);
  }

  @Test
  @NeedsOpenCl
  void aFileInsteadOfTheNativeLibraryDoesNoHarm() throws IOException, InterruptedException {
    Path shared = Files.createDirectory(folder.resolve("shared"));
    for (String arch : List.of("x86_64", "arm64")) {
      Files.writeString(shared.resolve("libJOCL_2_0_6-linux-" + arch + ".so"), "no library");
    }
    assertThat(open(Map.of(), shared)).startsWith("probe: true\ndevices: [opencl:0");
    try (var files = Files.list(shared)) {
      assertThat(files).as("files that were left there").hasSize(2);
    }
  }

  @Test
  @NeedsOpenCl
  void aFolderThatCannotBeWrittenToIsNamed() throws IOException, InterruptedException {
    Path noFolder = Files.writeString(folder.resolve("file"), "").resolve("missing");
    assertThat(open(Map.of(), noFolder))
        .contains(
            "\nRuntimeError: the native part of JOCL cannot be loaded on Linux ",
            "\n  what to do: see to it that files can be written to and run from the folder "
                + noFolder
                + ", or name another with -Djava.io.tmpdir=\n");
  }

  private static String open(Map<String, String> environment, Path temporary)
      throws IOException, InterruptedException {
    return ChildJvm.run(OpenIt.class, environment, List.of("-Djava.io.tmpdir=" + temporary));
  }
}
