package org.relaxvm.compiler.codegen;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.pass.ExecMode;
import org.relaxvm.compiler.pass.device.SpecializeKernels;
import org.relaxvm.compiler.pass.lower.HostFunctions;
import org.relaxvm.compiler.type.ProgramDevices;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.vmcore.program.KernelModule;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramMetadata;

/**
 * Makes a program of a module that went through all passes: bytecode or compiled functions, kernels
 * as text, and a description from the types of {@code main}.
 *
 * <p>Kernels are not scheduled: the device that loads them does that, so that the same program runs
 * on each. Those that compute extents go to the host, those with the annotation {@value #TARGET} to
 * the device that it names or to one of that kind, all others to the first device that takes them.
 *
 * <p>Stateless; safe for concurrent use. Source: docs/spec/vm-codegen.md, section 2.
 */
public final class ProgramBuilder {
  /** The annotation on a kernel with the only device that it is for: its kind, or its name. */
  public static final String TARGET = SpecializeKernels.TARGET;

  private static final String MAIN = "main";
  private static final String HOST = "cpu";
  private static final String FORMAT = "tir";
  private static final String ANY_DEVICE = "";

  private ProgramBuilder() {}

  /**
   * A program.
   *
   * @param lowered all passes ran; constants are borrowed
   */
  public static Program build(IRModule lowered) {
    return build(lowered, ExecMode.BYTECODE, metadata -> {});
  }

  /**
   * A program that says more of itself.
   *
   * @param mode whether functions over tensors become bytecode or compiled functions
   * @param describe adds to what the types say, such as a name and labels
   */
  public static Program build(
      IRModule lowered, ExecMode mode, Consumer<ProgramMetadata.Builder> describe) {
    VmCode code =
        switch (mode) {
          case BYTECODE -> CodeGenVM.generate(lowered);
          case COMPILED -> CodeGenVMTIR.generate(lowered);
        };
    ProgramMetadata.Builder metadata = ProgramMetadata.builder();
    if (lowered.find(new GlobalVar(MAIN)).orElse(null) instanceof RelaxFunction main) {
      Signature signature = new Signature();
      signature.inputs(main.params()).forEach(metadata::input);
      signature.outputs(main.resultType()).forEach(metadata::output);
    }
    metadata.sourceNodes(code.sourceNodes());
    metadata.devices(ProgramDevices.of(lowered.vdevices()).devices());
    describe.accept(metadata);
    return Program.of(code.executable(), metadata.build(), modules(code.kernels()));
  }

  private static List<KernelModule> modules(List<PrimFunc> kernels) {
    Map<String, List<PrimFunc>> byDevice = new LinkedHashMap<>();
    for (PrimFunc kernel : kernels) {
      byDevice.computeIfAbsent(device(kernel), unused -> new ArrayList<>()).add(kernel);
    }
    List<KernelModule> modules = new ArrayList<>();
    byDevice.forEach((device, group) -> modules.add(new KernelModule(device, image(group))));
    return modules;
  }

  private static String device(PrimFunc kernel) {
    if (HostFunctions.isHost(kernel)) {
      return HOST;
    }
    return kernel.attrs().get(TARGET) instanceof String target ? target : ANY_DEVICE;
  }

  private static ModuleImage image(List<PrimFunc> kernels) {
    byte[] text = TirText.print(kernels).getBytes(UTF_8);
    List<String> symbols = kernels.stream().map(PrimFunc::name).toList();
    return new ModuleImage(FORMAT, symbols, MemorySegment.ofArray(text));
  }
}
