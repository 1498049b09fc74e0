package org.relaxvm.rpc;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.DeviceTypeCodes;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.error.RpcProtocolException;
import org.relaxvm.rpc.wire.ObjectHandle;
import org.relaxvm.rpc.wire.OpaquePointer;
import org.relaxvm.rpc.wire.TensorView;
import org.relaxvm.rpc.wire.TypeIndex;
import org.relaxvm.rpc.wire.WireDevice;

/**
 * Values of Java and of the protocol, in one session. Source: docs/spec/rpc-protocol.md, sections 3
 * and 4.
 */
final class SessionValues {
  /** The kind of a device whose number DLPack does not know, so that it can be sent back. */
  private static final String NUMBERED_KIND = "type-";

  private final RpcSession session;

  SessionValues(RpcSession session) {
    this.session = session;
  }

  // ---------------------------------------------------------------- arguments

  /**
   * Converts arguments. What they name on the server stays there until {@link #endUse}.
   *
   * @param target as long as the arguments
   * @throws CallException for one that cannot be sent; none is in use then
   */
  void use(@Nullable Object[] args, @Nullable Object[] target) {
    int count = 0;
    try {
      for (; count < args.length; count++) {
        target[count] = argument(count, args[count]);
      }
    } finally {
      if (count < args.length) {
        endUse(args, count);
      }
    }
  }

  /** Ends the use of the first arguments. */
  static void endUse(@Nullable Object[] args, int count) {
    for (int i = 0; i < count; i++) {
      if (args[i] instanceof RemoteTensor tensor) {
        tensor.endUse();
      } else if (args[i] instanceof RemoteObject object) {
        object.endUse();
      }
    }
  }

  private @Nullable Object argument(int index, @Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Boolean bool -> bool;
      case Double number -> number;
      case Float number -> (double) number;
      case Long number -> number;
      case Integer number -> number.longValue();
      case Short number -> number.longValue();
      case Byte number -> number.longValue();
      case String text -> requireText("argument #" + index, text);
      case byte[] bytes -> bytes;
      case DType dtype -> dtype;
      case DeviceId device -> wireDevice(device);
      case OpaquePointer pointer -> pointer;
      case RemoteTensor tensor -> {
        requireOwn(index, tensor.session());
        yield tensor.use();
      }
      case RemoteFunction _ -> throw refused(index, "a function: the protocol has no call-backs");
      case RemoteModule module -> {
        requireOwn(index, module.session());
        yield new ObjectHandle(TypeIndex.MODULE, module.use());
      }
      case RemoteObject object -> {
        requireOwn(index, object.session());
        yield new ObjectHandle(TypeIndex.REMOTE_OBJECT, object.use());
      }
      case Tensor _ ->
          throw refused(index, "a local tensor: upload it with session.upload(tensor, device)");
      default -> throw refused(index, TypeKeys.describe(value) + ": only the server can make one");
    };
  }

  /** Text ends at a zero character in the protocol. */
  static String requireText(String what, String text) {
    if (text.indexOf('\0') >= 0) {
      throw new CallException(
          ErrorKind.VALUE, what + " contains a zero character, which ends text in the protocol");
    }
    return text;
  }

  private void requireOwn(int index, RpcSession owner) {
    if (owner != session) {
      throw new CallException(
          ErrorKind.VALUE,
          "argument #"
              + index
              + " belongs to another session\n  expected: "
              + session
              + "\n  got: "
              + owner);
    }
  }

  private static CallException refused(int index, String why) {
    return new CallException(
        ErrorKind.TYPE,
        "argument #"
            + index
            + " cannot be sent: it is "
            + why
            + "\n  expected: numbers, booleans, strings, bytes, data types, devices, objects of"
            + " types with a key, and what the session gave out");
  }

  // ---------------------------------------------------------------- results

  /** The values of an answer as one value, which the caller owns. */
  @Nullable Object result(@Nullable Object[] values) {
    if (values.length < 2 || !(values[0] instanceof Long type) || type != type.intValue()) {
      throw malformed(values);
    }
    int index = type.intValue();
    return switch (index) {
      case TypeIndex.NONE -> null;
      case TypeIndex.INT -> expect(Long.class, values);
      case TypeIndex.BOOL -> expect(Boolean.class, values);
      case TypeIndex.FLOAT -> expect(Double.class, values);
      case TypeIndex.DATA_TYPE -> expect(DType.class, values);
      case TypeIndex.DEVICE -> deviceId(expect(WireDevice.class, values));
      case TypeIndex.OPAQUE_POINTER -> expect(OpaquePointer.class, values);
      case TypeIndex.RAW_STRING, TypeIndex.SMALL_STRING, TypeIndex.STRING ->
          expect(String.class, values);
      case TypeIndex.BYTE_ARRAY, TypeIndex.SMALL_BYTES_OBJECT, TypeIndex.BYTES ->
          expect(byte[].class, values);
      case TypeIndex.FUNCTION -> new RemoteFunction(session, handle(values, 1), "");
      case TypeIndex.MODULE -> new RemoteModule(session, handle(values, 1));
      case TypeIndex.TENSOR, TypeIndex.TENSOR_VIEW -> tensor(values);
      default -> object(index, values);
    };
  }

  private Object object(int type, @Nullable Object[] values) {
    if (type == TypeIndex.MAP && values[1] instanceof TensorView) {
      throw session
          .calls()
          .conversation()
          .refuse(
              "is a server of TVM 0.21, whose types have other numbers\n  expected: TVM 0.22 or"
                  + " newer, or RelaxVM\n  what to do: update the server");
    }
    if (type < TypeIndex.FIRST_OBJECT) {
      throw malformed(values);
    }
    return new RemoteObject(session, handle(values, 1), type);
  }

  private <T> T expect(Class<T> type, @Nullable Object[] values) {
    if (type.isInstance(values[1])) {
      return type.cast(values[1]);
    }
    throw malformed(values);
  }

  private long handle(@Nullable Object[] values, int index) {
    if (index < values.length && values[index] instanceof OpaquePointer pointer) {
      return pointer.value();
    }
    throw malformed(values);
  }

  private RemoteTensor tensor(@Nullable Object[] values) {
    TensorView view = expect(TensorView.class, values);
    if (values.length == 2 && values[0] instanceof Long type && type == TypeIndex.TENSOR_VIEW) {
      throw new RpcException(
          ErrorKind.TYPE,
          session.peer()
              + " gave a tensor that it does not keep: a server of Apache TVM cannot return an"
              + " argument of a call, nor an element of a container\n  what to do: return a copy");
    }
    return RemoteTensor.returned(session, view, handle(values, 2));
  }

  private RpcProtocolException malformed(@Nullable Object[] values) {
    StringBuilder got = new StringBuilder();
    for (Object value : values) {
      got.append(got.isEmpty() ? "" : ", ");
      got.append(value instanceof Long ? value : value == null ? "null" : name(value));
    }
    return session
        .calls()
        .conversation()
        .refuse(
            "sent what is no result of a call\n  expected: the number of a type, and a value of"
                + " it\n  got: "
                + (got.isEmpty() ? "nothing" : got));
  }

  private static String name(Object value) {
    return value.getClass().getSimpleName();
  }

  // ---------------------------------------------------------------- devices

  static WireDevice wireDevice(DeviceId device) {
    String kind = device.kind();
    if (kind.matches(NUMBERED_KIND + "[0-9]{1,9}")) {
      return new WireDevice(
          Integer.parseInt(kind.substring(NUMBERED_KIND.length())), device.ordinal());
    }
    return new WireDevice(device.typeCode(), device.ordinal());
  }

  /** Kinds that DLPack does not know are named after their number. */
  static DeviceId deviceId(WireDevice device) {
    if (device.type() < 0 || device.id() < 0) {
      throw new RpcException(
          ErrorKind.VALUE,
          "the result is a device of type " + device.type() + " with the number " + device.id());
    }
    return new DeviceId(
        DeviceTypeCodes.kindOf(device.type()).orElse(NUMBERED_KIND + device.type()), device.id());
  }
}
