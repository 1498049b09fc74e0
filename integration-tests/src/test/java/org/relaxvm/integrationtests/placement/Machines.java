package org.relaxvm.integrationtests.placement;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.memory.AllocatorOptions;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendcpu.CpuBackendProvider;
import org.relaxvm.backendtestkit.reference.ReferenceBackendProvider;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;
import org.relaxvm.builtins.BuiltinFunctions;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.eval.RelaxEvaluator;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;

/** Virtual machines over the host and two reference devices. */
final class Machines {
  /** Kernels on the host and on a device, with a copy each way; {@code w} is used on both. */
  static final String SPLIT =
      """
      from tvm.script import ir as I
      from tvm.script import relax as R

      @I.ir_module
      class Module:
          I.module_global_infos({"vdevice": [I.vdevice("reference", 0), I.vdevice("cpu", 0)]})

          @R.function
          def main(x: R.Tensor(("n", 4), "float32", vdevice="reference:0"), w: R.Tensor((4,), "float32", vdevice="cpu:0")) -> R.Tensor(("n", 4), "float32", vdevice="reference:0"):
              with R.dataflow():
                  a = R.exp(x)
                  b = R.multiply(a, R.const(2.0))
                  c = R.to_vdevice(b, "cpu:0")
                  d = R.add(c, w)
                  e = R.multiply(d, R.const(3.0))
                  f = R.to_vdevice(e, "reference:0")
                  g = R.negative(f)
                  h = R.add(g, x)
                  R.output(h)
              return h
      """;

  /** The ways to compile that change what is called and allocated. */
  static final List<CompileOptions> OPTIONS =
      List.of(
          CompileOptions.DEFAULT,
          CompileOptions.DEFAULT.withoutFusion(),
          CompileOptions.DEFAULT.withoutPlan(),
          CompileOptions.DEFAULT.withoutFusion().withoutPlan());

  private Machines() {}

  static IRModule parse(String text) {
    return RelaxText.parse(text, "several.relax", StandardOps.registry());
  }

  static Program compile(String text) {
    return Compiler.compile(parse(text));
  }

  static BackendRegistry registry() {
    return registry(ReferenceDevice::new);
  }

  static BackendRegistry registry(Function<DeviceId, ReferenceDevice> device) {
    return BackendRegistry.builder()
        .add(new ReferenceBackendProvider(device))
        .add(new CpuBackendProvider())
        .add(new BuiltinFunctions())
        .build();
  }

  static VmBuilder builder(Program program, BackendRegistry registry) {
    return VirtualMachine.builder(program).registry(registry);
  }

  /** Runs {@code main} with tensors on their devices and gives its result as numbers. */
  static float[] run(VirtualMachine vm, List<Placed> args) {
    List<Tensor> tensors = new ArrayList<>();
    try {
      args.forEach(arg -> tensors.add(arg.on(vm)));
      try (Value result = vm.function("main").call(tensors.toArray())) {
        return result.asTensor().toHost().toFloatArray();
      }
    } finally {
      tensors.forEach(Tensor::close);
    }
  }

  /** What the evaluator gives. */
  static float[] expected(IRModule module, List<Placed> args) {
    Object[] values = args.stream().map(Placed::tensor).toArray();
    return ((Tensor) new RelaxEvaluator(module).run("main", values)).toFloatArray();
  }

  /** An argument and the index of the device that it goes to; -1 for the host. */
  record Placed(Tensor tensor, int device) {
    static Placed of(int device, Shape shape, float... values) {
      return new Placed(Tensor.of(values, shape), device);
    }

    Tensor on(VirtualMachine vm) {
      int index = device < 0 ? vm.devices().size() - 1 : device;
      return vm.upload(tensor, vm.devices().get(index));
    }
  }

  /** A device that counts copies, tells the scopes it is asked for, and has one more of them. */
  static final class Watched extends ReferenceDevice {
    final List<String> scopes = new ArrayList<>();
    final AtomicInteger copiesIn = new AtomicInteger();
    final AtomicInteger copiesOut = new AtomicInteger();

    Watched(DeviceId id) {
      super(id);
    }

    @Override
    protected DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
      scopes.add(scope);
      return super.doAllocate(byteSize, alignment, scope.equals("texture") ? "global" : scope);
    }

    @Override
    protected void doCopyIn(MemorySegment source, DeviceMemory target, long offset, Stream stream) {
      copiesIn.incrementAndGet();
      super.doCopyIn(source, target, offset, stream);
    }

    @Override
    protected void doCopyOut(
        DeviceMemory source, long offset, MemorySegment target, Stream stream) {
      copiesOut.incrementAndGet();
      super.doCopyOut(source, offset, target, stream);
    }
  }

  /** A device that lacks kernels, or takes none. */
  static final class Lacking extends ReferenceDevice {
    private final Set<String> formats;
    private final UnaryOperator<Module> loaded;

    Lacking(DeviceId id, Set<String> formats, UnaryOperator<Module> loaded) {
      super(id);
      this.formats = formats;
      this.loaded = loaded;
    }

    @Override
    public Set<String> formats() {
      return formats;
    }

    @Override
    public Module loadModule(ModuleImage image) {
      return loaded.apply(super.loadModule(image));
    }
  }

  /** Blocks are asked of the device each time. */
  static VmBuilder naive(VmBuilder builder) {
    return builder.allocator(device -> new NaiveAllocator(device, AllocatorOptions.DEFAULT));
  }

  /** Does something with a VM for each way to compile. */
  static void forEachOption(
      IRModule module, BackendRegistry registry, Consumer<VirtualMachine> use) {
    for (CompileOptions options : OPTIONS) {
      try (VirtualMachine vm = builder(Compiler.compile(module, options), registry).build()) {
        use.accept(vm);
      }
    }
  }
}
