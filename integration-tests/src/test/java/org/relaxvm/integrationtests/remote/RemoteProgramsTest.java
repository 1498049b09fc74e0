package org.relaxvm.integrationtests.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.examples.encoder.EncoderModel;
import org.relaxvm.integrationtests.devices.NeedsDevice;
import org.relaxvm.rpc.RemoteModule;
import org.relaxvm.rpc.RemoteTensor;
import org.relaxvm.rpc.RemoteVm;
import org.relaxvm.rpc.RpcServer;
import org.relaxvm.rpc.RpcSession;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.connection.ServerOptions;
import org.relaxvm.vmcore.program.Dim;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.RvmWriter;
import org.relaxvm.vmcore.vm.Session;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Programs on devices of a server give what they give on the same devices here. */
class RemoteProgramsTest {
  private static final Path DIGITS = Path.of("../examples/digits/digits.rvm");

  /** Kernels of the CPU know which tensors are constants; over the wire they do not. */
  private static final Offset<Float> CLOSE = Offset.offset(1e-5f);

  @TempDir private Path folder;

  @Test
  void onTheHostOfAServer() {
    comparePrograms("cpu:0");
  }

  @Test
  @NeedsDevice("opencl:0")
  void onOpenClOfAServer() {
    comparePrograms("opencl:0");
  }

  @Test
  @NeedsDevice("vulkan:0")
  void onVulkanOfAServer() {
    comparePrograms("vulkan:0");
  }

  private static RpcServer server(String device) {
    return RpcServer.start(ServerOptions.DEFAULT.withDevices(List.of(device)));
  }

  private static Tensor image() {
    Random random = new Random(7);
    float[] pixels = new float[28 * 28];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = random.nextFloat();
    }
    return Tensor.of(pixels, Shape.of(1, 1, 28, 28));
  }

  private static Tensor tokens() {
    Random random = new Random(7);
    return Tensor.of(random.longs(16, 0, 1000).toArray(), Shape.of(1, 16));
  }

  private static Program encoder() {
    return Compiler.compile(EncoderModel.module(new SplittableRandom(1), Dim.of(1), Dim.of(16)));
  }

  private static void comparePrograms(String device) {
    try (RpcServer server = server(device)) {
      String remote = "rpc://" + server.endpoint() + "/" + device;
      compare(Program.load(DIGITS), image(), device, remote);
      compare(encoder(), tokens(), device, remote);
    }
  }

  private static void compare(Program program, Tensor input, String device, String remote) {
    try (VirtualMachine here = VirtualMachine.builder(program).device(device).build();
        VirtualMachine there = VirtualMachine.builder(program).device(remote).build();
        Tensor expected = here.function("main").call(input).asTensor().toHost();
        Tensor result = there.function("main").call(input).asTensor().toHost()) {
      assertThat(result.toFloatArray()).containsExactly(expected.toFloatArray(), CLOSE);
      // The inputs stay there, and so does an output that nobody asks for.
      try (Session session = there.session()) {
        session.setInput("main", input);
        session.invoke("main");
        try (Tensor output = session.output("main").asTensor();
            Tensor again = output.toHost()) {
          assertThat(output.device().id().kind()).isEqualTo("rpc");
          assertThat(again.toFloatArray()).containsExactly(expected.toFloatArray(), CLOSE);
        }
      }
    }
  }

  @Test
  void aWholeProgramRunsOnTheServer() {
    Path file = folder.resolve("encoder.rvm");
    RvmWriter.write(encoder(), file);
    try (RpcServer server = server("cpu:0");
        RpcSession session = RpcSession.connect(server.endpoint(), RpcOptions.DEFAULT)) {
      session.upload("encoder.rvm", file);
      try (RemoteModule module = session.loadModule("encoder.rvm");
          RemoteVm vm = module.vm(DeviceId.CPU);
          RemoteTensor input = session.upload(tokens(), DeviceId.CPU);
          VirtualMachine here = VirtualMachine.builder(Program.load(file)).build();
          Tensor expected = here.function("main").call(tokens()).asTensor()) {
        vm.setInput("main", input);
        vm.invoke("main");
        try (RemoteTensor output = vm.outputTensor("main");
            Tensor copy = output.download()) {
          assertThat(copy.toFloatArray()).containsExactly(expected.toFloatArray());
        }
        assertThat(vm.timer("main", DeviceId.CPU).runs(2, 3).time(input).results()).hasSize(3);
      }
    }
  }

  @Test
  void aServerThatEndsIsATypedErrorOfTheCall() {
    RpcServer server = server("cpu:0");
    String address = "rpc://" + server.endpoint() + "/cpu:0";
    try (VirtualMachine vm = VirtualMachine.builder(Program.load(DIGITS)).device(address).build()) {
      vm.function("main").call(image()).close();
      server.close();
      assertThatThrownBy(() -> vm.function("main").call(image()))
          .isInstanceOfAny(BackendException.class, CallException.class)
          .hasMessageContaining("the connection to " + server.endpoint() + " ended");
    }
  }

  @Test
  void addressesThatLeadNowhereAreSaidInFull() {
    try (RpcServer server = server("cpu:0");
        BackendRegistry registry = BackendRegistry.discover()) {
      String address = "rpc://" + server.endpoint() + "/cuda:0";
      assertThatThrownBy(() -> registry.require(address))
          .isInstanceOf(BackendException.class)
          .hasMessage(
              "the server "
                  + server.endpoint()
                  + " does not offer cuda:0\n  it offers: cpu:0\n  what to do: choose one of them,"
                  + " or start the server with --devices cuda:0");
      assertThatThrownBy(() -> registry.require("rpc://nowhere"))
          .hasMessage(
              "malformed address of a remote device 'rpc://nowhere': expected"
                  + " rpc://host:port/device, such as rpc://192.168.0.7:9091/opencl:0");
      assertThatThrownBy(() -> registry.require("cpu://x"))
          .hasMessageContaining("have no addresses, but got 'cpu://x'");
    }
  }
}
