package org.relaxvm.rpc.server;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Closure;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.DeviceTypeCodes;
import org.relaxvm.api.Managed;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Module;
import org.relaxvm.rpc.wire.ObjectHandle;
import org.relaxvm.rpc.wire.OpaquePointer;
import org.relaxvm.rpc.wire.TensorView;
import org.relaxvm.rpc.wire.TypeIndex;
import org.relaxvm.rpc.wire.WireDevice;
import org.relaxvm.vmcore.program.Program;

/**
 * Values of calls, from the wire and to it. Source: docs/spec/rpc-protocol.md, sections 3 and 4.
 */
final class SessionValues {
  /** The type index of objects that have none of their own in the protocol. */
  private static final int OTHER_OBJECT = 128;

  private static final int SMALL = TypeIndex.SMALL_BYTES;

  private final HandleTable handles;
  private final SessionDevices devices;
  private final Function<Program, Module> programs;

  /**
   * Values of a session.
   *
   * @param programs makes a module of a program that a function gave
   */
  SessionValues(HandleTable handles, SessionDevices devices, Function<Program, Module> programs) {
    this.handles = handles;
    this.devices = devices;
    this.programs = programs;
  }

  /** Arguments of a call, and what is released after it. */
  final class Arguments implements AutoCloseable {
    private final @Nullable Object[] values;
    private final List<Tensor> views = new ArrayList<>();

    private Arguments(int count) {
      values = new Object[count];
    }

    @Nullable Object[] values() {
      return values;
    }

    @Override
    public void close() {
      for (Tensor view : views) {
        view.close();
      }
    }
  }

  /** Values of a packet as arguments; tensors are views of the session's memory. */
  Arguments arguments(@Nullable Object[] sent) {
    Arguments arguments = new Arguments(sent.length);
    boolean done = false;
    try {
      for (int i = 0; i < sent.length; i++) {
        arguments.values[i] =
            switch (sent[i]) {
              case TensorView view -> {
                Tensor tensor = tensor(view);
                arguments.views.add(tensor);
                yield tensor;
              }
              case ObjectHandle object -> argument(object, i);
              case WireDevice device -> deviceId(device);
              case OpaquePointer pointer -> pointer(pointer, i);
              case null -> null;
              case Object value -> value;
            };
      }
      done = true;
      return arguments;
    } finally {
      if (!done) {
        arguments.close();
      }
    }
  }

  private Object argument(ObjectHandle object, int index) {
    Object value = handles.object(object.handle());
    boolean matches =
        switch (object.typeIndex()) {
          case TypeIndex.FUNCTION -> value instanceof PackedFunc;
          case TypeIndex.MODULE -> value instanceof Module;
          default -> true;
        };
    if (!matches) {
      throw new CallException(
          ErrorKind.TYPE,
          "argument #" + index + " has the handle of another kind of object than it says");
    }
    return value;
  }

  private static @Nullable Object pointer(OpaquePointer pointer, int index) {
    if (pointer.value() != 0) {
      throw new CallException(
          ErrorKind.TYPE,
          "argument #" + index + " is a pointer: this server takes handles of objects only");
    }
    return null;
  }

  /** The device of the protocol as programs know it; the server need not have it. */
  static DeviceId deviceId(WireDevice device) {
    String kind =
        DeviceTypeCodes.kindOf(device.type())
            .orElseThrow(
                () ->
                    new CallException(ErrorKind.VALUE, device.type() + " is no device type")
                        .withTvmMessage("unknown type = " + device.type()));
    return new DeviceId(kind, device.id());
  }

  /** A view of the session's memory, which the caller closes. */
  Tensor tensor(TensorView view) {
    Storage storage = memory(view);
    return Tensor.view(storage, view.byteOffset(), view.dtype(), view.shape());
  }

  /** The memory of a view, borrowed, on the device that it says. */
  Storage memory(TensorView view) {
    Storage storage = handles.memory(view.data());
    Device device = devices.devices().get(devices.require(view.device()));
    // Results that functions make of Java data are in host memory, too.
    boolean onHost = storage.device().isHost() && device.isHost();
    if (!onHost && !storage.device().equals(device)) {
      throw new CallException(
          ErrorKind.VALUE,
          "the memory of this tensor is on "
              + storage.device()
              + ", but its device is stated as "
              + device);
    }
    return storage;
  }

  /** A result as the values of a packet; the table takes over the result's owner. */
  @Nullable Object[] result(CallResult result) {
    long bits = result.bits();
    Object taken = result.takeRef();
    Object value = taken instanceof ScalarTag tag ? tag.box(bits) : taken;
    boolean kept = false;
    try {
      if (value instanceof Tensor tensor && !tensor.isContiguous()) {
        value = compact(tensor);
      }
      @Nullable Object[] values = values(value);
      kept = true;
      return values;
    } finally {
      if (!kept) {
        Managed.release(value);
      }
    }
  }

  /** A strided result is copied: the protocol has compact tensors only. */
  private Tensor compact(Tensor tensor) {
    int index = devices.indexOf(tensor.device());
    Tensor copy = DeviceTensors.copyTo(tensor, devices.allocator(index), devices.stream(index));
    tensor.release();
    return copy;
  }

  private @Nullable Object[] values(@Nullable Object value) {
    return switch (value) {
      case null -> new @Nullable Object[] {TypeIndex.NONE, null};
      case Long number -> new Object[] {TypeIndex.INT, number};
      case Boolean bool -> new Object[] {TypeIndex.BOOL, bool};
      case Double number -> new Object[] {TypeIndex.FLOAT, number};
      case DType dtype -> new Object[] {TypeIndex.DATA_TYPE, dtype};
      case DeviceId device ->
          new Object[] {TypeIndex.DEVICE, new WireDevice(device.typeCode(), device.ordinal())};
      case OpaquePointer pointer -> new Object[] {TypeIndex.OPAQUE_POINTER, pointer};
      case String text -> {
        boolean small =
            text.length() <= SMALL && text.getBytes(StandardCharsets.UTF_8).length <= SMALL;
        yield new Object[] {small ? TypeIndex.SMALL_STRING : TypeIndex.STRING, cut(text)};
      }
      case StringObject object -> new Object[] {TypeIndex.STRING, cut(object.text())};
      case BytesObject object -> new Object[] {TypeIndex.BYTES, object.content()};
      case byte[] bytes ->
          new Object[] {
            bytes.length <= SMALL ? TypeIndex.SMALL_BYTES_OBJECT : TypeIndex.BYTES, bytes
          };
      case Tensor tensor -> tensorValues(tensor);
      case PackedFunc _ -> object(TypeIndex.FUNCTION, value);
      case Module _ -> object(TypeIndex.MODULE, value);
      case Shape _ -> object(TypeIndex.SHAPE, value);
      case Tuple _ -> object(TypeIndex.ARRAY, value);
      case List<?> _ -> object(TypeIndex.ARRAY, value);
      case RemoteMap _ -> object(TypeIndex.MAP, value);
      case Map<?, ?> _ -> object(TypeIndex.MAP, value);
      case Program program -> object(TypeIndex.MODULE, programs.apply(program));
      case Closure _ -> object(OTHER_OBJECT, value);
      default -> object(OTHER_OBJECT, value);
    };
  }

  /** Text ends at a zero character in the original. */
  private static String cut(String text) {
    int zero = text.indexOf('\0');
    return zero < 0 ? text : text.substring(0, zero);
  }

  private Object[] object(int type, Object value) {
    return new Object[] {type, new OpaquePointer(handles.addObject(value))};
  }

  private Object[] tensorValues(Tensor tensor) {
    HandleTable.TensorHandles made = handles.addTensor(tensor);
    TensorView view =
        new TensorView(
            made.memory(),
            devices.wireDevice(tensor.device()),
            tensor.dtype(),
            tensor.shape(),
            tensor.byteOffset());
    return new Object[] {TypeIndex.TENSOR, view, new OpaquePointer(made.object())};
  }
}
