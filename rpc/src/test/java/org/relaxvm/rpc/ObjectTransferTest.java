package org.relaxvm.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.rpc.RecordedPlay.as;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.TypeKey;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.object.ComparisonKind;
import org.relaxvm.api.object.ObjectDeclaration;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.rpc.ScaleTypes.Scale;
import org.relaxvm.rpc.connection.ServerOptions;
import org.relaxvm.rpc.error.RemoteCallException;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.Assembler;

/** Objects of other types between the client and the server. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ObjectTransferTest {
  private static final List<@Nullable Object> SEEN =
      Collections.synchronizedList(new ArrayList<>());
  private static final Object STRANGER =
      ObjectTypes.of(
              List.of(
                  ObjectDeclaration.of(
                      "acme.Stranger", ObjectDeclaration.OBJECT, ComparisonKind.TREE, List.of())))
          .require("acme.Stranger")
          .create();
  private static final Program PROGRAM =
      Program.of(
          Assembler.parse(
              """
              @pair(x, scale):
                call vm.builtin.make_tuple in: %0, %1 dst: %2
                ret %2
              @bind(scale):
                call vm.builtin.make_closure in: f[pair], %0 dst: %1
                ret %1
              """));
  private static RpcServer server;

  @BeforeAll
  static void start() {
    server =
        RpcServer.start(
            ServerOptions.DEFAULT
                .withTestFunctions(true)
                .withFunctions(
                    Map.of(
                        "test.see", ObjectTransferTest::see,
                        "test.stranger", (args, result) -> result.set(STRANGER),
                        "test.program", (args, result) -> result.set(PROGRAM))));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void see(CallArgs args, CallResult result) {
    SEEN.add(args.at(0));
    result.setArgument(args, 0);
  }

  private static RpcSession connect() {
    return RpcSession.connect(server.endpoint().toString());
  }

  private static @Nullable Object call(RpcSession session, String name, @Nullable Object... args) {
    try (RemoteFunction function = session.requireFunction(name)) {
      return function.call(args);
    }
  }

  @Test
  void anObjectIsOneOfItsTypeOnTheServerAndBack() {
    Scale inner = new Scale(1, 0.5, "inner");
    Scale scale = new Scale(2, 2.5, List.of(inner, inner));
    SEEN.clear();
    try (RpcSession session = connect();
        RemoteObject there = as(RemoteObject.class, call(session, "test.see", scale))) {
      assertThat(SEEN).containsExactly(scale);
      Scale seen = as(Scale.class, SEEN.getFirst());
      assertThat(seen).isNotSameAs(scale);
      List<?> both = as(List.class, seen.next());
      assertThat(both.getFirst()).isSameAs(both.getLast());
      assertThat(there.fetch()).isEqualTo(scale).isNotSameAs(seen);
      call(session, "test.see", there);
      assertThat(SEEN.getLast()).isSameAs(seen);
    }
  }

  @Test
  void anObjectIsCapturedByAClosureOfAProgramThatAFunctionGave() {
    Scale scale = new Scale(3, 0.25, "captured");
    try (RpcSession session = connect();
        RemoteModule program = as(RemoteModule.class, call(session, "test.program"));
        RemoteVm vm = program.vm(DeviceId.CPU);
        RemoteObject closure = as(RemoteObject.class, vm.call("bind", scale));
        RemoteObject pair =
            as(RemoteObject.class, vm.invokeClosure(closure, new Scale(4, 1, "x")))) {
      assertThat(pair.fetch()).isEqualTo(List.of(new Scale(4, 1, "x"), scale));
      vm.setInput("pair", 1, scale);
      vm.invoke("pair");
      assertThat(vm.outputArity("pair")).isEqualTo(2);
      RemoteObject output = as(RemoteObject.class, vm.output("pair", 1));
      assertThat(output.fetch()).isEqualTo(scale);
    }
  }

  @Test
  void containersAreMadeThereAndFetched() {
    try (RpcSession session = connect();
        RemoteObject array =
            as(RemoteObject.class, call(session, "ffi.Array", new Scale(0, 1, "x"), 3));
        RemoteObject map = as(RemoteObject.class, call(session, "ffi.Map", "scales", array));
        RemoteObject shape = as(RemoteObject.class, call(session, "golden.shape", 2, 3))) {
      assertThat(map.fetch()).isEqualTo(Map.of("scales", List.of(new Scale(0, 1, "x"), 3L)));
      assertThat(call(session, "ffi.ArraySize", array)).isEqualTo(2L);
      assertThat(shape.fetch()).isEqualTo(Shape.of(2, 3));
    }
  }

  @Test
  void aTypeUnknownToEitherSideIsNamed() {
    try (RpcSession session = connect()) {
      assertThatThrownBy(() -> call(session, "test.see", STRANGER))
          .isInstanceOf(RemoteCallException.class)
          .hasMessageContaining("Cannot find type `acme.Stranger`")
          .hasMessageContaining("what to do: put the jar that declares it on the class path")
          .hasMessageContaining("at argument #0, acme.Stranger");
      RemoteObject there = as(RemoteObject.class, call(session, "test.stranger"));
      assertThatThrownBy(there::fetch)
          .isInstanceOf(MalformedFileException.class)
          .hasMessageContaining("Cannot find type `acme.Stranger`")
          .hasMessageContaining("what to do: put the jar that declares it on the class path");
      assertThat(call(session, "rpc.test.addone", 1)).isEqualTo(2L);
    }
  }

  @TypeKey("acme.Undeclared")
  record Undeclared() {}

  @Test
  void whatHasNoTextIsRefusedBeforeTheCall() {
    SEEN.clear();
    try (RpcSession session = connect()) {
      assertThatThrownBy(() -> call(session, "test.see", new Undeclared()))
          .isInstanceOf(CallException.class)
          .hasMessage(
              Undeclared.class.getName()
                  + " is not an object type\n"
                  + "  what to do: declare it by an ObjectTypeProvider\n"
                  + "  at argument #0, acme.Undeclared");
      assertThat(SEEN).isEmpty();
      RemoteObject function = as(RemoteObject.class, call(session, "golden.scale", 2));
      assertThatThrownBy(function::fetch)
          .isInstanceOf(CallException.class)
          .hasMessage(
              "a remote function cannot be copied here\n"
                  + "  expected: an object, an array, a map or a shape");
      RemoteModule program = as(RemoteModule.class, call(session, "test.program"));
      try (RemoteVm vm = program.vm(DeviceId.CPU)) {
        RemoteObject closure = as(RemoteObject.class, vm.call("bind", 1));
        assertThatThrownBy(closure::fetch)
            .isInstanceOf(RemoteCallException.class)
            .hasMessageContaining("org.relaxvm.api.Closure is not an object type");
      }
    }
  }
}
