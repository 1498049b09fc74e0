package org.relaxvm.backendcpu.codegen;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.events.Events;
import org.relaxvm.api.events.KernelBuildEvent;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendcpu.codegen.emit.ClassEmitter;
import org.relaxvm.backendcpu.codegen.emit.LaneTable;
import org.relaxvm.backendcpu.codegen.functions.BlockFunctions;
import org.relaxvm.backendcpu.codegen.loops.LoopProgram;
import org.relaxvm.backendcpu.codegen.loops.Lowering;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.backendcpu.invocation.CompiledKernel;
import org.relaxvm.backendcpu.invocation.KernelFunction;
import org.relaxvm.backendcpu.jit.CodeOptions;
import org.relaxvm.backendcpu.jit.CodeReport;
import org.relaxvm.backendcpu.jit.MachineTargets;
import org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException;
import org.relaxvm.backendcpu.jit.run.MachineKernels;
import org.relaxvm.machine.memory.CodeMemoryException;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.abi.CallBinding;
import org.relaxvm.tir.abi.TensorLocation;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.verify.Verified;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns kernels into functions that run as compiled code. Kernels of the same structure share their
 * code. Thread-safe.
 */
public final class KernelCompiler {
  /** The option whose folder receives kernels. */
  public static final String DUMP_OPTION = "dumpKernels";

  /** The system property of {@link #DUMP_OPTION}. */
  public static final String DUMP_SETTING = KernelDump.SETTING;

  private static final Logger LOG = LoggerFactory.getLogger(KernelCompiler.class);

  /**
   * What a kernel became.
   *
   * @param outputs the indices of the parameters that it writes
   * @param namesNothing whether no message of it names a buffer or variable
   */
  private record Compiled(CompiledKernel code, Set<Integer> outputs, boolean namesNothing) {}

  private final Optional<LaneTable> lanes;
  private final Function<PrimFunc, Verified> schedule;
  private final Optional<MachineKernels> machine;
  private final boolean isStrict;
  private final BackendOptions options;
  private final KernelCache<Compiled> cache = new KernelCache<>();
  private final CodeReport report = new CodeReport();

  /**
   * A compiler.
   *
   * @param lanes the vector operations; empty for scalar code
   * @param schedule arranges the loops of kernels and verifies what it makes
   */
  public KernelCompiler(Optional<LaneTable> lanes, Function<PrimFunc, Verified> schedule) {
    this(lanes, schedule, Optional.empty(), false, BackendOptions.none());
  }

  /** As the other constructor, with machine code as options say, and options of the backend. */
  public KernelCompiler(
      Optional<LaneTable> lanes,
      Function<PrimFunc, Verified> schedule,
      CodeOptions code,
      BackendOptions options) {
    this(lanes, schedule, code.chosen().map(MachineTargets::kernels), code.isStrict(), options);
  }

  /**
   * As the other constructors.
   *
   * @param machine makes machine code; empty if kernels are to be classes
   * @param isStrict whether a kernel for which there is no machine code is an error
   */
  public KernelCompiler(
      Optional<LaneTable> lanes,
      Function<PrimFunc, Verified> schedule,
      Optional<MachineKernels> machine,
      boolean isStrict,
      BackendOptions options) {
    this.lanes = lanes;
    this.schedule = schedule;
    this.machine = machine;
    this.isStrict = isStrict;
    this.options = options;
  }

  /**
   * A kernel as a function, with an argument per parameter.
   *
   * @param function a valid kernel
   * @param functions finds what kernels call by name
   * @throws InvalidProgramException when it calls a function that is not there
   */
  public PackedFunc compile(PrimFunc function, Function<String, Optional<PackedFunc>> functions) {
    KernelBuildEvent event = Events.areOn() ? KernelBuildEvent.start() : null;
    List<PrimFunc> made = new ArrayList<>();
    Compiled compiled =
        cache.get(
            function,
            kernel -> {
              made.add(kernel);
              return compile(kernel);
            },
            Compiled::namesNothing);
    if (event != null) {
      event.finish(function.name(), DeviceId.CPU, made.isEmpty());
    }
    List<PackedFunc> called = new ArrayList<>();
    for (String name : compiled.code().functions()) {
      called.add(functions.apply(name).orElseThrow(() -> noFunction(function, name)));
    }
    CallBinding arguments =
        new CallBinding(
            function, Lowering.variables(function), compiled.outputs(), TensorLocation.HOST);
    return new KernelFunction(function, arguments, compiled.code(), called);
  }

  /** What the kernels became so far. */
  public CodeReport report() {
    return report;
  }

  /** How many kernels are kept. */
  int kept() {
    return cache.size();
  }

  private Compiled compile(PrimFunc function) {
    Verified scheduled = schedule.apply(function);
    LoopProgram lowered = Lowering.of(scheduled.kernel(), scheduled.unproven());
    CompiledKernel code =
        machineCode(scheduled.kernel(), lowered).orElseGet(() -> jvmClass(scheduled, lowered));
    return new Compiled(code, outputs(function, lowered), !names(lowered));
  }

  /** Machine code, if kernels are to become that and this one can. */
  private Optional<CompiledKernel> machineCode(PrimFunc scheduled, LoopProgram program) {
    if (machine.isEmpty()) {
      return Optional.empty();
    }
    try {
      MachineKernels.Made made = machine.get().compile(program);
      KernelDump.write(options, scheduled, made.functions(), machine.get().writer()::list);
      report.addMachineCode();
      return Optional.of(made.kernel());
    } catch (UnsupportedCodeException | CodeMemoryException e) {
      String reason = String.valueOf(e.getMessage());
      report.addOther(scheduled.name(), reason);
      if (isStrict) {
        throw new BackendException(
            ErrorKind.VALUE,
            "the kernel "
                + scheduled.name()
                + " cannot become machine code: "
                + reason
                + "\n  what to do: set the option cpu.code to auto",
            e);
      }
      LOG.debug("{} is no machine code: {}", scheduled.name(), reason);
      return Optional.empty();
    }
  }

  private CompiledKernel jvmClass(Verified scheduled, LoopProgram lowered) {
    LoopProgram program = lanes.isPresent() ? BlockFunctions.in(lowered) : lowered;
    CompiledCode code = new CompiledCode(memory -> ClassEmitter.generate(program, lanes, memory));
    KernelDump.write(options, scheduled.kernel(), code.bytes());
    return code;
  }

  private static InvalidProgramException noFunction(PrimFunc function, String name) {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        "the kernel "
            + function.name()
            + " calls the function "
            + name
            + ", which the device does not have");
  }

  private static boolean names(LoopProgram program) {
    return !program.checks().isEmpty() || names(program.body());
  }

  private static boolean names(Node node) {
    return (node instanceof Node.Store store && !store.checks().isEmpty())
        || node.children().stream().anyMatch(KernelCompiler::names);
  }

  private static Set<Integer> outputs(PrimFunc function, LoopProgram program) {
    Set<Integer> outputs = new HashSet<>();
    int buffer = 0;
    for (int i = 0; i < function.params().size(); i++) {
      if (function.params().get(i) instanceof Param.OfBuffer
          && writes(program.body(), program.buffers().get(buffer++))) {
        outputs.add(i);
      }
    }
    return outputs;
  }

  private static boolean writes(Node node, Buffer buffer) {
    boolean here =
        switch (node) {
          case Node.Store store -> store.buffer().equals(buffer);
          case Node.Transpose transpose -> transpose.to().equals(buffer);
          case Node.Invoke invoke -> invoke.writes().contains(buffer);
          default -> false;
        };
    return here || node.children().stream().anyMatch(child -> writes(child, buffer));
  }
}
