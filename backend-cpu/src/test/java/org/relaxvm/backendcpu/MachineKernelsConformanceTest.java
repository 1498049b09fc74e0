package org.relaxvm.backendcpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendcpu.codegen.KernelCompiler;
import org.relaxvm.backendcpu.codegen.VectorOperations;
import org.relaxvm.backendcpu.jit.GuardedKernels;
import org.relaxvm.backendcpu.jit.MachineCode;
import org.relaxvm.backendcpu.jit.MachineTargets;
import org.relaxvm.backendcpu.rules.CpuSchedule;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseKernelIrConformanceTest;
import org.relaxvm.backendtestkit.Capability;
import org.relaxvm.backendtestkit.ConformanceSample;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.machine.x64.Feature;

/** The kernel corpus as machine code, with each set of features that is a target of its own. */
@Tag("effort")
class MachineKernelsConformanceTest {
  /** The corpus with some features. */
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Corpus extends BaseKernelIrConformanceTest {
    private final ConformanceSample sample;
    private final KernelCompiler compiler;
    private final BackendUnderTest underTest;

    Corpus(Set<Feature> features, int oneOf) {
      Set<Feature> present = EnumSet.copyOf(MachineCode.current().features());
      present.retainAll(features);
      sample = ConformanceSample.of(getClass(), oneOf);
      compiler =
          new KernelCompiler(
              VectorOperations.of(VectorChoice.get()),
              CpuSchedule::of,
              Optional.of(GuardedKernels.of(MachineTargets.kernels(new MachineCode(present, "")))),
              false,
              BackendOptions.none());
      underTest =
          BackendUnderTest.of(() -> new CompilingCpu(compiler))
              .with(
                  Capability.HOST_MEMORY,
                  Capability.INTEGERS,
                  Capability.STRIDED_TENSORS,
                  Capability.FLOAT16,
                  Capability.BFLOAT16,
                  Capability.FLOAT8,
                  Capability.FLOAT64,
                  Capability.WORKS_AFTER_CLOSE)
              .withModule(NegatedKernel.module());
    }

    @AfterAll
    void everyKernelIsMachineCode() {
      System.out.println(getClass().getSimpleName() + ", " + compiler.report());
      assertThat(compiler.report().others()).isEmpty();
    }

    @Override
    protected BackendUnderTest backendUnderTest() {
      return underTest;
    }

    @Override
    protected boolean includes(KernelCase kernel) {
      return sample.includes(kernel);
    }
  }

  @Nested
  class AllFeatures extends Corpus {
    AllFeatures() {
      super(EnumSet.allOf(Feature.class), 2);
    }
  }

  @Nested
  class X86V3 extends Corpus {
    X86V3() {
      super(Feature.x86V3(), 4);
    }
  }
}
