package org.relaxvm.integrationtests.documents;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.DType;
import org.relaxvm.api.Functions;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.io.Npy;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.AllocatorStats;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.ExecBuilder;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.ExecutableWriter;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.Assembler;
import org.relaxvm.vmcore.text.ExecutableText;
import org.relaxvm.vmcore.vm.BoundCall;
import org.relaxvm.vmcore.vm.CapturedCall;
import org.relaxvm.vmcore.vm.Instrument;
import org.relaxvm.vmcore.vm.Limits;
import org.relaxvm.vmcore.vm.Results;
import org.relaxvm.vmcore.vm.Session;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;
import org.relaxvm.vmcore.vm.VmFunction;

/**
 * The code of {@code docs/user-guide.md} and {@code docs/kernels.md}, between its markers, as
 * methods that a test runs.
 */
final class GuideSnippets {
  private GuideSnippets() {}

  static float[] load(Path digits) {
    // snippet: load
    Program program = Program.load(digits);
    try (VirtualMachine vm = VirtualMachine.builder(program).device("cpu").build();
        Tensor image = Tensor.zeros(DType.FLOAT32, Shape.of(1, 1, 28, 28));
        Tensor scores = vm.function("main").call(image).asTensor()) {
      return scores.toFloatArray();
    }
    // end
  }

  static String signature(VirtualMachine vm) {
    // snippet: signature
    VmFunction main = vm.function("main");
    String inputs = main.inputs().map(Object::toString).orElse("not described");
    String outputs = main.outputs().map(Object::toString).orElse("not described");
    // end
    return inputs + " -> " + outputs;
  }

  static float[] named(VirtualMachine vm, Tensor image) {
    // snippet: named
    try (Results results = vm.function("main").call(Map.of("image", image))) {
      return results.tensor("output").toFloatArray();
    }
    // end
  }

  static float uploaded(VirtualMachine vm, Tensor image) {
    // snippet: upload
    try (Tensor onDevice = vm.upload(image);
        Tensor first = vm.function("main").call(onDevice).asTensor();
        Tensor second = vm.function("main").call(onDevice).asTensor()) {
      return (float) (first.doubleAt(0, 7) + second.doubleAt(0, 7));
    }
    // end
  }

  static float bound(VirtualMachine vm, List<Tensor> images) {
    // snippet: bind
    float best = 0;
    try (Tensor scores = Tensor.zeros(DType.FLOAT32, Shape.of(1, 10))) {
      BoundCall digits = vm.function("main").bind().output(0, scores);
      for (Tensor image : images) {
        digits.input("image", image).run().close();
        best = Math.max(best, (float) scores.doubleAt(0, 7));
      }
    }
    return best;
    // end
  }

  static int asynchronous(VirtualMachine vm, Tensor image) {
    // snippet: async
    CompletableFuture<Value> pending = vm.function("main").callAsync(image);
    try (Value scores = pending.join()) {
      return (int) scores.asTensor().elementCount();
    }
    // end
  }

  static VmBuilder limits(Program program) {
    // snippet: limits
    Limits limits = Limits.defaults().withMemoryBudget(512L << 20).withMaxInstructions(1_000_000);
    VmBuilder builder = VirtualMachine.builder(program).limits(limits);
    // end
    return builder;
  }

  static VmBuilder parallel(Program program, PackedFunc kernel) {
    // snippet: parallelism
    VmBuilder builder = VirtualMachine.builder(program).parallelism(2);
    // end
    // snippet: effects
    builder.function("example.kernel", kernel, CallEffects.writing(Set.of(2)));
    // end
    return builder;
  }

  static float[] severalDevices() {
    // snippet: devices
    BlockBuilder builder = new BlockBuilder();
    VDevice gpu = builder.vdevice(VDevice.of("opencl", 0));
    VDevice host = builder.vdevice(VDevice.of("cpu", 0));
    builder.function(
        "main",
        main -> {
          TensorType onHost = TensorType.of(DType.FLOAT32, 4).withVDevice(Optional.of(host));
          RelaxVar x = main.param("x", onHost);
          return main.dataflow(
              () -> {
                Expr there = Ops.exp(Ops.toVDevice(x, gpu));
                return Ops.add(Ops.toVDevice(there, host), x);
              });
        });
    Program program = Compiler.compile(builder.module());
    try (VirtualMachine vm = VirtualMachine.builder(program).fallbackToHost().build();
        Tensor x = Tensor.of(new float[] {0, 1, 2, 3}, Shape.of(4));
        Tensor sum = vm.function("main").call(x).asTensor()) {
      System.out.println(vm.placement());
      return sum.toFloatArray();
    }
    // end
  }

  static Shape tensors(Path folder) {
    // snippet: tensors
    try (Tensor matrix = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3));
        Tensor transposed = matrix.permute(1, 0);
        Tensor firstRow = matrix.slice(0, 0, 1)) {
      Npy.write(folder.resolve("row.npy"), firstRow);
      return transposed.shape();
    }
    // end
  }

  static long hostFunction() {
    // snippet: host
    Executable executable =
        Assembler.parse(
            """
            relaxvm-text 1
            @main(x):
              call  example.twice    in: %0 dst: %1
              ret   %1
            """);
    PackedFunc twice = (args, result) -> result.setLong(2 * args.longAt(0));
    try (VirtualMachine vm =
            VirtualMachine.builder(Program.of(executable))
                .function("example.twice", twice)
                .build();
        Value doubled = vm.function("main").call(21)) {
      return doubled.asLong();
    }
    // end
  }

  static String processFunction() {
    // snippet: functions
    Functions.register("example.join", args -> args[0] + "/" + args[1]);
    try (Value joined = Functions.get("example.join").invoke("a", 1.5)) {
      return joined.asString();
    } finally {
      Functions.remove("example.join");
    }
    // end
  }

  static String builder() {
    // snippet: builder
    ExecBuilder builder = new ExecBuilder();
    builder.emitFunction("main", 1, List.of("x"));
    builder.emitCall(
        "vm.builtin.make_tuple",
        List.of(Arg.register(0), builder.convertConstant("a string")),
        Arg.register(1));
    builder.emitRet(Arg.register(1));
    builder.endFunction("main");
    Executable executable = builder.get();
    byte[] file = ExecutableWriter.write(executable);
    return file.length + " bytes\n" + ExecutableText.asText(executable);
    // end
  }

  static int instrument(VirtualMachine vm, Tensor image) {
    // snippet: instrument
    int[] calls = {0};
    vm.instrument(
        new Instrument() {
          @Override
          public Action before(Object function, String symbol, CallArgs args) {
            calls[0]++;
            return Action.RUN;
          }
        });
    vm.function("main").call(image).close();
    vm.instrument(null);
    return calls[0];
    // end
  }

  static int session(VirtualMachine vm, Tensor image) {
    // snippet: session
    try (Session session = vm.session()) {
      session.setInput("main", image);
      session.invoke("main");
      try (Tensor scores = session.output("main").asTensor()) {
        return (int) scores.elementCount();
      }
    }
    // end
  }

  static float capture(VirtualMachine vm, List<Tensor> images) {
    // snippet: capture
    float best = 0;
    try (CapturedCall digits = vm.captureOrCall("main", images.getFirst())) {
      for (Tensor image : images) {
        digits.setInput(0, image);
        try (Tensor scores = digits.replay().asTensor()) {
          best = Math.max(best, (float) scores.doubleAt(0, 7));
        }
      }
    }
    return best;
    // end
  }

  static long memory(VirtualMachine vm) {
    // snippet: memory
    AllocatorStats before = vm.memoryStats().getFirst();
    vm.trim();
    AllocatorStats after = vm.memoryStats().getFirst();
    return before.idleBytes() - after.idleBytes();
    // end
  }

  static String failure(VirtualMachine vm) {
    // snippet: failure
    try (Tensor wrong = Tensor.zeros(DType.FLOAT32, Shape.of(28, 28))) {
      vm.function("main").call(wrong).close();
      return "no failure";
    } catch (RelaxException e) {
      return e.problem();
    }
    // end
  }

  static PrimFunc kernel() {
    // snippet: kernel
    KernelBuilder kernel = new KernelBuilder("scale_rows");
    Var n = kernel.extent("n");
    Var m = kernel.extent("m");
    TensorExpr x = kernel.input("X", DType.FLOAT32, List.of(n, m));
    TensorExpr largest =
        kernel.reduce(
            "largest", List.of(n), List.of(m), Reducer.MAX, (i, k) -> x.at(i.get(0), k.get(0)));
    TensorExpr scaled =
        kernel.compute(
            "scaled",
            List.of(n, m),
            i -> Exprs.binary(BinaryOp.DIV, x.at(i), largest.at(i.get(0))));
    return kernel.build(scaled);
    // end
  }

  static float[] kernelRun(PrimFunc kernel) {
    // snippet: kernel-run
    byte[] text = TirText.print(kernel).getBytes(StandardCharsets.UTF_8);
    ModuleImage image = new ModuleImage("tir", List.of(kernel.name()), MemorySegment.ofArray(text));
    try (BackendRegistry registry = BackendRegistry.discover();
        Tensor x = Tensor.of(new float[] {1, 2, 4, 3, 6, 12}, Shape.of(2, 3));
        Tensor scaled = Tensor.zeros(DType.FLOAT32, Shape.of(2, 3))) {
      ModuleLoader cpu = (ModuleLoader) registry.require("cpu:0");
      try (Module module = cpu.loadModule(image)) {
        module.find("scale_rows").orElseThrow().invoke(x, scaled).close();
      }
      return scaled.toFloatArray();
    }
    // end
  }
}
