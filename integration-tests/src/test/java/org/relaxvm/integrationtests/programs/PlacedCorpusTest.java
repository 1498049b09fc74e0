package org.relaxvm.integrationtests.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.Managed;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.backendcpu.CpuBackendProvider;
import org.relaxvm.backendtestkit.reference.ReferenceBackendProvider;
import org.relaxvm.builtins.BuiltinFunctions;
import org.relaxvm.cli.input.MainDevice;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.vmcore.vm.CapturedCall;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;

/**
 * Programs of the corpus give the same when all their tensors lie on a device with memory of its
 * own, with the host as the second one, though none of them says a place.
 */
class PlacedCorpusTest {
  private static final List<VDevice> PLACES =
      List.of(VDevice.of("reference", 0), VDevice.of("cpu", 0));

  /** Why programs that branch on tensors, make shapes of them, or have some on the host are not. */
  private static final String READS_ON_THE_HOST =
      "waiting for work cannot be recorded: .*|argument [0-9]+ is on cpu:0, .*";

  private static final AtomicInteger CAPTURED = new AtomicInteger();
  private static final AtomicInteger RECORDED = new AtomicInteger();

  private static BackendRegistry registry;

  @BeforeAll
  static void open() {
    registry =
        BackendRegistry.builder()
            .add(new ReferenceBackendProvider())
            .add(new CpuBackendProvider())
            .add(new BuiltinFunctions())
            .build();
  }

  @AfterAll
  static void closeRegistry() {
    registry.close();
    assertThat(RECORDED.get())
        .as("recorded calls of %s captured ones", CAPTURED)
        .isGreaterThanOrEqualTo(CAPTURED.get() * 8 / 10);
  }

  /** Without those whose packed functions read their arguments as tensors of the host. */
  static List<ProgramFile> programs() throws IOException {
    return ProgramFile.all().stream()
        .filter(file -> !file.name().equals("packed_functions"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("programs")
  void doesOnADeviceWhatTheEvaluatorSays(ProgramFile file) {
    IRModule module = file.module();
    try (VirtualMachine vm = vm(module)) {
      for (int i = 0; i < file.runs().size(); i++) {
        run(vm, module, file, i);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void doesTheSameWhenItIsCaptured(ProgramFile file) {
    IRModule module = file.module();
    try (VirtualMachine vm = vm(module)) {
      for (int i = 0; i < file.runs().size(); i++) {
        replay(vm, module, file, i);
      }
    }
  }

  private static VirtualMachine vm(IRModule module) {
    IRModule placed = new IRModule(module.functions(), module.attrs(), PLACES);
    VmBuilder builder = VirtualMachine.builder(Compiler.compile(placed)).registry(registry);
    HostFunctions.forVm().forEach(builder::function);
    return builder.build();
  }

  /** The call is made once to capture it, then twice with the inputs as they were before. */
  private static void replay(VirtualMachine vm, IRModule module, ProgramFile file, int number) {
    Object expected = Runner.evaluate(module, inputs(module, file, number));
    List<@Nullable Object> placed = new ArrayList<>();
    inputs(module, file, number).forEach(arg -> placed.add(owned(arg)));
    MainDevice.uploadAll(vm, "main", placed);
    try (CapturedCall call = vm.captureOrCall("main", placed.toArray())) {
      CAPTURED.incrementAndGet();
      RECORDED.addAndGet(call.isRecorded() ? 1 : 0);
      call.fallbackReason().ifPresent(reason -> assertThat(reason).matches(READS_ON_THE_HOST));
      for (int i = 0; i < 2; i++) {
        restore(call, inputs(module, file, number), placed);
        try (Value result = call.replay()) {
          new Agreement(file.tolerance(), 1e-2).check(expected, onHost(result.object()));
        }
      }
    } finally {
      placed.forEach(Managed::release);
    }
  }

  private static void restore(CapturedCall call, List<Object> inputs, List<@Nullable Object> at) {
    for (int i = 0; i < inputs.size(); i++) {
      if (inputs.get(i) instanceof Tensor tensor && at.get(i) instanceof Tensor) {
        call.setInput(i, tensor);
      }
    }
  }

  private static void run(VirtualMachine vm, IRModule module, ProgramFile file, int number) {
    List<Object> args = inputs(module, file, number);
    Object expected = Runner.evaluate(module, inputs(module, file, number));
    List<@Nullable Object> placed = new ArrayList<>();
    args.forEach(arg -> placed.add(owned(arg)));
    MainDevice.uploadAll(vm, "main", placed);
    try (Value result = vm.function("main").call(placed.toArray())) {
      new Agreement(file.tolerance(), 1e-2).check(expected, onHost(result.object()));
    } finally {
      placed.forEach(Managed::release);
    }
  }

  private static List<Object> inputs(IRModule module, ProgramFile file, int number) {
    return new Inputs(file.runs().get(number), file.values(), new SplittableRandom(1_000L + number))
        .of(module.requireFunction(new GlobalVar("main")));
  }

  private static Object owned(Object value) {
    return value instanceof List<?> fields
        ? Tuple.ofOwned(fields.stream().map(PlacedCorpusTest::owned).toArray())
        : value;
  }

  private static @Nullable Object onHost(@Nullable Object value) {
    if (value instanceof Tensor tensor) {
      return tensor.toHost();
    }
    return value instanceof Tuple tuple
        ? Tuple.ofOwned(tuple.fields().stream().map(PlacedCorpusTest::onHost).toArray())
        : value;
  }
}
