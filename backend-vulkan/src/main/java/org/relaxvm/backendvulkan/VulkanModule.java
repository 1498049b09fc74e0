package org.relaxvm.backendvulkan;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.api.spi.KernelLaunch;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.Preparable;
import org.relaxvm.api.spi.SpirvBindings;
import org.relaxvm.backendsupport.launch.CallStream;
import org.relaxvm.backendsupport.launch.KernelArgument;
import org.relaxvm.backendsupport.launch.KernelArguments;
import org.relaxvm.backendsupport.launch.WorkSize;
import org.relaxvm.backendvulkan.kernels.KernelInterface;
import org.relaxvm.backendvulkan.program.VulkanKernel;

/**
 * A kernel of another compiler: a shader in SPIR-V. Its pipeline is made when it is prepared or
 * called for the first time.
 *
 * <p>Source: device modules, section 5. Thread-safe.
 */
final class VulkanModule implements Module {
  /** The format of shaders in SPIR-V. */
  static final String FORMAT = "spirv";

  /** All formats. */
  static final Set<String> FORMATS = Set.of(FORMAT);

  private final VulkanDevice device;
  private final String origin;
  private final byte[] spirv;
  private final Map<String, Function> functions = new HashMap<>();
  private final List<VulkanKernel> kernels = new ArrayList<>();
  private boolean closed;

  private VulkanModule(VulkanDevice device, byte[] spirv) {
    this.device = device;
    this.origin = "kernels of the program on " + device;
    this.spirv = spirv;
  }

  /**
   * Takes an image; its bytes are copied.
   *
   * @throws BackendException when the format is another, or a kernel cannot be called because its
   *     parameters are not known
   * @throws org.relaxvm.api.error.InvalidProgramException when they are not in the order that
   *     {@link SpirvBindings} needs
   */
  static VulkanModule load(VulkanDevice device, ModuleImage image) {
    if (!FORMATS.contains(image.format())) {
      throw new BackendException(
          ErrorKind.VALUE,
          device
              + " takes no modules of format '"
              + image.format()
              + "', only "
              + new TreeSet<>(device.formats()));
    }
    List<String> unknown = new ArrayList<>(image.symbols());
    unknown.removeAll(image.entries().stream().map(KernelEntry::name).toList());
    if (!unknown.isEmpty()) {
      throw new BackendException(
          ErrorKind.VALUE,
          device
              + " cannot load a module of format "
              + image.format()
              + ": it does not say which parameters these kernels have: "
              + unknown
              + "\n  what to do: give the image an entry for each of its symbols");
    }
    VulkanModule module = new VulkanModule(device, image.bytes().toArray(ValueLayout.JAVA_BYTE));
    for (KernelEntry entry : image.entries()) {
      module.functions.put(entry.name(), module.new Function(entry));
    }
    return module;
  }

  private static KernelInterface shapeOf(KernelEntry entry) {
    SpirvBindings bindings = SpirvBindings.of(entry);
    return new KernelInterface(
        entry.name(),
        bindings.buffers(),
        false,
        bindings.scalarBytes(),
        bindings.uniform(),
        true,
        0);
  }

  @Override
  public String origin() {
    return origin;
  }

  @Override
  public Set<String> functionNames() {
    return Set.copyOf(functions.keySet());
  }

  @Override
  public Optional<PackedFunc> find(String name) {
    return Optional.ofNullable(functions.get(name));
  }

  private synchronized VulkanKernel make(KernelEntry entry, KernelInterface shape) {
    if (closed) {
      throw new BackendException(
          ErrorKind.VALUE, "the module of kernel " + entry.name() + " on " + device + " is closed");
    }
    VulkanKernel kernel = device.kernel(spirv, shape, entry.name());
    kernels.add(kernel);
    return kernel;
  }

  @Override
  public synchronized void close() {
    closed = true;
    kernels.forEach(VulkanKernel::close);
    kernels.clear();
  }

  private final class Function implements PackedFunc, Preparable {
    private final KernelEntry entry;
    private final KernelInterface shape;
    private volatile @Nullable VulkanKernel made;

    Function(KernelEntry entry) {
      this.entry = entry;
      this.shape = shapeOf(entry);
    }

    @Override
    public void prepare() {
      prepared();
    }

    private VulkanKernel prepared() {
      VulkanKernel kernel = made;
      return kernel != null ? kernel : makeOnce();
    }

    private synchronized VulkanKernel makeOnce() {
      VulkanKernel kernel = made;
      if (kernel == null) {
        kernel = make(entry, shape);
        made = kernel;
      }
      return kernel;
    }

    @Override
    public void call(CallArgs args, CallResult result) {
      List<KernelArgument> arguments = KernelArguments.of(entry, args, device);
      WorkSize size = WorkSize.of(KernelLaunch.of(entry, args));
      VulkanKernel kernel = prepared();
      CallStream.use(
          args, device, stream -> device.own(stream).launch(kernel, entry.name(), arguments, size));
    }
  }
}
