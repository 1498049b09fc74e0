package org.relaxvm.interoprelay.translate;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Value;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.backendcpu.CpuBackendProvider;
import org.relaxvm.builtins.BuiltinFunctions;
import org.relaxvm.interoprelay.proposal.RelayTestFunctions;
import org.relaxvm.interoprelay.proposal.text.RelayText;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.InstructionText;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.Parallelism;
import org.relaxvm.vmcore.vm.Tier;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;

/** A translated program on a virtual machine of the CPU, with the packed functions of tests. */
final class Translated implements AutoCloseable {
  private final Executable executable;
  private final BackendRegistry registry;
  private final boolean ownsRegistry;
  private final VirtualMachine vm;

  Translated(Executable executable) {
    this(executable, _ -> {});
  }

  /** A program with further functions. */
  Translated(Executable executable, Consumer<VmBuilder> functions) {
    this(
        executable,
        BackendRegistry.builder().add(new CpuBackendProvider()).add(new BuiltinFunctions()).build(),
        true,
        functions);
  }

  /** A program on devices of a registry that others use too. */
  Translated(Executable executable, BackendRegistry registry) {
    this(executable, registry, false, _ -> {});
  }

  private Translated(
      Executable executable,
      BackendRegistry registry,
      boolean ownsRegistry,
      Consumer<VmBuilder> functions) {
    this.executable = executable;
    this.registry = registry;
    this.ownsRegistry = ownsRegistry;
    VmBuilder builder =
        VirtualMachine.builder(Program.of(executable))
            .registry(registry)
            .tier(Tier.COMPILED)
            .parallelism(Parallelism.of(2).always());
    RelayTestFunctions.all().forEach(builder::function);
    functions.accept(builder);
    this.vm = builder.build();
  }

  static Translated of(String text) {
    return of(text, TranslationOptions.DEFAULT);
  }

  static Translated of(String text, TranslationOptions options) {
    return new Translated(ProposalTranslator.translate(RelayText.parse(text), options));
  }

  /** The instructions of the functions of the program, one a line. */
  static String listing(Executable executable) {
    String listing = InstructionText.listing(executable).replaceAll("@\\S+ packed_func;\n\n", "");
    return listing.stripTrailing() + "\n";
  }

  Executable executable() {
    return executable;
  }

  String listing() {
    return listing(executable);
  }

  VirtualMachine vm() {
    return vm;
  }

  /** Calls a function; the caller closes the result. */
  Value call(String function, @Nullable Object... args) {
    return vm.function(function).call(args);
  }

  @Override
  public void close() {
    vm.close();
    if (ownsRegistry) {
      registry.close();
    }
  }
}
