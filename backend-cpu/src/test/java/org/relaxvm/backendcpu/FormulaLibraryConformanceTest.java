package org.relaxvm.backendcpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.relaxvm.api.DType;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendcpu.codegen.KernelCompiler;
import org.relaxvm.backendcpu.codegen.VectorOperations;
import org.relaxvm.backendcpu.jit.GuardedKernels;
import org.relaxvm.backendcpu.jit.MachineCode;
import org.relaxvm.backendcpu.jit.MachineTargets;
import org.relaxvm.backendcpu.library.FormulaLibrary;
import org.relaxvm.backendcpu.rules.CpuSchedule;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseKernelLibraryConformanceTest;
import org.relaxvm.backendtestkit.Capability;
import org.relaxvm.machine.x64.Feature;
import org.relaxvm.testsupport.Effort;

/**
 * The kernel library as machine code, with each set of features that is a target of its own: a
 * sample of the calls at quick effort, all of them at full effort.
 */
@Tag("effort")
class FormulaLibraryConformanceTest {
  /** The library with some features. */
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Library extends BaseKernelLibraryConformanceTest {
    private final int oneOf;
    private final FormulaLibrary formulas;
    private final BackendUnderTest underTest;

    Library(Set<Feature> features, int oneOf) {
      this.oneOf = Effort.chosen().pick(oneOf, 1, 1);
      Set<Feature> present = EnumSet.copyOf(MachineCode.current().features());
      present.retainAll(features);
      formulas =
          new FormulaLibrary(
              new KernelCompiler(
                  VectorOperations.of(VectorChoice.get()),
                  CpuSchedule::of,
                  Optional.of(
                      GuardedKernels.of(MachineTargets.kernels(new MachineCode(present, "")))),
                  true,
                  BackendOptions.none()),
              _ -> true);
      underTest =
          BackendUnderTest.of(() -> new CompilingCpu(formulas))
              .with(
                  Capability.HOST_MEMORY,
                  Capability.INTEGERS,
                  Capability.FLOAT16,
                  Capability.BFLOAT16,
                  Capability.FLOAT8,
                  Capability.FLOAT64,
                  Capability.WORKS_AFTER_CLOSE)
              .excluding(
                  "BaseKernelLibraryConformanceTest"
                      + ".stridedTensorsAreRefusedWhereKernelsDoNotTakeThem",
                  "the CPU takes them, without machine code");
    }

    @AfterAll
    void everyKernelIsMachineCode() {
      System.out.println(getClass().getSimpleName() + ", " + formulas.report());
      assertThat(formulas.report().machineKernels()).isPositive();
      assertThat(formulas.report().others()).isEmpty();
    }

    @Override
    protected BackendUnderTest backendUnderTest() {
      return underTest;
    }

    @Override
    protected boolean includes(KernelSignature kernel, DType dtype, int round) {
      return round % oneOf == Math.floorMod(kernel.name().hashCode(), oneOf);
    }
  }

  @Nested
  class AllFeatures extends Library {
    AllFeatures() {
      super(EnumSet.allOf(Feature.class), 4);
    }
  }

  @Nested
  class X86V3 extends Library {
    X86V3() {
      super(Feature.x86V3(), 12);
    }
  }
}
