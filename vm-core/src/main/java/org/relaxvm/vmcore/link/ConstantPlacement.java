package org.relaxvm.vmcore.link;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.events.CopyEvent;
import org.relaxvm.api.events.Events;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.SharedConstants;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.interp.DeviceSet;

/**
 * Brings constants to the main device and marks them as such. On the host they are shared with the
 * program, without a copy; a device with {@link SharedConstants} shares them between virtual
 * machines.
 *
 * <p>Source: docs/spec/vm-semantics.md, section 2.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Who owns what kernels derive from constants?"
 */
final class ConstantPlacement {
  private ConstantPlacement() {}

  static @Nullable Object[] place(Executable executable, DeviceSet devices, Resources resources) {
    List<Object> pool = executable.constants();
    @Nullable Object[] placed = new Object[pool.size()];
    Device main = devices.devices().getFirst();
    if (main.isHost()) {
      for (int i = 0; i < placed.length; i++) {
        Object constant = pool.get(i);
        placed[i] =
            constant instanceof Tensor tensor && tensor.isContiguous()
                ? ownView(tensor, resources)
                : shared(constant, resources);
      }
    } else {
      upload(executable, devices, placed, resources);
    }
    for (Object constant : placed) {
      if (constant instanceof Tensor tensor) {
        tensor.markConstant();
      }
    }
    return placed;
  }

  private static void upload(
      Executable executable, DeviceSet devices, @Nullable Object[] placed, Resources resources) {
    List<Object> pool = executable.constants();
    try (Stream stream = devices.devices().getFirst().openStream()) {
      for (int i = 0; i < placed.length; i++) {
        if (pool.get(i) instanceof Tensor tensor) {
          String scope = executable.memoryScopes().getOrDefault(i, "");
          Tensor copy = upload(tensor, scope, devices.allocators().getFirst(), stream);
          resources.add(copy::close);
          placed[i] = copy;
        } else {
          placed[i] = shared(pool.get(i), resources);
        }
      }
      stream.synchronize();
    }
  }

  /**
   * A view on the program's memory with a storage of its own: what kernels make of the constant
   * belongs to that storage, and so to this VM and not to the program.
   */
  private static Tensor ownView(Tensor constant, Resources resources) {
    Storage storage = constant.storage().newHandle();
    try {
      Tensor view = Tensor.view(storage, constant.byteOffset(), constant.dtype(), constant.shape());
      resources.add(view::close);
      return view;
    } finally {
      storage.release();
    }
  }

  private static Object shared(Object constant, Resources resources) {
    if (constant instanceof Managed managed) {
      managed.retain();
      resources.add(managed::release);
    }
    return constant;
  }

  private static Tensor upload(Tensor source, String scope, Allocator allocator, Stream stream) {
    boolean isPlain = source.isContiguous() && source.device().isHost();
    if (isPlain && allocator.device() instanceof SharedConstants device) {
      return whole(device.constant(source, HostDevice.ALIGNMENT, scope), source);
    }
    Tensor target =
        whole(allocator.allocate(source.byteSize(), HostDevice.ALIGNMENT, scope, stream), source);
    boolean done = false;
    try {
      if (isPlain) {
        CopyEvent event = Events.areOn() ? CopyEvent.start() : null;
        Device device = allocator.device();
        device.copyIn(source.segment(), target.storage().memory(), 0, stream);
        if (event != null) {
          event.finish(source.byteSize(), source.device(), device, "host to device", false);
        }
      } else {
        source.copyInto(target);
      }
      done = true;
      return target;
    } finally {
      if (!done) {
        target.close();
      }
    }
  }

  /** A tensor like another one over a storage, which it takes over. */
  private static Tensor whole(Storage storage, Tensor like) {
    try {
      return Tensor.view(storage, 0, like.dtype(), like.shape());
    } finally {
      storage.release();
    }
  }
}
