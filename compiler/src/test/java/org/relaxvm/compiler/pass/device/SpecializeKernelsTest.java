package org.relaxvm.compiler.pass.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.pass.PassPipeline;
import org.relaxvm.compiler.pass.Stages;
import org.relaxvm.compiler.pass.fuse.LegalizeOps;
import org.relaxvm.compiler.type.ProgramDevices;
import org.relaxvm.compiler.type.VDevice;

/** Each device has kernels of its own. */
class SpecializeKernelsTest {
  private static IRModule specialized(String vdevices, String functions) {
    String infos = "I.module_global_infos({\"vdevice\": [" + vdevices + "]})\n";
    return Stages.run(
        Stages.parse(infos + functions),
        new RealizeVDevice(true),
        new LegalizeOps(),
        PassPipeline.again(new RealizeVDevice(false), "again"),
        new SpecializeKernels());
  }

  private static Map<String, Object> targets(IRModule module) {
    Map<String, Object> targets = new TreeMap<>();
    module
        .kernels()
        .forEach(
            (name, kernel) ->
                targets.put(name.name(), String.valueOf(kernel.kernel().attrs().get("target"))));
    return targets;
  }

  @Test
  void aKernelOfTwoDevicesBecomesTwo() {
    IRModule module =
        specialized(
            "I.vdevice(\"cpu\"), I.vdevice(\"cuda\", 0)",
            """
            @R.function
            def main(x: R.Tensor((4,), "float32", vdevice="cuda:0")):
                a = R.exp(x)
                b = R.to_vdevice(a, "cpu:0")
                c = R.exp(b)
                return c
            """);
    assertThat(targets(module)).isEqualTo(Map.of("tir_exp_cpu", "cpu", "tir_exp_cuda", "cuda"));
    assertThat(String.join("\n", Stages.main(module)))
        .contains("R.call_tir(cls.tir_exp_cuda, (x,))", "R.call_tir(cls.tir_exp_cpu, (b,))");
  }

  @Test
  void devicesOfOneKindAreToldByNumber() {
    IRModule module =
        specialized(
            "I.vdevice(\"cuda\", 0), I.vdevice(\"cuda\", 1)",
            """
            @R.function
            def main(x: R.Tensor((4,), "float32", vdevice="cuda:1")):
                a = R.exp(x)
                b = R.to_vdevice(a, "cuda:0")
                c = R.exp(b)
                return c
            """);
    assertThat(targets(module))
        .isEqualTo(Map.of("tir_exp_cuda_0", "cuda:0", "tir_exp_cuda_1", "cuda:1"));
  }

  @Test
  void kernelsOfLibrariesGetTheirDeviceUnlessItIsTheFirst() {
    IRModule module =
        specialized(
            "I.vdevice(\"cuda\", 0), I.vdevice(\"cpu\")",
            """
            @R.function
            def main(x: R.Tensor((4,), "float32", vdevice="cuda:0")):
                a = R.call_dps_packed("relaxvm.exp", (x,), out_ty=R.Tensor((4,), "float32"))
                b = R.to_vdevice(a, "cpu:0")
                c = R.call_dps_packed("relaxvm.exp", (b,), out_ty=R.Tensor((4,), "float32"))
                return c
            """);
    assertThat(String.join("\n", Stages.main(module)))
        .contains(
            "R.call_dps_packed(R.ExternFunc(\"relaxvm.exp\"), (x,)",
            "R.call_dps_packed(R.ExternFunc(\"relaxvm.exp@cpu\"), (b,)");
  }

  @Test
  void constantsOnOtherDevicesAreCopiedFromTheFirst() {
    IRModule module =
        specialized(
            "I.vdevice(\"cuda\", 0), I.vdevice(\"cpu\")",
            """
            @R.function
            def main(x: R.Tensor((2,), "float32", vdevice="cpu:0")):
                a = R.add(x, R.const([1, 2], "float32"))
                return a
            """);
    assertThat(Stages.main(module).getFirst())
        .isEqualTo(
            "gv = R.to_vdevice(R.const(R.Tensor((2,), dtype=\"float32\","
                + " vdevice=\"cuda:0:global\")), dst_vdevice=cpu:0:global)");
  }

  private static ProgramDevices devices(VDevice... vdevices) {
    return ProgramDevices.of(List.of(vdevices));
  }

  @Test
  void virtualDevicesShareDevicesAndTheHostIsTheLast() {
    VDevice host = VDevice.of("llvm", 0);
    VDevice plain = VDevice.of("opencl", 0);
    VDevice texture = new VDevice("opencl", 0, "global.texture");
    ProgramDevices devices = devices(host, texture, plain);
    assertThat(devices.devices()).containsExactly(new DeviceId("opencl", 0), DeviceId.CPU);
    assertThat(devices.index(texture)).isEqualTo(0);
    assertThat(devices.index(plain)).isEqualTo(0);
    assertThat(devices.index(host)).isEqualTo(1);
    assertThat(devices.defaultVDevice()).isEqualTo(host);
  }

  @Test
  void devicesThatTheBytecodeCannotTellApartAreRefused() {
    assertThatThrownBy(() -> devices(VDevice.of("npu", 0), VDevice.of("dsp", 0)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "the module names the devices npu:0 and dsp:0, which the bytecode cannot tell apart:"
                + " both are of type 12 there; give one of them another number");
    assertThatThrownBy(() -> devices(VDevice.of("cpu", 1)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "the module names the virtual device cpu:1:global, but there is one host: cpu:0");
  }
}
