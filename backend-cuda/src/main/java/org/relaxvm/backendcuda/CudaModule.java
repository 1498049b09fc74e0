package org.relaxvm.backendcuda;

import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
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
import org.relaxvm.backendcuda.program.CudaKernel;
import org.relaxvm.backendcuda.program.CudaProgram;
import org.relaxvm.backendcuda.program.LaunchShape;
import org.relaxvm.backendsupport.launch.CallStream;
import org.relaxvm.backendsupport.launch.KernelArgument;
import org.relaxvm.backendsupport.launch.KernelArguments;

/**
 * Kernels of another compiler: CUDA C, PTX, or machine code. The program is loaded when one of its
 * kernels is prepared or called for the first time.
 *
 * <p>Source: device modules, sections 2 and 3. Thread-safe.
 */
final class CudaModule implements Module {
  /** The format of CUDA C. */
  static final String SOURCE = "cuda-c";

  /** All formats. */
  static final Set<String> FORMATS = Set.of(SOURCE, "ptx", "cubin", "fatbin");

  private final CudaDevice device;
  private final String origin;
  private final Map<String, PackedFunc> functions = new HashMap<>();
  private final Supplier<CudaProgram> build;
  private @Nullable CudaProgram program;
  private boolean closed;

  private CudaModule(CudaDevice device, List<KernelEntry> entries, Supplier<CudaProgram> build) {
    this.device = device;
    this.origin = "kernels of the program on " + device;
    this.build = build;
    for (KernelEntry entry : entries) {
      functions.put(entry.name(), new Function(entry));
    }
  }

  /**
   * Takes an image; its bytes are copied.
   *
   * @throws BackendException when the format is another, or a kernel cannot be called because its
   *     parameters are not known
   */
  static CudaModule load(CudaDevice device, ModuleImage image) {
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
    byte[] bytes = image.bytes().toArray(ValueLayout.JAVA_BYTE);
    String name = String.join(", ", image.symbols());
    if (!image.format().equals(SOURCE)) {
      return new CudaModule(device, image.entries(), () -> device.load(name, bytes));
    }
    String source = text(device, bytes);
    return new CudaModule(device, image.entries(), () -> device.build(name, source));
  }

  private static String text(CudaDevice device, byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new BackendException(
          ErrorKind.VALUE,
          device + " cannot load a module of format " + SOURCE + ": its text is not UTF-8",
          e);
    }
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

  private synchronized CudaKernel kernel(String name) {
    if (closed) {
      throw new BackendException(
          ErrorKind.VALUE, "the module of kernel " + name + " on " + device + " is closed");
    }
    if (program == null) {
      program = build.get();
    }
    return program.kernel(name);
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (program != null) {
      program.close();
      program = null;
    }
  }

  private final class Function implements PackedFunc, Preparable {
    private final KernelEntry entry;
    private volatile @Nullable CudaKernel built;

    Function(KernelEntry entry) {
      this.entry = entry;
    }

    @Override
    public void prepare() {
      prepared();
    }

    private CudaKernel prepared() {
      CudaKernel kernel = built;
      if (kernel == null) {
        kernel = kernel(entry.name());
        built = kernel;
      }
      return kernel;
    }

    @Override
    public void call(CallArgs args, CallResult result) {
      List<KernelArgument> arguments = KernelArguments.of(entry, args, device);
      LaunchShape shape = LaunchShape.of(KernelLaunch.of(entry, args));
      CudaKernel kernel = prepared();
      CallStream.use(
          args,
          device,
          stream -> device.own(stream).launch(kernel, entry.name(), arguments, shape));
    }
  }
}
