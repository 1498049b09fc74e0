package org.relaxvm.vmcore.vm;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.api.Closure;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.TypeKey;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.object.ComparisonKind;
import org.relaxvm.api.object.FieldKind;
import org.relaxvm.api.object.ObjectDeclaration;
import org.relaxvm.api.object.ObjectField;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.object.ObjectView;
import org.relaxvm.vmcore.executable.Arg;

/** Objects of types that the virtual machine does not know, as values of programs. */
class ObjectValueTest {
  private final TestDevices devices = new TestDevices();

  /** A value type of a third party. */
  @TypeKey("acme.Scale")
  record Scale(long axis, double factor) {}

  private static final ObjectTypes TYPES =
      ObjectTypes.of(
          List.of(
              ObjectDeclaration.ofRecord(MethodHandles.lookup(), Scale.class),
              ObjectDeclaration.of(
                  "acme.Node",
                  ObjectDeclaration.OBJECT,
                  ComparisonKind.TREE,
                  List.of(new ObjectField("factor", FieldKind.FLOAT, "double")))));

  @AfterEach
  void close() {
    devices.close();
  }

  private static TestProgram program() {
    TestProgram program = new TestProgram();
    return program
        .function("scaled", 2, 3, "x", "scale")
        .call("twice", 2, r(1))
        .call("tuple", 2, r(0), r(2))
        .ret(2)
        .function("bind", 1, 2, "scale")
        .call("make_closure", 1, program.functionValue("scaled"), r(0))
        .ret(1)
        .function("apply", 2, 3, "f", "x")
        .call("invoke_closure", 2, Arg.VM, r(0), r(1))
        .ret(2)
        .function("sum", 1, 2, "scale")
        .call("add", 1, r(0), r(0))
        .ret(1);
  }

  private VirtualMachine vm(Tier tier) {
    PackedFunc twice =
        PackedFunc.of(
            args -> {
              ObjectView view = ObjectView.of(TYPES, requireNonNull(args[0]));
              return view.with("factor", 2 * (Double) requireNonNull(view.get("factor")));
            });
    return TestFunctions.builder(program(), devices).tier(tier).function("twice", twice).build();
  }

  @ParameterizedTest
  @EnumSource(Tier.class)
  void objectsAreArgumentsResultsAndCapturedValues(Tier tier) {
    Scale scale = new Scale(1, 0.5);
    try (VirtualMachine vm = vm(tier);
        Closure closure = vm.function("bind").call(scale).asClosure()) {
      assertThat(closure.boundAt(0)).isSameAs(scale);
      assertThat(vm.function("apply").call(closure, "x").asTuple().fields())
          .containsExactly("x", new Scale(1, 1.0));
      assertThat(vm.invoke(closure, scale).asTuple().get(0)).isSameAs(scale);
    }
  }

  @ParameterizedTest
  @EnumSource(Tier.class)
  void nodesAreToo(Tier tier) {
    Object node = TYPES.require("acme.Node").create(Map.of("factor", 0.25));
    try (VirtualMachine vm = vm(tier)) {
      Object result = vm.function("scaled").call(1, node).asTuple().get(1);
      assertThat(result).hasToString("acme.Node(factor=0.5)");
    }
  }

  @ParameterizedTest
  @EnumSource(Tier.class)
  void errorsNameTheTypeKey(Tier tier) {
    try (VirtualMachine vm = vm(tier)) {
      assertThatThrownBy(() -> vm.function("sum").call(new Scale(0, 1)))
          .isInstanceOf(CallException.class)
          .hasMessageStartingWith("argument #0 must be an integer, but is of type acme.Scale\n");
      assertThatThrownBy(() -> vm.function("apply").call(new Scale(0, 1), 1))
          .isInstanceOf(CallException.class)
          .hasMessageStartingWith(
              "only a closure or a function can be called, but the value is of type acme.Scale\n");
    }
  }
}
