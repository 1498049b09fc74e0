package org.relaxvm.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.rpc.RemoteModule;
import org.relaxvm.rpc.RemoteTensor;
import org.relaxvm.rpc.RemoteTimer;
import org.relaxvm.rpc.RemoteVm;
import org.relaxvm.rpc.RpcServer;
import org.relaxvm.rpc.RpcSession;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.connection.ServerOptions;
import org.relaxvm.rpc.error.RemoteCallException;
import org.relaxvm.vmcore.executable.ExecBuilder;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.RvmWriter;

/** What a session allocates, and what its virtual machines do, is within one budget. */
class SessionBudgetTest {
  private static final Path DIGITS = Path.of("../examples/digits/digits.rvm");
  private static final long BUDGET = 1 << 22;

  @TempDir private Path folder;

  @Test
  void tensorsAndVirtualMachinesShareTheBudget() {
    ServerOptions options =
        ServerOptions.DEFAULT.withLimits(ServerOptions.Limits.DEFAULT.withMemoryBytes(BUDGET));
    try (RpcServer server = RpcServer.start(options);
        RpcSession session = RpcSession.connect(server.endpoint(), RpcOptions.DEFAULT)) {
      session.upload("digits.rvm", DIGITS);
      try (RemoteModule module = session.loadModule("digits.rvm");
          RemoteVm vm = module.vm(DeviceId.CPU);
          RemoteTensor image = session.empty(DType.FLOAT32, Shape.of(1, 1, 28, 28), DeviceId.CPU)) {
        vm.setInput("main", image);
        vm.invoke("main");
        Shape large = Shape.of((BUDGET - (1 << 15)) / Float.BYTES);
        assertThatThrownBy(() -> session.empty(DType.FLOAT32, large, DeviceId.CPU))
            .isInstanceOfSatisfying(
                RemoteCallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.MEMORY));
      }
    }
  }

  @Test
  void aVirtualMachineEndsWithItsHandles() {
    ServerOptions options =
        ServerOptions.DEFAULT.withLimits(ServerOptions.Limits.DEFAULT.withMemoryBytes(BUDGET / 4));
    try (RpcServer server = RpcServer.start(options);
        RpcSession session = RpcSession.connect(server.endpoint(), RpcOptions.DEFAULT);
        RemoteTensor image = session.empty(DType.FLOAT32, Shape.of(1, 1, 28, 28), DeviceId.CPU)) {
      session.upload("digits.rvm", DIGITS);
      for (int i = 0; i < 120; i++) {
        try (RemoteModule module = session.loadModule("digits.rvm");
            RemoteVm vm = module.vm(DeviceId.CPU)) {
          // What a saved function keeps is on the session's budget.
          vm.saveFunction("main", "saved", true, image);
          vm.setInput("main", image);
          vm.invoke("main");
          vm.outputTensor("main").close();
        }
      }
    }
  }

  /** Neither a client nor its program reads folders of the server, or what others keep. */
  @Test
  void parametersOfTheProcessAreRefused() {
    ExecBuilder builder = new ExecBuilder();
    builder.function(
        "main",
        List.of("x"),
        f -> {
          f.callVoid("vm.builtin.tensor_cache.load", "/etc", 1L, 0L);
          f.ret(f.param(0));
        });
    Path file = folder.resolve("loads.rvm");
    RvmWriter.write(Program.of(builder.get()), file);
    try (RpcServer server = RpcServer.start(ServerOptions.DEFAULT);
        RpcSession session = RpcSession.connect(server.endpoint(), RpcOptions.DEFAULT)) {
      for (String name : List.of("tensor_cache.get", "param_array_from_cache")) {
        assertThatThrownBy(() -> session.requireFunction("vm.builtin." + name).call("w"))
            .isInstanceOf(RemoteCallException.class)
            .hasMessageContaining("vm.builtin." + name + " is not offered by a server");
      }
      session.upload("loads.rvm", file);
      try (RemoteModule module = session.loadModule("loads.rvm");
          RemoteVm vm = module.vm(DeviceId.CPU);
          RemoteTensor x = session.empty(DType.FLOAT32, Shape.of(1), DeviceId.CPU)) {
        vm.setInput("main", x);
        assertThatThrownBy(() -> vm.invoke("main"))
            .isInstanceOf(RemoteCallException.class)
            .hasMessageContaining("vm.builtin.tensor_cache.load is not offered by a server");
      }
    }
  }

  @Test
  void measurementsAreWithinTheBudget() {
    ServerOptions options =
        ServerOptions.DEFAULT
            .withTestFunctions(true)
            .withLimits(ServerOptions.Limits.DEFAULT.withMemoryBytes(BUDGET));
    try (RpcServer server = RpcServer.start(options);
        RpcSession session = RpcSession.connect(server.endpoint(), RpcOptions.DEFAULT)) {
      RemoteTimer timer = session.timer("rpc.test.addone", DeviceId.CPU);
      assertThat(timer.flush((int) BUDGET / 4, "").runs(1, 3).time(1).results()).hasSize(3);
      assertThatThrownBy(() -> timer.flush((int) BUDGET, "").time(1))
          .isInstanceOf(RemoteCallException.class)
          .hasMessageContaining(
              "a measurement of 1 times with 4194304 bytes to flush caches takes 8388616 bytes\n"
                  + "  expected: at most 4194304\n"
                  + "  what to do: measure less often, or flush fewer bytes");
      assertThatThrownBy(() -> timer.runs(1, Integer.MAX_VALUE).time(1))
          .isInstanceOf(RemoteCallException.class)
          .hasMessageContaining("a measurement of 2147483647 times");
    }
  }

  @Test
  void aVirtualMachineGetsWhatTheSessionsTensorsLeave() {
    ServerOptions options =
        ServerOptions.DEFAULT.withLimits(ServerOptions.Limits.DEFAULT.withMemoryBytes(BUDGET));
    try (RpcServer server = RpcServer.start(options);
        RpcSession session = RpcSession.connect(server.endpoint(), RpcOptions.DEFAULT);
        RemoteTensor image = session.empty(DType.FLOAT32, Shape.of(1, 1, 28, 28), DeviceId.CPU)) {
      session.upload("digits.rvm", DIGITS);
      // Blocks have sizes of an eighth of a power of two: these leave a few KiB.
      List<RemoteTensor> held = new ArrayList<>();
      for (long bytes : new long[] {BUDGET / 8 * 7, BUDGET / 64 * 7, BUDGET / 512 * 7}) {
        held.add(session.empty(DType.UINT8, Shape.of(bytes), DeviceId.CPU));
      }
      try (RemoteModule module = session.loadModule("digits.rvm");
          RemoteVm vm = module.vm(DeviceId.CPU)) {
        assertThatThrownBy(
                () -> {
                  vm.setInput("main", image);
                  vm.invoke("main");
                })
            .isInstanceOfSatisfying(
                RemoteCallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.MEMORY));
      }
      held.forEach(RemoteTensor::close);
    }
  }
}
