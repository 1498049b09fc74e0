package org.relaxvm.vmcore.vm;

import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.vmcore.interp.DeviceSet;

/**
 * Brings arguments to the devices of their parameters, usually the main device: tensors elsewhere
 * are copied, in tuples too; everything else is taken as it is.
 *
 * <p>Source: docs/spec/vm-semantics.md, section 7.
 */
final class DeviceConversion {
  private final DeviceSet devices;
  private final IntUnaryOperator deviceOf;

  /**
   * A conversion.
   *
   * @param deviceOf the index of the device of each parameter
   */
  DeviceConversion(DeviceSet devices, IntUnaryOperator deviceOf) {
    this.devices = devices;
    this.deviceOf = deviceOf;
  }

  /** The converted values, each with an owner for the caller. */
  @Nullable Object[] convert(@Nullable Object[] values) {
    return convert(values, deviceOf);
  }

  private @Nullable Object[] convert(@Nullable Object[] values, IntUnaryOperator indices) {
    @Nullable Object[] converted = new Object[values.length];
    boolean done = false;
    try {
      for (int i = 0; i < values.length; i++) {
        converted[i] = convert(values[i], indices.applyAsInt(i));
      }
      done = true;
      return converted;
    } finally {
      if (!done) {
        release(converted);
      }
    }
  }

  private @Nullable Object convert(@Nullable Object value, int index) {
    Device wanted = devices.devices().get(index);
    if (value instanceof Tensor tensor && isElsewhere(tensor.device(), wanted)) {
      try (Stream stream = wanted.openStream()) {
        return tensor.copyTo(devices.allocators().get(index), stream);
      }
    }
    if (value instanceof Tuple tuple) {
      return Tuple.ofOwned(convert(tuple.fields().toArray(), field -> index));
    }
    Managed.retain(value);
    return value;
  }

  @SuppressWarnings("ReferenceEquality") // a device is one object
  private static boolean isElsewhere(Device device, Device wanted) {
    return device != wanted && !(device.isHost() && wanted.isHost());
  }

  static void release(@Nullable Object[] values) {
    for (Object value : values) {
      Managed.release(value);
    }
  }
}
