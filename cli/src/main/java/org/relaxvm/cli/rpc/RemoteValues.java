package org.relaxvm.cli.rpc;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Tensor;
import org.relaxvm.cli.output.ValueText;
import org.relaxvm.rpc.RemoteObject;
import org.relaxvm.rpc.RemoteTensor;
import org.relaxvm.rpc.RpcSession;

/** Values of the command line as arguments of remote calls, and results as text. */
final class RemoteValues {
  private RemoteValues() {}

  /** Uploads tensors in place of those that were read; the session ends them. */
  static @Nullable Object[] upload(
      RpcSession session, DeviceId device, List<@Nullable Object> read) {
    @Nullable Object[] values = read.toArray();
    for (int i = 0; i < values.length; i++) {
      if (values[i] instanceof Tensor tensor) {
        try (tensor) {
          values[i] = session.upload(tensor, device);
        }
      }
    }
    return values;
  }

  /** A result for people; tensors are downloaded. */
  static String display(@Nullable Object value) {
    return switch (value) {
      case RemoteTensor tensor -> {
        try (Tensor copy = tensor.download()) {
          yield ValueText.display(copy);
        }
      }
      case RemoteObject object -> object + " (type " + object.typeIndex() + ")";
      case null, default -> ValueText.display(value);
    };
  }

  /** A result as JSON. */
  static @Nullable Object json(@Nullable Object value) {
    return switch (value) {
      case RemoteTensor tensor -> {
        try (Tensor copy = tensor.download()) {
          yield ValueText.json(copy);
        }
      }
      case RemoteObject object -> object.toString();
      case null, default -> ValueText.json(value);
    };
  }
}
