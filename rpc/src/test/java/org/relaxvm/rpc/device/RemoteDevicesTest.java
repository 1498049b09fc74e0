package org.relaxvm.rpc.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.SharedConstants;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendcpu.CpuBackendProvider;
import org.relaxvm.backendtestkit.reference.ReferenceBackendProvider;
import org.relaxvm.rpc.RpcServer;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.connection.NativeCode;
import org.relaxvm.rpc.connection.RestartableEndpoint;
import org.relaxvm.rpc.connection.ServerOptions;
import org.relaxvm.rpc.error.RpcDisconnectedException;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** What a remote device holds on its server, and what becomes of it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RemoteDevicesTest {
  private static final Path DIGITS = Path.of("../examples/digits/digits.rvm");

  private final BackendRegistry there =
      BackendRegistry.builder()
          .add(new ReferenceBackendProvider())
          .add(new CpuBackendProvider())
          .build();
  private final BackendRegistry here =
      BackendRegistry.builder().add(new RemoteBackendProvider()).build();
  private RpcServer server;

  @BeforeEach
  void start() {
    server = start(new Endpoint("127.0.0.1", 0), ServerOptions.Limits.DEFAULT);
  }

  private RpcServer start(Endpoint where, ServerOptions.Limits limits) {
    return RpcServer.start(
        ServerOptions.DEFAULT
            .withEndpoint(where)
            .withLimits(limits)
            .withNativeCode(NativeCode.IN_PROCESS)
            .withDevices(List.of("reference:0", "cpu:0")),
        there);
  }

  @AfterEach
  void stop() {
    here.close();
    server.close();
    there.close();
  }

  private Device device(RpcServer on) {
    return here.require("rpc://" + on.endpoint() + "/reference:0");
  }

  @Test
  void aVirtualMachineGivesBackWhatItHeld() {
    Program program = Program.load(DIGITS);
    try (RpcServer small =
            start(new Endpoint("127.0.0.1", 0), ServerOptions.Limits.DEFAULT.withHandles(80));
        BackendRegistry registry = BackendRegistry.discover()) {
      for (int i = 0; i < 40; i++) {
        try (VirtualMachine vm =
                VirtualMachine.builder(program)
                    .registry(registry)
                    .device("rpc://" + small.endpoint() + "/cpu:0")
                    .build();
            Tensor image = Tensor.zeros(DType.FLOAT32, Shape.of(1, 1, 28, 28))) {
          vm.function("main").call(image).close();
        }
      }
    }
  }

  private static Tensor ramp(int first) {
    float[] values = new float[1024];
    for (int i = 0; i < values.length; i++) {
      values[i] = first + i;
    }
    return Tensor.of(values, Shape.of(1024));
  }

  private static DeviceMemory memoryOf(Device device, Tensor constant) {
    Storage storage = ((SharedConstants) device).constant(constant, 64, "");
    try {
      return storage.memory();
    } finally {
      storage.release();
    }
  }

  @Test
  void constantsOfEqualBytesShareMemory() {
    Device device = device(server);
    try (Tensor first = ramp(0);
        Tensor equal = ramp(0);
        Tensor other = ramp(1);
        Tensor empty = Tensor.zeros(DType.FLOAT32, Shape.of(0))) {
      DeviceMemory memory = memoryOf(device, first);
      // Also after nobody held it.
      assertThat(memoryOf(device, equal)).isEqualTo(memory);
      assertThat(memoryOf(device, other)).isNotEqualTo(memory);
      assertThat(memoryOf(device, empty).byteSize()).isZero();
      assertThat(read(device, memory)).containsExactly(first.toFloatArray());
    }
  }

  private static float[] read(Device device, DeviceMemory memory) {
    float[] values = new float[1024];
    byte[] bytes = new byte[4096];
    try (Stream stream = device.openStream()) {
      device.copyOut(memory, 0, MemorySegment.ofArray(bytes), stream);
      stream.synchronize();
    }
    MemorySegment.ofArray(bytes)
        .asByteBuffer()
        .order(ByteOrder.nativeOrder())
        .asFloatBuffer()
        .get(values);
    return values;
  }

  @Test
  void constantsThatNobodyUsesGiveWay() {
    try (RpcServer small =
            start(
                new Endpoint("127.0.0.1", 0),
                ServerOptions.Limits.DEFAULT.withMemoryBytes(20 << 10));
        Tensor used = ramp(0);
        Tensor unused = ramp(1)) {
      Device device = device(small);
      Storage held = ((SharedConstants) device).constant(used, 64, "");
      memoryOf(device, unused);
      DeviceMemory rest = device.allocate(14 << 10, 64, "");
      assertThat(read(device, held.memory())).containsExactly(used.toFloatArray());
      assertThatThrownBy(() -> device.allocate(14 << 10, 64, ""))
          .isInstanceOf(DeviceOutOfMemoryException.class);
      device.free(rest);
      held.release();
    }
  }

  @Test
  void virtualMachinesOfAProgramShareItsConstants() {
    Program program = Program.load(DIGITS);
    long bytes =
        program.executable().constants().stream()
            .mapToLong(constant -> constant instanceof Tensor tensor ? tensor.byteSize() : 0)
            .sum();
    ServerOptions.Limits limits = ServerOptions.Limits.DEFAULT.withMemoryBytes(2 * bytes);
    try (RpcServer small = start(new Endpoint("127.0.0.1", 0), limits);
        BackendRegistry registry = BackendRegistry.discover()) {
      String device = "rpc://" + small.endpoint() + "/cpu:0";
      try (VirtualMachine first =
              VirtualMachine.builder(program).registry(registry).device(device).build();
          VirtualMachine second =
              VirtualMachine.builder(program).registry(registry).device(device).build();
          VirtualMachine third =
              VirtualMachine.builder(program).registry(registry).device(device).build()) {
        float[] expected = scores(first);
        assertThat(scores(second)).containsExactly(expected);
        assertThat(scores(third)).containsExactly(expected);
      }
    }
  }

  private static float[] scores(VirtualMachine vm) {
    float[] pixels = new float[28 * 28];
    Arrays.fill(pixels, 0, 200, 1);
    try (Tensor image = Tensor.of(pixels, Shape.of(1, 1, 28, 28));
        Tensor scores = vm.function("main").call(image).asTensor();
        Tensor copy = scores.toHost()) {
      return copy.toFloatArray();
    }
  }

  @Test
  void whoAsksAnEventAgainAndAgainIsAnswered() {
    Device device = device(server);
    DeviceMemory memory = device.allocate(64, 64, "");
    try (Stream stream = device.openStream()) {
      device.copyIn(MemorySegment.ofArray(new byte[64]), memory, 0, stream);
      try (Event event = stream.record()) {
        while (!event.isComplete()) {
          Thread.onSpinWait();
        }
      }
    }
    device.free(memory);
  }

  @Test
  void aServerThatWasStartedAnewIsFoundAgain() throws IOException {
    server.close();
    server = start(RestartableEndpoint.free(), ServerOptions.Limits.DEFAULT);
    Device first = device(server);
    server.close();
    assertThatThrownBy(() -> first.allocate(64, 64, ""))
        .isInstanceOf(RpcDisconnectedException.class);
    server = start(server.endpoint(), ServerOptions.Limits.DEFAULT);
    Device second = device(server);
    assertThat(second).isNotSameAs(first);
    assertThat(second.id()).isEqualTo(first.id());
    assertThat(here.devices()).containsExactly(second);
    second.free(second.allocate(64, 64, ""));
    // What used the first one is not brought back.
    assertThatThrownBy(() -> first.allocate(64, 64, ""))
        .isInstanceOf(RpcDisconnectedException.class);
  }
}
