package org.relaxvm.interoptvm.functions;

import java.lang.foreign.MemorySegment;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;

/** Tensor arguments of functions that work on the host. */
final class HostTensors {
  private HostTensors() {}

  /** An argument that is read. */
  static Tensor input(String function, CallArgs args, int index) {
    Tensor tensor = args.tensorAt(index);
    if (!tensor.device().isHost()) {
      throw refusal(function, index, "must be on the host, but is on " + tensor.device());
    }
    if (!tensor.isLive()) {
      throw refusal(function, index, "is closed: it cannot be used any more");
    }
    return tensor;
  }

  /** An argument that is written. */
  static Tensor output(String function, CallArgs args, int index) {
    Tensor tensor = input(function, args, index);
    if (tensor.isConstant() || memory(tensor).isReadOnly()) {
      throw refusal(function, index, "is written, but is a constant or in read-only memory");
    }
    return tensor;
  }

  /** The error that an argument is not as it must be. */
  static CallException refusal(String function, int index, String what) {
    return new CallException(ErrorKind.VALUE, function + ": argument #" + index + " " + what);
  }

  /** The whole memory of a tensor, which its byte offsets count in. */
  static MemorySegment memory(Tensor tensor) {
    return HostDevice.segmentOf(tensor.storage().memory());
  }
}
