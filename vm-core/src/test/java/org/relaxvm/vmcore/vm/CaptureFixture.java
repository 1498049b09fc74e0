package org.relaxvm.vmcore.vm;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;

/** Two devices that record work, one that does not, the host, and functions like the builtins. */
final class CaptureFixture implements AutoCloseable {
  final CapturingDevice graph = new CapturingDevice(0);
  final CapturingDevice second = new CapturingDevice(1);
  final OpaqueDevice opaque = new OpaqueDevice();

  // What the function "store" gives; a tensor that functions keep.
  @Nullable Tensor stored;

  private final BackendRegistry registry =
      BackendRegistry.builder()
          .add(new Provider("cpu", true, List.of(HostDevice.INSTANCE)))
          .add(new Provider("graph", false, List.of(graph, second)))
          .add(new Provider("opaque", false, List.of(opaque)))
          .add(new Functions())
          .build();

  VmBuilder builder(TestProgram program, String... devices) {
    VmBuilder builder = VirtualMachine.builder(program.build()).registry(registry);
    for (String device : devices) {
      builder.device(device);
    }
    return builder;
  }

  /** A tensor on a device of a VM. */
  static Tensor on(VirtualMachine vm, int device, float... elements) {
    return vm.upload(Tensor.of(elements, Shape.of(elements.length)), vm.devices().get(device));
  }

  @Override
  public void close() {
    registry.close();
  }

  private final class Functions implements FunctionProvider {
    private final Map<String, PackedFunc> functions =
        Map.of(
            "alloc", Functions::allocate,
            "tuple", (args, result) -> result.set(Tuple.of(args.toArray())),
            "field", (args, result) -> result.set(retained(args.tupleAt(0).get(args.longAt(1)))),
            "null", (_, result) -> result.setNull(),
            "read", Functions::read,
            "host_sum", Functions::hostSum,
            "store", (_, result) -> result.set(retained(stored)));

    private static @Nullable Object retained(@Nullable Object value) {
      org.relaxvm.api.Managed.retain(value);
      return value;
    }

    /** {@code alloc(vm, device, n)}. */
    private static void allocate(CallArgs args, CallResult result) {
      VmContext vm = args.contextAt(0);
      int device = args.intAt(1);
      result.set(
          DeviceTensors.allocate(
              vm.allocator(device), DType.FLOAT32, Shape.of(args.longAt(2)), vm.stream(device)));
    }

    /** {@code read(tensor)}: whether the first element is positive, as a condition is read. */
    private static void read(CallArgs args, CallResult result) {
      result.setBoolean(onHost(args).toFloatArray()[0] > 0);
    }

    /** {@code host_sum(tensor)}: a tensor on the host. */
    private static void hostSum(CallArgs args, CallResult result) {
      float sum = 0;
      for (float element : onHost(args).toFloatArray()) {
        sum += element;
      }
      result.set(Tensor.scalar(sum));
    }

    private static Tensor onHost(CallArgs args) {
      VmContext vm = args.context();
      Tensor tensor = args.tensorAt(0);
      vm.stream(vm.indexOf(tensor.device())).synchronize();
      return tensor.toHost();
    }

    @Override
    public int spiVersion() {
      return SpiVersion.CURRENT;
    }

    @Override
    public String name() {
      return "test functions";
    }

    @Override
    public Set<String> functionNames() {
      return functions.keySet();
    }

    @Override
    public Optional<PackedFunc> find(String name) {
      return Optional.ofNullable(functions.get(name));
    }
  }

  private record Provider(String name, boolean host, List<Device> devices)
      implements BackendProvider {
    @Override
    public int spiVersion() {
      return SpiVersion.CURRENT;
    }

    @Override
    public Probe probe() {
      return Probe.usable("test");
    }

    @Override
    public Backend open(BackendOptions options) {
      return new Opened(name, devices);
    }
  }

  private record Opened(String name, List<Device> devices) implements Backend {
    @Override
    public void close() {}
  }
}
