package org.relaxvm.vmcore.vm;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.vmcore.interp.DeviceSet;

/**
 * Brings arguments to the main device: tensors elsewhere are copied, in tuples too; everything else
 * is taken as it is.
 *
 * <p>Source: VM semantics, section 7.
 */
final class MainDeviceConversion {
  private final DeviceSet devices;

  MainDeviceConversion(DeviceSet devices) {
    this.devices = devices;
  }

  /** The converted values, each with an owner for the caller. */
  @Nullable Object[] convert(@Nullable Object[] values) {
    @Nullable Object[] converted = new Object[values.length];
    boolean done = false;
    Device main = devices.devices().getFirst();
    try {
      try (Stream stream = main.openStream()) {
        for (int i = 0; i < values.length; i++) {
          converted[i] = convert(values[i], main, stream);
        }
        stream.synchronize();
      }
      done = true; // only now: closing the stream may fail too
      return converted;
    } finally {
      if (!done) {
        release(converted);
      }
    }
  }

  private @Nullable Object convert(@Nullable Object value, Device main, Stream stream) {
    if (value instanceof Tensor tensor && isElsewhere(tensor.device(), main)) {
      return tensor.copyTo(devices.allocators().getFirst(), stream);
    }
    if (value instanceof Tuple tuple) {
      return Tuple.ofOwned(convert(tuple.fields().toArray()));
    }
    Managed.retain(value);
    return value;
  }

  @SuppressWarnings("ReferenceEquality") // a device is one object
  private static boolean isElsewhere(Device device, Device main) {
    return device != main && !(device.isHost() && main.isHost());
  }

  static void release(@Nullable Object[] values) {
    for (Object value : values) {
      Managed.release(value);
    }
  }
}
