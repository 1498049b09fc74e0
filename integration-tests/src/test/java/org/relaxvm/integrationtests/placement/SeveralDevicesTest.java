package org.relaxvm.integrationtests.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.integrationtests.events.Recorded;
import org.relaxvm.integrationtests.placement.Machines.Placed;
import org.relaxvm.integrationtests.placement.Machines.Watched;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.RvmWriter;
import org.relaxvm.vmcore.vm.InputCopies;
import org.relaxvm.vmcore.vm.Placement;
import org.relaxvm.vmcore.vm.Session;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Programs split over the host and other devices. */
class SeveralDevicesTest {
  private static final List<Placed> SPLIT_ARGS =
      List.of(
          Placed.of(0, Shape.of(2, 4), 0, 1, 2, -1, .5f, -.5f, 3, 0),
          Placed.of(1, Shape.of(4), 1, 2, 3, 4));

  static void assertClose(float[] got, float[] expected) {
    assertThat(got).hasSameSizeAs(expected);
    for (int i = 0; i < got.length; i++) {
      assertThat(got[i]).isCloseTo(expected[i], within(1e-4f * Math.max(1, Math.abs(expected[i]))));
    }
  }

  private static void givesWhatTheEvaluatorSays(IRModule module, List<Placed> args) {
    float[] expected = Machines.expected(module, args);
    try (BackendRegistry registry = Machines.registry()) {
      Machines.forEachOption(module, registry, vm -> assertClose(Machines.run(vm, args), expected));
    }
  }

  private static Placed filled(int device, Shape shape, IntFunction<Float> value) {
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value.apply(i);
    }
    return Placed.of(device, shape, values);
  }

  @Test
  void aProgramOfTextGivesWhatTheEvaluatorSays() {
    IRModule module = Machines.parse(Machines.SPLIT);
    givesWhatTheEvaluatorSays(module, SPLIT_ARGS);
    givesWhatTheEvaluatorSays(Machines.parse(Machines.SPLIT.replace("\"n\"", "2")), SPLIT_ARGS);
    givesWhatTheEvaluatorSays(
        module, List.of(filled(0, Shape.of(0, 4), i -> 0f), Placed.of(1, Shape.of(4), 1, 2, 3, 4)));
  }

  @Test
  void aProgramOfJavaGivesWhatTheEvaluatorSays() {
    try (Tensor weight = filled(0, Shape.of(4, 3), i -> i / 8f - .5f).tensor();
        Tensor bias = filled(0, Shape.of(3), i -> i + 1f).tensor()) {
      BlockBuilder builder = new BlockBuilder();
      VDevice first = builder.vdevice(VDevice.of("reference", 0));
      VDevice second = builder.vdevice(VDevice.of("reference", 1));
      VDevice host = builder.vdevice(VDevice.of("cpu", 0));
      builder.function(
          "main",
          main -> {
            RelaxVar x = main.param("x", TensorType.of(DType.FLOAT32, Var.index("n"), 4));
            return main.dataflow(
                () -> {
                  RelaxVar here = main.emit(Ops.hintOnDevice(x, first));
                  RelaxVar product = main.emit(Ops.matmul(here, new Constant(weight)));
                  RelaxVar there = main.emit(Ops.toVDevice(product, second));
                  RelaxVar sum = main.emit(Ops.add(there, new Constant(bias)));
                  RelaxVar last = main.emit(Ops.toVDevice(sum, host));
                  return Ops.add(Ops.exp(last), new Constant(bias));
                });
          });
      IRModule module = builder.module();
      givesWhatTheEvaluatorSays(module, List.of(filled(0, Shape.of(5, 4), i -> i / 10f - 1)));
      Program program = Compiler.compile(module);
      assertThat(program.metadata().devices())
          .containsExactly(
              new DeviceId("reference", 0), new DeviceId("reference", 1), DeviceId.CPU);
      assertThat(program.modules().stream().map(each -> each.device()))
          .containsExactlyInAnyOrder("reference:0", "reference:1", "cpu");
    }
  }

  @Test
  void placementsGoThroughFunctionsTuplesAndBranches() {
    String text =
        """
        from tvm.script import ir as I
        from tvm.script import relax as R

        @I.ir_module
        class Module:
            I.module_global_infos({"vdevice": [I.vdevice("reference", 0), I.vdevice("cpu", 0)]})

            @R.function(private=True)
            def soft(x: R.Tensor((2, 4), "float32")) -> R.Tensor((2, 4), "float32"):
                s = R.nn.softmax(x, axis=-1)
                return s

            @R.function
            def main(p: R.Tensor((), "bool"), x: R.Tensor((2, 4), "float32", vdevice="cpu:0")) -> R.Tensor((2, 4), "float32"):
                cls = Module
                z = R.zeros(R.shape([2, 4]), "float32")
                y = R.to_vdevice(x, "reference:0")
                a = R.add(y, z)
                t = R.split(a, 2, axis=1)
                u = R.concat((t[1], t[0]), axis=1)
                b = cls.soft(u)
                c = R.to_vdevice(b, "cpu:0")
                d = R.add(c, R.zeros(R.shape([2, 4]), "float32"))
                if p:
                    w = R.add(d, x)
                    r = R.multiply(w, w)
                else:
                    r = R.subtract(d, x)
                return r
        """;
    IRModule module = Machines.parse(text);
    Placed x = filled(1, Shape.of(2, 4), i -> i * .25f - 1);
    for (boolean choice : new boolean[] {true, false}) {
      givesWhatTheEvaluatorSays(module, List.of(new Placed(truth(choice), 0), x));
    }
  }

  private static Tensor truth(boolean value) {
    Tensor tensor = Tensor.zeros(DType.BOOL, Shape.of());
    tensor.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) (value ? 1 : 0));
    return tensor;
  }

  @Test
  void onlyWhatTheProgramSaysIsCopied() {
    List<Watched> devices = new ArrayList<>();
    IRModule module = Machines.parse(Machines.SPLIT);
    try (BackendRegistry registry =
        Machines.registry(
            id -> {
              Watched device = new Watched(id);
              devices.add(device);
              return device;
            })) {
      Machines.forEachOption(
          module,
          registry,
          vm -> {
            Watched device = devices.getFirst();
            try (Tensor x = SPLIT_ARGS.get(0).on(vm);
                Tensor w = SPLIT_ARGS.get(1).on(vm)) {
              int in = device.copiesIn.get();
              int out = device.copiesOut.get();
              vm.function("main").call(x, w).close();
              assertThat(device.copiesIn.get() - in).isEqualTo(1);
              assertThat(device.copiesOut.get() - out).isEqualTo(1);
            }
            assertThat(vm.placement().copies())
                .extracting(Placement.CopyEntry::from, Placement.CopyEntry::to)
                .containsExactly(tuple("reference:0", "cpu:0"), tuple("cpu:0", "reference:0"));
          });
    }
  }

  @Test
  void resultsAndStoragesAreOnTheirDevices() {
    IRModule module = Machines.parse(Machines.SPLIT.replace("\"n\"", "2"));
    try (BackendRegistry registry = Machines.registry()) {
      Machines.forEachOption(
          module,
          registry,
          vm -> {
            long onHost = vm.memoryStats().get(1).allocations();
            long onDevice = vm.memoryStats().get(0).allocations();
            try (Tensor x = SPLIT_ARGS.get(0).on(vm);
                Tensor w = SPLIT_ARGS.get(1).on(vm);
                Value result = vm.function("main").call(x, w)) {
              assertThat(result.asTensor().device().id()).isEqualTo(new DeviceId("reference", 0));
            }
            assertThat(vm.memoryStats().get(1).allocations() - onHost - 2)
                .as("on the host: the copy and %s", vm.placement().allocations())
                .isEqualTo(count(vm, "cpu:0"));
            assertThat(vm.memoryStats().get(0).allocations() - onDevice - 2)
                .as("on the device: the copy and %s", vm.placement().allocations())
                .isEqualTo(count(vm, "reference:0"));
          });
    }
  }

  private static long count(VirtualMachine vm, String device) {
    return vm.placement().allocations().stream()
        .filter(allocation -> allocation.device().equals(device))
        .count();
  }

  @Test
  void placementTellsWhereEverythingIs() {
    String text =
        """
        from tvm.script import ir as I
        from tvm.script import relax as R

        @I.ir_module
        class Module:
            I.module_global_infos({"vdevice": [I.vdevice("reference", 1), I.vdevice("cpu", 0)]})

            @R.function
            def main(x: R.Tensor((4,), "float32", vdevice="reference:1")) -> R.Tensor((4,), "float32"):
                a = R.exp(x)
                b = R.to_vdevice(a, "cpu:0")
                c = R.negative(b)
                return c
        """;
    try (BackendRegistry registry = Machines.registry();
        VirtualMachine vm = Machines.builder(Machines.compile(text), registry).build()) {
      assertThat(vm.placement().devices())
          .extracting(Placement.DeviceEntry::index, Placement.DeviceEntry::name)
          .containsExactly(tuple(0, "reference:1"), tuple(1, "cpu:0"));
      assertThat(vm.placement().functions().stream().filter(each -> each.device() != null))
          .containsExactly(
              new Placement.FunctionEntry(
                  "tir_exp_reference", "kernels of the program on reference:1", "reference:1"),
              new Placement.FunctionEntry(
                  "tir_negative_cpu", "kernels of the program on cpu:0", "cpu:0"));
      assertThat(vm.placement().toString())
          .contains(
              """
              \nallocations:
                main on reference:1: 1 storage, 16 bytes
                main on cpu:0: 1 storage, 16 bytes
              copies:
                main, instruction 6: from reference:1 to cpu:0\
              """)
          .endsWith("to cpu:0");
    }
  }

  @Test
  void whereCopiesAreRefusedAnArgumentOnTheWrongDeviceIsNamedAndASessionCopiesIt() {
    try (BackendRegistry registry = Machines.registry();
        VirtualMachine vm =
            Machines.builder(Machines.compile(Machines.SPLIT), registry)
                .inputCopies(InputCopies.REFUSE)
                .build();
        Session session = vm.session()) {
      Tensor x = SPLIT_ARGS.get(0).tensor();
      Tensor w = SPLIT_ARGS.get(1).tensor();
      assertThatThrownBy(() -> vm.function("main").call(x, w))
          .isInstanceOf(CallException.class)
          .hasMessage(
              "argument 0 (x) of function main must be on reference:0, but is on cpu:0\n  what to"
                  + " do: upload it with vm.upload(tensor)");
      session.setInput("main", x, w);
      session.invoke("main");
      try (Value result = session.output("main")) {
        assertClose(
            result.asTensor().toFloatArray(),
            Machines.expected(Machines.parse(Machines.SPLIT), SPLIT_ARGS));
      }
    }
  }

  @Test
  void aCallCopiesHostTensorsToTheDevicesOfTheirParameters() {
    try (BackendRegistry registry = Machines.registry();
        VirtualMachine vm = Machines.builder(Machines.compile(Machines.SPLIT), registry).build()) {
      Tensor x = SPLIT_ARGS.get(0).tensor();
      Tensor w = SPLIT_ARGS.get(1).tensor();
      long before = vm.memoryStats().getFirst().liveBlocks();
      try (Tensor result = vm.function("main").call(x, w).asTensor()) {
        assertClose(
            result.toFloatArray(), Machines.expected(Machines.parse(Machines.SPLIT), SPLIT_ARGS));
      }
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isEqualTo(before);
      assertThat(vm.placement().inputs())
          .containsExactly(new Placement.InputEntry("main", "x", "reference:0", true));
    }
  }

  @Test
  void aCopyOfAnInputIsRecorded() throws IOException {
    try (BackendRegistry registry = Machines.registry();
        VirtualMachine vm = Machines.builder(Machines.compile(Machines.SPLIT), registry).build()) {
      Tensor x = SPLIT_ARGS.get(0).tensor();
      Tensor w = SPLIT_ARGS.get(1).tensor();
      try (Tensor uploaded = vm.upload(x)) {
        List<String> without =
            Recorded.contents("relaxvm.Copy", () -> vm.function("main").call(uploaded, w).close());
        List<String> with =
            Recorded.contents("relaxvm.Copy", () -> vm.function("main").call(x, w).close());
        assertThat(with).hasSize(without.size() + 1).endsWith(without.toArray(new String[0]));
        assertThat(with.getFirst())
            .isEqualTo("{bytes=32, from=cpu:0, kind=host to device, staged=false, to=reference:0}");
      }
    }
  }

  @Test
  void textAndPackagesKeepThePlaces(@TempDir Path folder) {
    IRModule module = Machines.parse(Machines.SPLIT);
    String printed = RelaxText.print(module);
    assertThat(RelaxText.print(Machines.parse(printed))).isEqualTo(printed);
    Program program = Compiler.compile(module);
    Path file = folder.resolve("split.rvm");
    RvmWriter.write(program, file);
    Program read = Program.load(file);
    assertThat(read.metadata()).isEqualTo(program.metadata());
    assertThat(read.metadata().inputs())
        .extracting(Object::toString)
        .containsExactly("x: float32[n, 4] on reference:0", "w: float32[4] on cpu:0");
    assertThat(read.modules().stream().map(each -> each.device()))
        .isEqualTo(program.modules().stream().map(each -> each.device()).toList());
    try (BackendRegistry registry = Machines.registry();
        VirtualMachine vm = Machines.builder(read, registry).build()) {
      assertClose(Machines.run(vm, SPLIT_ARGS), Machines.expected(module, SPLIT_ARGS));
    }
  }
}
