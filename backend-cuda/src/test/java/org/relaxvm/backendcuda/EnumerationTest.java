package org.relaxvm.backendcuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.StateReport;

/** Which devices there are, what machines answer that have none, and how devices are chosen. */
class EnumerationTest {
  private final FakeBackend fake = new FakeBackend();

  @Test
  void aDriverThatIsTooOldSaysSoAndNoDeviceIsAskedFor() {
    fake.cuda.version = 11080;
    refuses(
        "the driver of CUDA is too old: it knows CUDA 11.8, but 12.0 or later is needed\n  what to"
            + " do: install a newer driver of NVIDIA, 525 or later on Linux; 'nvidia-smi' shows the"
            + " version");
    assertThat(fake.cuda.calls).containsExactly("driverVersion");
  }

  @Test
  void aDriverWithoutDevicesSaysWhereToLook() {
    String whatToDo =
        "\n  what to do: see whether 'nvidia-smi' shows the device; in a container, start it with"
            + " the device, such as 'docker run --gpus all'";
    fake.cuda.fail("deviceCount", "cuInit", 100);
    refuses(
        "the driver of CUDA finds no device: cuInit failed with CUDA_ERROR_NO_DEVICE (100)"
            + whatToDo);
    fake.cuda.heal("deviceCount");
    fake.cuda.devices = List.of();
    refuses("the driver of CUDA finds no device" + whatToDo);
  }

  @Test
  void devicesThatTheEnvironmentHidesAreToldOf() {
    fake.environment.put("CUDA_VISIBLE_DEVICES", "7");
    fake.cuda.fail("deviceCount", "cuInit", 100);
    refuses(
        "the driver of CUDA finds no device: cuInit failed with CUDA_ERROR_NO_DEVICE (100)"
            + "\n  CUDA_VISIBLE_DEVICES is '7', and the driver shows only the devices that it"
            + " lists, up to the first that does not exist"
            + "\n  what to do: correct it or remove it from the environment; 'nvidia-smi -L' lists"
            + " numbers and UUIDs");
  }

  @Test
  void aDriverThatFailsSaysItsCode() {
    fake.cuda.fail("deviceCount", "cuInit", 803);
    refuses(
        "the devices of CUDA cannot be listed: cuInit failed with"
            + " CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803)\n  what to do: see whether 'nvidia-smi'"
            + " works; if not, start the machine again, as after an update of the driver, or"
            + " install the driver again");
  }

  @Test
  void aDeviceThatIsTooOldKeepsItsNumberAndIsRefusedWhenItIsUsed() {
    fake.cuda.devices =
        List.of(
            RecordingCuda.device("Tesla V100-SXM2-16GB", "GPU-1", 7, 0),
            RecordingCuda.device("NVIDIA T4", "GPU-2", 7, 5));
    try (Backend backend = fake.open()) {
      Device old = backend.devices().getFirst();
      assertThat(old.properties().details())
          .containsEntry("compute capability", "7.0, too old: 7.5 is needed");
      assertThatThrownBy(old::openStream)
          .isInstanceOf(BackendException.class)
          .hasMessage(
              "cuda:0 (Tesla V100-SXM2-16GB) is too old: it has compute capability 7.0, but 7.5 or"
                  + " later is needed\n  what to do: use another device, which 'relaxvm doctor'"
                  + " shows, such as cpu or this one through OpenCL or Vulkan");
      backend.devices().get(1).openStream().close();
    }
  }

  @Test
  void aDeviceIsChosenByItsNumberItsNameOrItsUuid() {
    fake.cuda.devices =
        List.of(
            RecordingCuda.device("NVIDIA H100 PCIe", "GPU-6fa0a53e-0001", 9, 0),
            RecordingCuda.device("NVIDIA RTX A6000", "GPU-6fa0a53e-0002", 8, 6),
            RecordingCuda.device("NVIDIA RTX A6000", "GPU-6fa0a53e-0003", 8, 6));
    try (BackendRegistry registry = BackendRegistry.builder().add(fake.provider()).build()) {
      assertThat(registry.require("cuda:1").id()).hasToString("cuda:1");
      assertThat(registry.require("cuda:H100").id()).hasToString("cuda:0");
      assertThat(registry.require("cuda:gpu-6fa0a53e-0003").id()).hasToString("cuda:2");
      assertThatThrownBy(() -> registry.require("cuda:A6000"))
          .isInstanceOf(RelaxException.class)
          .hasMessageContaining("cuda:1")
          .hasMessageContaining("cuda:2");
      assertThatThrownBy(() -> registry.require("cuda:3"))
          .isInstanceOf(RelaxException.class)
          .hasMessageContaining("cuda:3");
    }
  }

  @Test
  void theStateTellsTheCompilerAndWhatIsVisible() {
    try (Backend backend = fake.open()) {
      assertThat(((StateReport) backend).state())
          .containsEntry("compiler", "NVRTC 12.6")
          .containsEntry("cuBLAS", "none: cuBLAS was not found")
          .containsEntry("cuBLASLt", "none: cuBLASLt was not found")
          .containsKey("kernel cache")
          .doesNotContainKey("CUDA_VISIBLE_DEVICES");
    }
    fake.environment.put("CUDA_VISIBLE_DEVICES", "GPU-6fa0a53e-0002");
    try (Backend backend =
        fake.withoutCompiler("NVRTC was not found\n  what to do: look for it").open()) {
      assertThat(((StateReport) backend).state())
          .containsEntry(
              "compiler", "none: NVRTC was not found; this build has no prepared kernels")
          .containsEntry("CUDA_VISIBLE_DEVICES", "GPU-6fa0a53e-0002");
    }
  }

  private void refuses(String message) {
    assertThatThrownBy(() -> fake.provider().open())
        .isInstanceOf(BackendException.class)
        .hasMessage(message);
  }
}
