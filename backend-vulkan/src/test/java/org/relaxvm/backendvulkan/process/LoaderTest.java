package org.relaxvm.backendvulkan.process;

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
import org.relaxvm.backendvulkan.NeedsVulkan;

/** Machines without a loader of Vulkan, and with one that finds no driver. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "it puts files in the way of the loader of Linux")
class LoaderTest {
  private static final String NO_LOADER =
      "RuntimeError: the loader of Vulkan (libvulkan.so.1, vulkan-1.dll) cannot be loaded\n"
          + "  what to do: install it and a driver of the device; on Debian these are the packages"
          + " libvulkan1 and mesa-vulkan-drivers, which has one for the CPU, too\n";

  private static final String NO_DRIVER =
      "RuntimeError: the loader of Vulkan works, but finds no driver\n"
          + "  what to do: install the driver of the device, which puts a file *.json into"
          + " /usr/share/vulkan/icd.d (or where VK_DRIVER_FILES names it); on Debian this is the"
          + " package mesa-vulkan-drivers, which has one for the CPU, too\n";

  @TempDir Path folder;

  @Test
  void withoutALoaderTheMessageSaysWhatToInstall() throws IOException, InterruptedException {
    assertThat(
            ChildJvm.run(
                OpenIt.class,
                Map.of(),
                List.of(
                    "-Dorg.lwjgl.vulkan.libname=" + folder.resolve("missing.so"),
                    "-Djava.io.tmpdir=" + folder)))
        .isEqualTo("probe: true\n" + NO_LOADER + NO_LOADER);
  }

  @Test
  @NeedsVulkan
  void withoutADriverTheMessageSaysWhatToInstall() throws IOException, InterruptedException {
    Map<String, String> none = Map.of("VK_ICD_FILENAMES", folder + "", "VK_DRIVER_FILES", "");
    // What the loader itself prints is its own.
    assertThat(open(none, folder).lines().filter(line -> !line.contains("loader_scanned_icd_add")))
        .containsExactlyElementsOf(("probe: true\n" + NO_DRIVER + NO_DRIVER).lines().toList());
  }

  @Test
  @NeedsVulkan
  void nativeLibrariesLeaveNothingBehind() throws IOException, InterruptedException {
    assertThat(open(Map.of(), folder)).startsWith("probe: true\ndevices: [vulkan:0");
    try (var files = Files.walk(folder)) {
      assertThat(files).as("files that were left there").containsExactly(folder);
    }
  }

  @Test
  @NeedsVulkan
  void aFolderThatCannotBeWrittenToIsNamed() throws IOException, InterruptedException {
    Path noFolder = Files.writeString(folder.resolve("file"), "").resolve("missing");
    assertThat(open(Map.of(), noFolder))
        .contains(
            "\nRuntimeError: the native part of LWJGL cannot be loaded on Linux ",
            "\n  what to do: see to it that files can be written to and run from the folder "
                + noFolder
                + ", or name another with -Djava.io.tmpdir=\n");
  }

  private static String open(Map<String, String> environment, Path temporary)
      throws IOException, InterruptedException {
    return ChildJvm.run(OpenIt.class, environment, List.of("-Djava.io.tmpdir=" + temporary));
  }
}
