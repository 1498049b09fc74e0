package org.relaxvm.compiler.pass.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.Stages;
import org.relaxvm.compiler.pass.fuse.LegalizeOps;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;

/** Where tensors lie is said of some and follows for the others. */
class RealizeVDeviceTest {
  private static final String VDEVICES =
      """
      I.module_global_infos({"vdevice": [I.vdevice("cuda", 0), I.vdevice("cpu", 0), I.vdevice("cuda", 0, "texture")]})
      """;

  private static IRModule realized(String functions) {
    return Stages.run(Stages.parse(VDEVICES + functions), new RealizeVDevice(true));
  }

  /** The variables of a function with their virtual devices. */
  private static List<String> placements(IRModule module, String function) {
    RelaxFunction relax = module.requireFunction(new GlobalVar(function));
    List<String> placements = new ArrayList<>();
    relax.params().forEach(param -> placements.add(param.name() + " " + vdevice(param.type())));
    relax
        .body()
        .bindings()
        .forEach(
            binding -> placements.add(binding.var().name() + " " + vdevice(binding.var().type())));
    placements.add("result " + vdevice(relax.resultType()));
    return placements;
  }

  private static String vdevice(Type type) {
    return type instanceof TensorType tensor
        ? tensor.vdevice().map(Object::toString).orElse("nowhere")
        : type.toString();
  }

  private static void refuses(String functions, String message) {
    assertThatThrownBy(() -> realized(functions))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(message);
  }

  @Test
  void aModuleWithoutVirtualDevicesStaysAsItIs() {
    IRModule module =
        Stages.parse(
            """
            @R.function
            def main(x: R.Tensor((4,), "float32")):
                a = R.exp(x)
                return a
            """);
    assertThat(new RealizeVDevice(true).run(module, PassContext.DEFAULT)).isSameAs(module);
  }

  @Test
  void operandsResultsAndParametersLieTogether() {
    IRModule module =
        realized(
            """
            @R.function
            def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32", vdevice="cpu:0")):
                a = R.exp(x)
                b = R.add(a, y)
                c = R.to_vdevice(b, "cuda:0")
                d = R.negative(c)
                return d
            """);
    assertThat(placements(module, "main"))
        .containsExactly(
            "x cpu:0:global",
            "y cpu:0:global",
            "a cpu:0:global",
            "b cpu:0:global",
            "c cuda:0:global",
            "d cuda:0:global",
            "result cuda:0:global");
  }

  @Test
  void whatNothingSaysIsOnTheFirstVirtualDevice() {
    IRModule module =
        realized(
            """
            @R.function
            def main(x: R.Tensor((4,), "float32")):
                a = R.exp(x)
                return a
            """);
    assertThat(placements(module, "main"))
        .containsExactly("x cuda:0:global", "a cuda:0:global", "result cuda:0:global");
  }

  @Test
  void aHintSaysAVirtualDeviceOrBecomesACopy() {
    IRModule module =
        realized(
            """
            @R.function
            def main(x: R.Tensor((4,), "float32")):
                a = R.hint_on_device(x, "cpu:0")
                b = R.exp(a)
                c = R.hint_on_device(b, "cuda:0")
                return c
            """);
    assertThat(Stages.main(module))
        .containsExactly(
            "a = x", "b = R.exp(a)", "c = R.to_vdevice(b, dst_vdevice=cuda:0)", "return c");
    assertThat(placements(module, "main"))
        .containsExactly(
            "x cpu:0:global",
            "a cpu:0:global",
            "b cpu:0:global",
            "c cuda:0:global",
            "result cuda:0:global");
  }

  @Test
  void placementsGoThroughFunctionsTuplesAndBranches() {
    IRModule module =
        realized(
            """
            @R.function(private=True)
            def twice(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                a = R.add(x, x)
                return a

            @R.function
            def main(p: R.Tensor((), "bool"), x: R.Tensor((4,), "float32", vdevice="cpu:0")) -> R.Tensor((4,), "float32"):
                cls = Module
                t = (x, x)
                u = t[0]
                if p:
                    w = cls.twice(u)
                    y = R.exp(w)
                else:
                    y = R.negative(x)
                return y
            """);
    assertThat(placements(module, "twice"))
        .containsExactly("x cpu:0:global", "a cpu:0:global", "result cpu:0:global");
    assertThat(placements(module, "main"))
        .contains("u cpu:0:global", "y cpu:0:global", "result cpu:0:global");
  }

  @Test
  void constantsLieWhereTheyAreUsed() {
    IRModule module =
        realized(
            """
            @R.function
            def main(x: R.Tensor((2,), "float32", vdevice="cpu:0"), y: R.Tensor((2,), "float32")):
                a = R.add(x, R.const([1, 2], "float32"))
                b = R.add(y, R.const([1, 2], "float32"))
                return (a, b)
            """);
    assertThat(Stages.main(module))
        .contains(
            "a = R.add(x, R.const(R.Tensor((2,), dtype=\"float32\", vdevice=\"cpu:0:global\")))",
            "b = R.add(y, R.const(R.Tensor((2,), dtype=\"float32\", vdevice=\"cuda:0:global\")))");
  }

  @Test
  void whatNoTensorSaysIsSaidByAHintUntilItIsAKernel() {
    String program =
        """
        @R.function
        def main(x: R.Tensor((2,), "float32", vdevice="cpu:0")):
            z = R.zeros(R.shape([2]), "float32")
            a = R.add(x, z)
            return a
        """;
    IRModule module = realized(program);
    assertThat(Stages.main(module))
        .containsExactly(
            "gv = R.zeros(R.shape([2]), dtype=float32)",
            "z = R.hint_on_device(gv, dst_vdevice=cpu:0:global)",
            "a = R.add(x, z)",
            "return a");
    IRModule after = Stages.run(module, new LegalizeOps(), new RealizeVDevice(false));
    assertThat(placements(after, "main"))
        .containsExactly(
            "x cpu:0:global",
            "gv cpu:0:global",
            "z cpu:0:global",
            "a cpu:0:global",
            "result cpu:0:global");
    assertThat(String.join("\n", Stages.main(after))).doesNotContain("hint_on_device");
  }

  @Test
  void whatABuiltinComputesLiesOnTheHost() {
    String program =
        """
        @R.function
        def main(x: R.Tensor((4,), "float32", vdevice="cuda:0")):
            a = R.nonzero(x)
            b = R.shape_to_tensor(R.shape([4]))
            return (a, b)
        """;
    assertThat(placements(realized(program), "main"))
        .contains("x cuda:0:global", "a cpu:0:global", "b cpu:0:global");
    String vdevices = "I.module_global_infos({\"vdevice\": [I.vdevice(\"cuda\", 0)]})\n";
    assertThatThrownBy(() -> Stages.run(Stages.parse(vdevices + program), new RealizeVDevice(true)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "nonzero gives a tensor on the host, which is none of the module's virtual devices:"
                + " [cuda:0:global]; add I.vdevice(\"cpu\") to I.module_global_infos\n  at function"
                + " main, a = R.nonzero(x)\n  at pass RealizeVDevice");
  }

  @Test
  void anOperatorOnTwoVirtualDevicesIsRefused() {
    refuses(
        """
        @R.function
        def main(x: R.Tensor((4,), "float32", vdevice="cpu:0"), y: R.Tensor((4,), "float32")):
            a = R.to_vdevice(x, "cuda:0")
            b = R.add(y, a)
            c = R.add(x, y)
            return c
        """,
        "add: expected one virtual device, but x lies in cpu:0:global and y lies in cuda:0:global;"
            + " copy one of them with R.to_vdevice\n"
            + "  at function main, c = R.add(x, y)\n"
            + "  at pass RealizeVDevice");
  }

  @Test
  void aCallFromAnotherVirtualDeviceIsRefused() {
    refuses(
        """
        @R.function(private=True)
        def f(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            a = R.add(x, R.const(1, "float32", vdevice="cpu:0"))
            return a

        @R.function
        def main(y: R.Tensor((4,), "float32", vdevice="cuda:0")):
            cls = Module
            z = cls.f(y)
            return z
        """,
        "the call of cls.f: expected one virtual device, but x lies in cpu:0:global and y lies in"
            + " cuda:0:global; copy one of them with R.to_vdevice\n"
            + "  at function main, z = cls.f(y)\n"
            + "  at pass RealizeVDevice");
  }

  @Test
  void aVirtualDeviceThatTheModuleDoesNotHaveIsRefused() {
    refuses(
        """
        @R.function
        def main(x: R.Tensor((4,), "float32")):
            a = R.to_vdevice(x, "opencl:0")
            return a
        """,
        "the result lies in opencl:0:global, which is none of the module's virtual devices:"
            + " [cuda:0:global, cpu:0:global, cuda:0:texture]; add it to I.module_global_infos\n"
            + "  at function main, its signature\n  at pass RealizeVDevice");
  }
}
