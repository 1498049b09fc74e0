package org.relaxvm.integrationtests.remote;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.objects.ModuleObjects;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.rpc.RemoteFunction;
import org.relaxvm.rpc.RemoteModule;
import org.relaxvm.rpc.RemoteObject;
import org.relaxvm.rpc.RemoteTensor;
import org.relaxvm.rpc.RemoteVm;
import org.relaxvm.rpc.RpcServer;
import org.relaxvm.rpc.RpcSession;
import org.relaxvm.rpc.connection.ServerOptions;
import org.relaxvm.rpc.error.RemoteCallException;

/** The compiler of a server, by the names of its functions. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RemoteCompilerTest {
  private static final String TEXT =
      """
      @I.ir_module
      class Module:
          @R.function
          def main(x: R.Tensor((n, 2), "float32")) -> R.Tensor((n, 2), "float32"):
              with R.dataflow():
                  unused = R.exp(x)
                  a = R.add(x, R.const([1.0, 2.0], "float32"))
                  b = R.nn.relu(a)
                  R.output(b)
              return b
      """;

  private static RpcServer server;

  @BeforeAll
  static void start() {
    server = RpcServer.start(ServerOptions.DEFAULT);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static @Nullable Object call(RpcSession session, String name, @Nullable Object... args) {
    try (RemoteFunction function = session.requireFunction(name)) {
      return function.call(args);
    }
  }

  private static RemoteObject object(RpcSession session, String name, @Nullable Object... args) {
    return (RemoteObject) requireNonNull(call(session, name, args));
  }

  @Test
  void aModuleOfTheClientIsCompiledAndRunThere() {
    IRModule module = RelaxText.parse(TEXT, "test", StandardOps.registry());
    Object sent = ModuleObjects.write(module, ObjectTypes.discover());
    try (RpcSession session = RpcSession.connect(server.endpoint().toString());
        RemoteModule program = (RemoteModule) object(session, "relax.build", sent);
        RemoteVm vm = program.vm(DeviceId.CPU);
        Tensor x = Tensor.of(new float[] {1, -5, 0, 3}, Shape.of(2, 2));
        RemoteTensor there = session.upload(x, DeviceId.CPU);
        RemoteTensor y = (RemoteTensor) requireNonNull(vm.call("main", there));
        Tensor result = y.download()) {
      assertThat(result.toFloatArray()).containsExactly(2, 0, 1, 5);
    }
  }

  @Test
  void passesRunThereAndTheResultIsFetched() {
    try (RpcSession session = RpcSession.connect(server.endpoint().toString());
        RemoteObject module = object(session, "relaxvm.module.parse", TEXT);
        RemoteObject names = object(session, "ffi.Array", "main");
        RemoteObject clean = object(session, "relax.transform.DeadCodeElimination", names);
        RemoteObject passes = object(session, "ffi.Array", clean, "zero");
        RemoteObject all = object(session, "transform.Sequential", passes);
        RemoteObject fused = object(session, "transform.RunPass", all, module)) {
      IRModule here = ModuleObjects.read(requireNonNull(fused.fetch()));
      assertThat(RelaxText.print(here)).contains("fused_").doesNotContain("exp");
      assertThat(call(session, "relaxvm.module.print", fused)).isEqualTo(RelaxText.print(here));
      byte[] bytes =
          (byte[])
              requireNonNull(
                  call(
                      session,
                      "relaxvm.program.bytes",
                      object(session, "relax.build", module, "default", "compiled")));
      session.upload("model.rvm", bytes);
      try (RemoteModule loaded = session.loadModule("model.rvm")) {
        assertThat(loaded.function("vm_load_executable")).isPresent();
      }
    }
  }

  @Test
  void errorsOfPassesNameThem() {
    try (RpcSession session = RpcSession.connect(server.endpoint().toString());
        RemoteObject module = object(session, "relaxvm.module.parse", TEXT)) {
      assertThatThrownBy(() -> call(session, "transform.RunPass", "FuseOp", module))
          .isInstanceOf(RemoteCallException.class)
          .hasMessageContaining("there is no pass 'FuseOp'\n  similar: FuseOps, FuseTIR\n");
    }
  }
}
