package org.relaxvm.builtins;

import org.relaxvm.api.CallArgs;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Numbers that programs keep in tensors with one element. */
final class HostNumbers {
  private HostNumbers() {}

  /**
   * The element of a tensor argument with one, of integers or floats, which is copied to the host.
   *
   * @throws CallException a {@code TypeError} for any other value
   */
  static double at(CallArgs args, int index) {
    Tensor tensor = args.tensorAt(index);
    if (tensor.elementCount() != 1) {
      throw new CallException(
          ErrorKind.TYPE,
          "argument #" + index + " must be a tensor with one element, but is " + tensor);
    }
    return tensor.dtype().isFloat()
        ? Devices.onHost(args, tensor).toDoubleArray()[0]
        : HostIntegers.at(args, index);
  }
}
