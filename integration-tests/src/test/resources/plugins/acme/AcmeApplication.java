package acme;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.Assembler;
import org.relaxvm.vmcore.vm.Instrument;
import org.relaxvm.vmcore.vm.Session;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;

/**
 * An application that came with the plugin: uses much of the API, and fails if anything is wrong.
 */
public final class AcmeApplication {
  private static final String PROGRAM =
      """
      @main(x):
        call  vm.builtin.alloc_storage  in: %vm, shape[64], i0, dtype uint8, "global" dst: %1
        call  vm.builtin.alloc_tensor   in: %1, i0, shape[16], dtype float32 dst: %2
        call  acme.double               in: %0, %2 dst: %void
        call  vm.builtin.make_closure   in: f[pick], %2 dst: %3
        call  acme.watch                in: %3 dst: %void
        call  vm.builtin.invoke_closure in: %vm, %3 dst: %4
        ret   %4
      @pick(y):
        ret   %0
      @fail(x):
        call  acme.fail in: %0 dst: %1
        ret   %1
      """;

  private AcmeApplication() {}

  /** Uses everything and closes everything. */
  public static final class Tidy implements Runnable {
    @Override
    public void run() {
      try (BackendRegistry registry = registry();
          VirtualMachine vm = machine(registry).traceLeaks(true).build()) {
        use(vm);
        call(vm).close();
        require(device(registry).liveBlocks.get() > 0, "the VM took no memory");
        vm.close();
        require(device(registry).liveBlocks.get() == 0, "the VM kept memory");
      }
    }
  }

  /** As {@link Tidy}, with threads of its own, since RelaxVM goes with it. */
  public static final class SelfContained implements Runnable {
    @Override
    public void run() {
      try (WorkerPool workers = WorkerPool.ofThreads(2);
          BackendRegistry registry = registry();
          VirtualMachine vm = machine(registry).workers(workers).build()) {
        use(vm);
      }
    }
  }

  /** Closes neither results nor VM nor registry. */
  public static final class Forgetful implements Runnable {
    @Override
    public void run() {
      VirtualMachine vm = machine(registry()).build();
      use(vm);
      call(vm);
    }
  }

  /** Closes all but a result, and gives away how many blocks its device still has. */
  public static final class Leaky implements Consumer<Consumer<AtomicInteger>> {
    @Override
    public void accept(Consumer<AtomicInteger> liveBlocks) {
      BackendRegistry registry = registry();
      try (VirtualMachine vm = machine(registry).traceLeaks(true).build()) {
        liveBlocks.accept(device(registry).liveBlocks);
        call(vm);
      }
    }
  }

  /** Hands objects of its own to somebody else's VM, which lives on. */
  public static final class Guest implements Consumer<VirtualMachine> {
    @Override
    public void accept(VirtualMachine vm) {
      PackedFunc own = (args, result) -> result.setLong(args.longAt(0) + 1);
      PackedFunc failing =
          (args, result) -> {
            throw new AcmeFunctions.Failure("a guest fails");
          };
      AtomicInteger seen = new AtomicInteger();
      vm.instrument(
          (function, symbol, args) -> {
            seen.incrementAndGet();
            return Instrument.Action.RUN;
          });
      try (Value six = vm.function("apply").call(own, 5)) {
        require(six.asLong() == 6, "5 + 1 was " + six.asLong());
      }
      try {
        vm.function("apply").call(failing, 5).close();
        throw new AssertionError("no failure");
      } catch (RelaxException e) {
        require(e.getCause() instanceof AcmeFunctions.Failure, e.getMessage());
      }
      try (Value kept = vm.function("keep").call(own)) {
        require(kept.object() != null, "nothing was kept");
      }
      vm.function("fresh").call().asTensor().fill(1);
      vm.instrument(null);
      require(seen.get() > 0, "the instrument saw nothing");
    }
  }

  private static BackendRegistry registry() {
    BackendRegistry registry = BackendRegistry.discover();
    registry.diagnoseDevices();
    return registry;
  }

  private static AcmeDevice device(BackendRegistry registry) {
    return (AcmeDevice) registry.require("acme:0");
  }

  private static VmBuilder machine(BackendRegistry registry) {
    AtomicInteger watched = new AtomicInteger();
    return VirtualMachine.builder(Program.of(Assembler.parse(PROGRAM)))
        .registry(registry)
        .device("acme:0")
        .function("acme.watch", (args, result) -> watched.incrementAndGet())
        .instrument((function, symbol, args) -> Instrument.Action.RUN);
  }

  private static Tensor call(VirtualMachine vm) {
    float[] ones = new float[16];
    Arrays.fill(ones, 1);
    try (Tensor host = Tensor.of(ones, Shape.of(16));
        Tensor input = vm.upload(host)) {
      return vm.function("main").call(input).asTensor();
    }
  }

  private static void use(VirtualMachine vm) {
    try (Tensor doubled = call(vm)) {
      require(doubled.toFloatArray()[15] == 2, "1 doubled was " + doubled.toFloatArray()[15]);
    }
    try {
      vm.function("fail").call(1).close();
      throw new AssertionError("no failure");
    } catch (RelaxException e) {
      require(e.getCause() instanceof AcmeFunctions.Failure, e.getMessage());
    }
    try {
      vm.function("absent");
      throw new AssertionError("no failure");
    } catch (RelaxException e) {
      require(e.getMessage().contains("absent"), e.getMessage());
    }
    try (Session session = vm.session();
        Tensor input = Tensor.of(new float[16], Shape.of(16))) {
      session.setInput("main", input);
      session.invoke("main");
      session.output("main").close();
      vm.saveFunction("main", "saved", true, input);
      vm.function("saved").call().close();
    }
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }
}
