package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.integrationtests.devices.NeedsDevice;
import org.relaxvm.integrationtests.golden.NativeGolden;
import org.relaxvm.integrationtests.process.ChildJvm;
import org.relaxvm.integrationtests.process.ProcessRun;

/** The command on machines with Vulkan, without a driver of it, and without its loader. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "it puts files in the way of the loader of Linux")
class VulkanCommandTest {
  private static final String PROGRAM = "../examples/digits/digits-library.rvm";

  @TempDir Path folder;

  @Test
  void withoutALoaderDoctorSaysWhatToInstall() throws IOException, InterruptedException {
    ProcessRun run = run(withoutLoader(), "doctor");
    assertThat(run.requireOut())
        .contains("  unusable vulkan  ")
        .contains(
            """
                  the loader of Vulkan (libvulkan.so.1, vulkan-1.dll) cannot be loaded
                  what to do: install it and a driver of the device; on Debian these are the \
            packages libvulkan1 and mesa-vulkan-drivers, which has one for the CPU, too
            """)
        .contains("  ok       cpu  ");
    // Nobody else writes into the output.
    assertThat(JSON.std.mapFrom(run(withoutLoader(), "doctor", "--json").requireOut()))
        .containsKey("providers");
  }

  @Test
  void withoutALoaderRunningOnADeviceSaysWhatToInstall() throws IOException, InterruptedException {
    ProcessRun run = run(withoutLoader(), "run", PROGRAM, "random:1x1x28x28", "-d", "vulkan");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .startsWith(
            "relaxvm: error: device vulkan:0 cannot be used: the loader of Vulkan"
                + " (libvulkan.so.1, vulkan-1.dll) cannot be loaded\n  backend: vulkan (")
        .endsWith(
            ")\n"
                + "  what to do: install it and a driver of the device; on Debian these are the"
                + " packages libvulkan1 and mesa-vulkan-drivers, which has one for the CPU, too\n");
  }

  @Test
  @NeedsDevice("vulkan:0")
  void withoutADriverDoctorSaysWhatToInstall() throws IOException, InterruptedException {
    String none = folder.resolve("none.json").toString();
    ProcessRun run = run(Map.of("VK_DRIVER_FILES", none, "VK_ICD_FILENAMES", none), "doctor");
    assertThat(run.requireOut())
        .contains("  unusable vulkan  ")
        .contains(
            """
                  the loader of Vulkan works, but finds no driver
                  what to do: install the driver of the device, which puts a file *.json into \
            /usr/share/vulkan/icd.d (or where VK_DRIVER_FILES names it); on Debian this is the \
            package mesa-vulkan-drivers, which has one for the CPU, too
            """);
  }

  @Test
  @NeedsDevice("vulkan:0")
  void doctorShowsDriverLimitsAndFeatures() throws IOException, InterruptedException {
    assertThat(run(Map.of(), "doctor").requireOut())
        .containsPattern(
            "(?m)^  ok       vulkan  .*\n"
                + ".*\n"
                + "      kernel cache  .*\n"
                + "      vulkan:0  .+\n"
                + "        memory                .+ GiB\n"
                + "        type                  .+\n"
                + "        driver                .+\n"
                + "        version               \\d+\\.\\d+\\.\\d+\n"
                + "        uuid                  [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\n"
                + "        largest block         \\d+ MiB\n"
                + "        storage buffer range  \\d+ MiB\n"
                + "        storage buffers       \\d+ a kernel\n"
                + "        push constants        \\d+ bytes\n"
                + "        alignment             \\d+ bytes\n"
                + "        shared memory         \\d+ KiB\n"
                + "        largest group         \\d+ work-items\n"
                + "        subgroups             .+\n"
                + "        float64               .+\n"
                + "        float16               .+\n"
                + "        int64                 .+\n"
                + "        int8                  .+\n"
                + "        8-bit storage         .+\n"
                + "        16-bit storage        .+\n"
                + "        buffer addresses      .+\n"
                + "        timestamps            .+$");
  }

  @Test
  @NeedsDevice("vulkan:0")
  void aUuidNamesADevice() throws IOException, InterruptedException {
    String doctor = run(Map.of(), "doctor").requireOut();
    Matcher uuid = Pattern.compile("uuid +(\\S+)").matcher(doctor);
    assertThat(uuid.find()).isTrue();
    assertThat(
            run(Map.of(), "run", PROGRAM, "random:1x1x28x28", "-d", "vulkan:" + uuid.group(1))
                .status())
        .isZero();
    assertThat(
            run(Map.of(), "run", PROGRAM, "random:1x1x28x28", "-d", "vulkan:00000000-0000").err())
        .startsWith("relaxvm: error: there is no device vulkan:00000000-0000");
  }

  @Test
  @NeedsDevice("vulkan:0")
  void aNumberOutOfRangeListsTheDevices() throws IOException, InterruptedException {
    ProcessRun run = run(Map.of(), "run", PROGRAM, "random:1x1x28x28", "-d", "vulkan:99");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .matches(
            "relaxvm: error: there is no device vulkan:99: the backend vulkan has"
                + " \\d+ devices?: vulkan:0 \\(.+\\)\\n");
  }

  @Test
  @NeedsDevice("vulkan:0")
  void checkRunsALibraryOnTheDeviceOfItsCase() throws IOException, InterruptedException {
    Path golden = NativeGolden.require("08-mlp-vulkan");
    assertThat(run(Map.of(), "check", golden.toAbsolutePath()).requireOut())
        .endsWith("\n4 passed, 0 failed\n");
  }

  @Test
  @NeedsDevice("vulkan:0")
  void theSecondStartCompilesNothingForTheDevice() throws IOException, InterruptedException {
    Map<String, String> cache =
        Map.of("RELAXVM_KERNEL_CACHE", folder.resolve("kernels").toString());
    assertThat(profiled(cache)).containsPattern("vulkan:0 +1 compiled in .+ +0 from the cache in ");
    assertThat(profiled(cache)).containsPattern("vulkan:0 +0 compiled in .+ +1 from the cache in ");
  }

  private String profiled(Map<String, String> environment)
      throws IOException, InterruptedException {
    return run(
            environment,
            "profile",
            "../examples/digits/digits.rvm",
            "random:1x1x28x28",
            "-d",
            "vulkan:0",
            "--repeat",
            "1",
            "--warmup",
            "0",
            "--trace",
            folder.resolve("trace.json"))
        .requireOut();
  }

  /** Found first, and no library: the machine's own is not looked for. */
  private Map<String, String> withoutLoader() throws IOException {
    Files.writeString(folder.resolve("libvulkan.so.1"), "no library");
    return Map.of("LD_LIBRARY_PATH", folder.toString());
  }

  private static ProcessRun run(Map<String, String> environment, Object... arguments)
      throws IOException, InterruptedException {
    return ChildJvm.run(
        environment,
        List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"),
        ChildJvm.command(List.of()),
        arguments);
  }
}
