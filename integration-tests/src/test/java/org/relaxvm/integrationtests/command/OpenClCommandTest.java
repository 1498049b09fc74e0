package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.integrationtests.devices.NeedsDevice;
import org.relaxvm.integrationtests.golden.NativeGolden;
import org.relaxvm.integrationtests.process.ChildJvm;
import org.relaxvm.integrationtests.process.ProcessRun;

/** The command on machines with OpenCL, without a driver of it, and without its loader. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "it puts files in the way of the loader of Linux")
class OpenClCommandTest {
  private static final String PROGRAM = "../examples/digits/digits-library.rvm";

  @TempDir Path folder;

  @Test
  void withoutALoaderDoctorSaysWhatToInstall() throws IOException, InterruptedException {
    ProcessRun run = run(withoutLoader(), "doctor");
    assertThat(run.requireOut())
        .contains("  unusable opencl  ")
        .contains(
            """
                  the loader of OpenCL (libOpenCL.so.1, OpenCL.dll) cannot be loaded
                  what to do: install it and a driver of the device; on Debian these are the \
            packages ocl-icd-libopencl1 and, for the CPU, pocl-opencl-icd
            """)
        .contains("  ok       cpu  ");
    // Nobody else writes into the output.
    assertThat(JSON.std.mapFrom(run(withoutLoader(), "doctor", "--json").requireOut()))
        .containsKey("providers");
  }

  @Test
  void withoutALoaderRunningOnADeviceSaysWhatToInstall() throws IOException, InterruptedException {
    ProcessRun run = run(withoutLoader(), "run", PROGRAM, "random:1x1x28x28", "-d", "opencl");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .startsWith(
            "relaxvm: error: device opencl:0 cannot be used: the loader of OpenCL"
                + " (libOpenCL.so.1, OpenCL.dll) cannot be loaded\n  backend: opencl (")
        .endsWith(
            ")\n"
                + "  what to do: install it and a driver of the device; on Debian these are the"
                + " packages ocl-icd-libopencl1 and, for the CPU, pocl-opencl-icd\n");
  }

  @Test
  @NeedsDevice("opencl:0")
  void withoutADriverDoctorSaysWhatToInstall() throws IOException, InterruptedException {
    ProcessRun run = run(Map.of("OCL_ICD_VENDORS", folder + "/"), "doctor");
    assertThat(run.requireOut())
        .contains("  unusable opencl  ")
        .contains(
            """
                  the loader of OpenCL works, but finds no driver
                  what to do: install the driver of the device, which puts a file *.icd into \
            /etc/OpenCL/vendors (or the folder that OCL_ICD_VENDORS names); on Debian this is the \
            package pocl-opencl-icd for the CPU
            """);
  }

  @Test
  @NeedsDevice("opencl:0")
  void doctorShowsPlatformDriverAndLimits() throws IOException, InterruptedException {
    assertThat(run(Map.of(), "doctor").requireOut())
        .containsPattern(
            "(?m)^  ok       opencl  .*\n"
                + ".*\n"
                + "      kernel cache  .*\n"
                + "      opencl:0  .+\n"
                + "        memory         .+ GiB\n"
                + "        platform       .+\n"
                + "        driver         .+\n"
                + "        version        OpenCL .+\n"
                + "        compiler       .+\n"
                + "        type           .+ units?\n"
                + "        largest block  \\d+ MiB\n"
                + "        alignment      \\d+ bytes\n"
                + "        local memory   \\d+ KiB\n"
                + "        largest group  \\d+ work-items\n"
                + "        float64        (yes|no)\n"
                + "        float16        .+$");
  }

  @Test
  @NeedsDevice("opencl:0")
  void aNumberOutOfRangeListsTheDevices() throws IOException, InterruptedException {
    ProcessRun run = run(Map.of(), "run", PROGRAM, "random:1x1x28x28", "-d", "opencl:99");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .matches(
            "relaxvm: error: there is no device opencl:99: the backend opencl has"
                + " \\d+ devices?: opencl:0 \\(.+\\)\\n");
  }

  @Test
  @NeedsDevice("opencl:0")
  void checkRunsALibraryOnTheDeviceOfItsCase() throws IOException, InterruptedException {
    Path golden = NativeGolden.require("07-mlp-opencl");
    assertThat(run(Map.of(), "check", golden.toAbsolutePath()).requireOut())
        .endsWith("\n4 passed, 0 failed\n");
  }

  @Test
  @NeedsDevice("opencl:0")
  void theSecondStartCompilesNothingForTheDevice() throws IOException, InterruptedException {
    Map<String, String> cache =
        Map.of("RELAXVM_KERNEL_CACHE", folder.resolve("kernels").toString());
    assertThat(profiled(cache)).containsPattern("opencl:0 +1 compiled in .+ +0 from the cache in ");
    assertThat(profiled(cache)).containsPattern("opencl:0 +0 compiled in .+ +1 from the cache in ");
  }

  private String profiled(Map<String, String> environment)
      throws IOException, InterruptedException {
    return run(
            environment,
            "profile",
            "../examples/digits/digits.rvm",
            "random:1x1x28x28",
            "-d",
            "opencl:0",
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
    Files.writeString(folder.resolve("libOpenCL.so.1"), "no library");
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
