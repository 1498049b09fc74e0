package org.relaxvm.rpc.server;

import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Storage;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.rpc.wire.OpaquePointer;
import org.relaxvm.rpc.wire.PacketCode;
import org.relaxvm.rpc.wire.TensorView;
import org.relaxvm.rpc.wire.WireDevice;

/**
 * Packets from {@link PacketCode#GET_GLOBAL_FUNC} on: functions by name, handles, memory and
 * streams. Surplus arguments are ignored; each gives one value.
 *
 * <p>Source: docs/spec/rpc-protocol.md, section 2.
 */
final class SystemCalls {
  private static final int ATTRIBUTE_EXISTS = 0;
  private static final int ATTRIBUTE_TOTAL_MEMORY = 14;
  private static final int ATTRIBUTE_NAME = 5;
  private static final long MAX_ALIGNMENT = 1 << 12;

  private final HandleTable handles;
  private final SessionDevices devices;
  private final SessionValues values;
  private final Function<String, Optional<PackedFunc>> functions;

  SystemCalls(
      HandleTable handles,
      SessionDevices devices,
      SessionValues values,
      Function<String, Optional<PackedFunc>> functions) {
    this.handles = handles;
    this.devices = devices;
    this.values = values;
    this.functions = functions;
  }

  /** The arguments of a system call, which is named in messages. */
  private record Arguments(PacketCode code, @Nullable Object[] values) {
    <T> T at(int index, Class<T> type, String expected) {
      Object value = index < values.length ? values[index] : null;
      if (!type.isInstance(value)) {
        throw new CallException(
            ErrorKind.TYPE,
            "argument #"
                + index
                + " of the system call "
                + code
                + " must be "
                + expected
                + ", but "
                + (index < values.length ? "is " + describe(value) : "is missing"));
      }
      return type.cast(value);
    }

    WireDevice device(int index) {
      return at(index, WireDevice.class, "a device");
    }

    long integer(int index) {
      return at(index, Long.class, "an integer");
    }

    /** A handle; null is the null pointer. */
    long pointer(int index) {
      Object value = index < values.length ? values[index] : null;
      return value == null && index < values.length
          ? 0
          : at(index, OpaquePointer.class, "a handle").value();
    }

    TensorView tensor(int index) {
      return at(index, TensorView.class, "a tensor");
    }

    private static String describe(@Nullable Object value) {
      return switch (value) {
        case WireDevice _ -> "a device";
        case OpaquePointer _ -> "a handle";
        case TensorView _ -> "a tensor";
        case null, default -> TypeKeys.describe(value);
      };
    }
  }

  /** Makes a call and gives its value, as the wire has it. */
  @Nullable Object call(PacketCode code, @Nullable Object[] sent) {
    Arguments args = new Arguments(code, sent);
    switch (code) {
      case GET_GLOBAL_FUNC -> {
        String name = args.at(0, String.class, "a string");
        return new OpaquePointer(functions.apply(name).map(handles::addObject).orElse(0L));
      }
      case FREE_HANDLE -> handles.freeObject(args.pointer(0));
      case DEV_SET_DEVICE -> devices.require(args.device(0));
      case DEV_GET_ATTR -> {
        return attribute(args.device(0), args.integer(1));
      }
      case DEV_ALLOC_DATA -> {
        args.at(3, DType.class, "a data type");
        return allocate(args.device(0), args.integer(1), args.integer(2), "");
      }
      case DEV_ALLOC_DATA_WITH_SCOPE -> {
        TensorView tensor = args.tensor(0);
        String scope =
            sent.length > 1 && sent[1] == null ? "" : args.at(1, String.class, "a memory scope");
        long bytes = tensor.dtype().byteSize(tensor.shape().elementCount());
        return allocate(tensor.device(), bytes, 1, scope);
      }
      case DEV_FREE_DATA -> {
        devices.require(args.device(0));
        handles.freeMemory(args.pointer(1));
      }
      case DEV_STREAM_SYNC ->
          stream(devices.require(args.device(0)), args.pointer(1)).synchronize();
      case COPY_AMONG_REMOTE ->
          copy(args.tensor(0), args.tensor(1), sent.length > 2 ? args.pointer(2) : 0);
      case DEV_CREATE_STREAM -> {
        Device device = devices.devices().get(devices.require(args.device(0)));
        if (device.isHost()) {
          // The host has one stream, which is null.
          return OpaquePointer.NULL;
        }
        Stream stream = device.openStream();
        try {
          return new OpaquePointer(handles.addStream(stream));
        } catch (RuntimeException | Error e) {
          stream.close();
          throw e;
        }
      }
      case DEV_FREE_STREAM -> freeStream(devices.require(args.device(0)), args.pointer(1));
      case DEV_SET_STREAM -> {
        int index = devices.require(args.device(0));
        long handle = args.pointer(1);
        devices.choose(index, handle == 0 ? null : stream(index, handle), handle);
      }
      case DEV_GET_CURRENT_STREAM -> {
        return new OpaquePointer(devices.chosen(devices.require(args.device(0))));
      }
      default -> throw new IllegalArgumentException("no system call: " + code);
    }
    return null;
  }

  private @Nullable Object attribute(WireDevice named, long kind) {
    int index = devices.find(named);
    if (kind == ATTRIBUTE_EXISTS) {
      return index < 0 ? 0L : 1L;
    }
    Device device = devices.devices().get(devices.require(named));
    DeviceProperties properties = device.properties();
    if (kind == ATTRIBUTE_TOTAL_MEMORY) {
      long known = properties.totalMemoryBytes();
      return known > 0 || !device.isHost() ? known : Runtime.getRuntime().maxMemory();
    }
    return kind == ATTRIBUTE_NAME && !device.isHost() ? properties.name() : null;
  }

  private OpaquePointer allocate(WireDevice named, long bytes, long alignment, String scope) {
    if (alignment > MAX_ALIGNMENT) {
      throw new CallException(
          ErrorKind.VALUE,
          "an alignment of " + alignment + " bytes; at most " + MAX_ALIGNMENT + " can be had");
    }
    int index = devices.require(named);
    Storage storage =
        devices.allocator(index, scope).allocate(bytes, alignment, scope, devices.stream(index));
    try {
      return new OpaquePointer(handles.addMemory(storage));
    } catch (RuntimeException | Error e) {
      storage.release();
      throw e;
    }
  }

  private Stream stream(int index, long handle) {
    return handle == 0
        ? devices.stream(index)
        : handles.stream(handle, devices.devices().get(index));
  }

  private void freeStream(int index, long handle) {
    if (handle == 0) {
      return;
    }
    handles.freeStream(handle, devices.devices().get(index));
    if (devices.chosen(index) == handle) {
      devices.choose(index, null, 0);
    }
  }

  private void copy(TensorView from, TensorView to, long streamHandle) {
    long fromBytes = from.dtype().byteSize(from.shape().elementCount());
    long toBytes = to.dtype().byteSize(to.shape().elementCount());
    if (fromBytes != toBytes) {
      throw new CallException(
              ErrorKind.VALUE,
              "a copy between tensors of " + fromBytes + " and " + toBytes + " bytes")
          .withTvmMessage("TVMTensorCopyFromTo: The size in bytes must exactly match.");
    }
    try (var source = values.tensor(from);
        var target = values.tensor(to)) {
      WireDevice onDevice = source.device().isHost() ? to.device() : from.device();
      source.copyInto(target, stream(devices.require(onDevice), streamHandle));
    }
  }
}
