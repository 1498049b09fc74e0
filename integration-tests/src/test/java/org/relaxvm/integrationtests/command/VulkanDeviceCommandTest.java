package org.relaxvm.integrationtests.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.io.Npy;
import org.relaxvm.integrationtests.devices.NeedsDevice;

@NeedsDevice("vulkan:0")
class VulkanDeviceCommandTest extends DeviceCommands {
  /** From the host to one device, to the other, and back. */
  private static final String THREE =
      """
      @I.ir_module
      class Module:
          I.module_global_infos({"vdevice": [I.vdevice("FIRST", 0), I.vdevice("SECOND", 0), I.vdevice("cpu", 0)]})

          @R.function
          def main(x: R.Tensor(("n", 6), dtype="float32", vdevice="cpu:0")):
              a = R.to_vdevice(R.exp(x), "FIRST:0")
              b = R.nn.softmax(a, axis=-1)
              c = R.to_vdevice(b, "SECOND:0")
              d = R.sum(c, axis=[0], keepdims=True)
              e = R.to_vdevice(R.add(c, d), "cpu:0")
              return R.multiply(e, x)
      """;

  VulkanDeviceCommandTest() {
    super("vulkan");
  }

  @Test
  @NeedsDevice("opencl:0")
  void aProgramRunsOnThreeDevices() throws IOException {
    Path input = folder.resolve("x.npy");
    float[] values = new float[30];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 7 - i / 11f;
    }
    Npy.write(input, Tensor.of(values, Shape.of(5, 6)));
    assertClose(
        result("there", program("opencl", "vulkan"), "x=" + input),
        result("here", program("cpu", "cpu"), "x=" + input));
    assertClose(
        result("back", program("vulkan", "opencl"), "x=" + input),
        result("here", program("cpu", "cpu"), "x=" + input));
  }

  private Path program(String first, String second) throws IOException {
    return Files.writeString(
        folder.resolve(first + "-" + second + ".relax"),
        THREE.replace("FIRST", first).replace("SECOND", second));
  }
}
