package org.relaxvm.backendsupport.gpu.module;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Storage;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Stream;

/**
 * Memory that a call needs beside its arguments: of the VM's pool, whose blocks may be released
 * while work on them is still under way; else of the device, whose blocks may not, so that the
 * stream has to be done when this is closed. For one call; not thread-safe.
 */
final class Temporaries implements AutoCloseable {
  private static final int ALIGNMENT = 64;

  private final Device device;
  private final @Nullable VmContext context;
  private final List<Storage> pooled = new ArrayList<>();
  private final List<DeviceMemory> own = new ArrayList<>();

  Temporaries(Device device, @Nullable VmContext context) {
    this.device = device;
    this.context = context;
  }

  /** A block with undefined content. */
  DeviceMemory take(long byteSize, Stream stream) {
    if (context == null) {
      DeviceMemory memory = device.allocate(byteSize, ALIGNMENT, "");
      own.add(memory);
      return memory;
    }
    Storage storage =
        context.allocator(context.indexOf(device)).allocate(byteSize, ALIGNMENT, "", stream);
    pooled.add(storage);
    return storage.memory();
  }

  @Override
  public void close() {
    pooled.forEach(storage -> storage.release());
    own.forEach(device::free);
  }
}
