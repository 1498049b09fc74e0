package org.relaxvm.backendtestkit.nulldevice;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.host.HostStream;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.api.spi.Stream;

/** Blocks without content, copies that copy nothing, kernels that do nothing. Thread-safe. */
final class NullDevice extends Device implements ModuleLoader {
  private static final PackedFunc NOTHING = (args, result) -> {};

  private final Module library;

  NullDevice(DeviceId id) {
    super(id);
    Map<String, PackedFunc> functions = new HashMap<>();
    for (KernelSignature signature : KernelLibrary.standard().signatures()) {
      functions.put(signature.name(), NOTHING);
    }
    library = Module.of("kernel library of " + id, functions);
  }

  private record Block(long byteSize) implements DeviceMemory {}

  @Override
  public DeviceProperties properties() {
    return new DeviceProperties("nothing", 0, 1, Long.MAX_VALUE, Map.of());
  }

  @Override
  public Module library() {
    return library;
  }

  @Override
  public Stream openStream() {
    return new HostStream(this);
  }

  @Override
  protected DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
    return new Block(byteSize);
  }

  @Override
  protected void doFree(DeviceMemory memory) {}

  @Override
  protected void doCopyIn(MemorySegment source, DeviceMemory target, long offset, Stream stream) {}

  @Override
  protected void doCopyOut(DeviceMemory source, long offset, MemorySegment target, Stream stream) {}

  @Override
  protected void doCopyWithin(
      DeviceMemory source,
      long sourceOffset,
      DeviceMemory target,
      long targetOffset,
      long byteSize,
      Stream stream) {}

  @Override
  public Set<String> formats() {
    return Set.of("null");
  }

  @Override
  public Module loadModule(ModuleImage image) {
    Map<String, PackedFunc> functions = new HashMap<>();
    image.symbols().forEach(symbol -> functions.put(symbol, NOTHING));
    return Module.of("module of " + this, functions);
  }

  @Override
  public void close() {}
}
