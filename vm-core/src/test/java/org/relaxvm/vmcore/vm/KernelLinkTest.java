package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.vmcore.program.KernelModule;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramMetadata;

/** What a user reads when nobody takes a program's kernels. */
class KernelLinkTest {
  private record Provider(String name, boolean host, Device device, Probe probe)
      implements BackendProvider {
    @Override
    public int spiVersion() {
      return SpiVersion.CURRENT;
    }

    @Override
    public Backend open(BackendOptions options) {
      return new OneDevice(name, device);
    }
  }

  private record OneDevice(String name, Device device) implements Backend {
    @Override
    public List<Device> devices() {
      return List.of(device);
    }

    @Override
    public void close() {}
  }

  /** Takes two formats and has no memory. */
  private static final class Loader extends Device implements ModuleLoader {
    Loader() {
      super(new DeviceId("loader", 0));
    }

    @Override
    public Set<String> formats() {
      return Set.of("ptx", "cubin");
    }

    @Override
    public Module loadModule(ModuleImage image) {
      return Module.empty("kernels");
    }

    @Override
    public DeviceProperties properties() {
      return new DeviceProperties("test device", 0, 64, Long.MAX_VALUE, Map.of());
    }

    @Override
    public Module library() {
      return Module.empty("library");
    }

    @Override
    public Stream openStream() {
      throw new AssertionError("nothing runs here");
    }

    @Override
    protected DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
      throw new AssertionError("nothing runs here");
    }

    @Override
    protected void doFree(DeviceMemory memory) {}

    @Override
    protected void doCopyIn(
        MemorySegment source, DeviceMemory target, long offset, Stream stream) {}

    @Override
    protected void doCopyOut(
        DeviceMemory source, long offset, MemorySegment target, Stream stream) {}

    @Override
    protected void doCopyWithin(
        DeviceMemory source,
        long sourceOffset,
        DeviceMemory target,
        long targetOffset,
        long byteSize,
        Stream stream) {}

    @Override
    public void close() {}
  }

  private static Program program(String device, String format, List<String> symbols) {
    ModuleImage image = new ModuleImage(format, symbols, MemorySegment.ofArray(new byte[1]));
    return Program.of(
        new TestProgram().function("main", 1, 1).ret(0).build().executable(),
        ProgramMetadata.EMPTY,
        List.of(new KernelModule(device, image)));
  }

  private static void refuses(Program program, Probe probe, List<String> devices, String message) {
    BackendRegistry.Builder providers =
        BackendRegistry.builder()
            .add(new Provider("cpu", true, HostDevice.INSTANCE, Probe.usable("test")));
    try (BackendRegistry registry =
        providers.add(new Provider("loader", false, new Loader(), probe)).build()) {
      VmBuilder builder = VirtualMachine.builder(program).registry(registry);
      devices.forEach(builder::device);
      assertThatThrownBy(builder::build).isInstanceOf(LinkException.class).hasMessage(message);
    }
  }

  @Test
  void theMissingBackendIsNamed() {
    List<String> symbols = IntStream.range(0, 10).mapToObj(i -> "f" + i).toList();
    refuses(
        program("opencl", "opencl-c", symbols),
        Probe.usable("test"),
        List.of("loader"),
        """
        no device of the virtual machine takes the program's kernels of format 'opencl-c' for opencl \
        (functions f0, f1, f2, f3, f4, f5, f6, f7 and 2 more)
          devices: loader:0 takes [cubin, ptx]; cpu:0 takes no kernels
          what to do: no backend offers opencl: add the artifact org.relaxvm:relaxvm-backend-opencl \
        (its jar on the class path, or in the folder plugins/ of the command), and give the virtual \
        machine its device opencl\
        """);
  }

  @Test
  void aBackendThatIsThereIsPointedAt() {
    refuses(
        program("loader", "ptx", List.of("f")),
        Probe.usable("test"),
        List.of(),
        """
        no device of the virtual machine takes the program's kernels of format 'ptx' for loader \
        (functions f)
          devices: cpu:0 takes no kernels
          what to do: give the virtual machine the device loader, which a backend here offers\
        """);
  }

  @Test
  void aBackendThatCannotBeUsedSaysWhy() {
    assertThatThrownBy(
            () ->
                refuses(
                    program("loader", "ptx", List.of("f")),
                    Probe.unusable("no driver", "install one"),
                    List.of(),
                    ""))
        .hasMessageContaining("to do: make the backend of loader usable: loader (")
        .hasMessageContaining(") unusable: no driver; install one");
  }

  @Test
  void aDeviceOfTheKindWithOtherFormatsIsExplained() {
    refuses(
        program("loader", "fatbin", List.of("f")),
        Probe.usable("test"),
        List.of("loader"),
        """
        no device of the virtual machine takes the program's kernels of format 'fatbin' for loader \
        (functions f)
          devices: loader:0 takes [cubin, ptx]; cpu:0 takes no kernels
          what to do: compile the program's kernels to a format that the device takes, or use a version of \
        relaxvm-backend-loader that takes this one\
        """);
  }

  @Test
  void kernelsForAnyDeviceNameNoBackend() {
    refuses(
        program("", "fatbin", List.of("f")),
        Probe.usable("test"),
        List.of(),
        """
        no device of the virtual machine takes the program's kernels of format 'fatbin' (functions f)
          devices: cpu:0 takes no kernels
          what to do: give the virtual machine a device that takes this format\
        """);
  }
}
