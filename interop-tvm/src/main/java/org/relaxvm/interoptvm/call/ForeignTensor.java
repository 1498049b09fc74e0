package org.relaxvm.interoptvm.call;

import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceTypeCodes;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.interoptvm.abi.DlTensor;
import org.relaxvm.interoptvm.abi.RawMemory;

/**
 * Tensors that belong to compiled code.
 *
 * <p>Rationale: docs/rationale/interop-tvm.md, "When is a tensor copied before a call of compiled
 * code?"
 */
final class ForeignTensor {
  private static final int CPU = DeviceTypeCodes.codeOf("cpu");

  private ForeignTensor() {}

  /** A view of a tensor, valid as long as compiled code keeps its elements. */
  static Tensor view(long address) {
    if (address == 0) {
      throw new CallException(ErrorKind.VALUE, "compiled code passed a tensor that is NULL");
    }
    int deviceType = DlTensor.deviceType(address);
    if (deviceType != CPU) {
      throw new CallException(
          ErrorKind.VALUE,
          "compiled code passed a tensor on a device of type "
              + deviceType
              + " ("
              + DeviceTypeCodes.kindOf(deviceType).orElse("unknown")
              + ") to a function of the host");
    }
    DType dtype = DlTensor.dtypeOf(address);
    Shape shape = DlTensor.shapeOf(address);
    if (shape.elementCount() != 0 && !DlTensor.hasData(address)) {
      throw new CallException(
          ErrorKind.VALUE,
          "compiled code passed a tensor of shape " + shape + " whose data is NULL");
    }
    long[] strides = DlTensor.stridesOf(address);
    long data = DlTensor.dataOf(address);
    if (strides.length == 0 || shape.elementCount() == 0) {
      long bytes = dtype.byteSize(shape.elementCount());
      return Tensor.wrap(RawMemory.segment(bytes == 0 ? 0 : data, bytes), dtype, shape);
    }
    return strided(data, dtype, shape, strides);
  }

  private static Tensor strided(long data, DType dtype, Shape shape, long[] strides) {
    long lowest = 0;
    long highest = 0;
    for (int i = 0; i < strides.length; i++) {
      long reach = Math.multiplyExact(shape.dim(i) - 1, strides[i]);
      lowest += Math.min(0, reach);
      highest += Math.max(0, reach);
    }
    long elements = highest - lowest + 1;
    long start = data + lowest * dtype.elementByteSize();
    Shape flat = Shape.of(elements);
    try (Tensor whole =
        Tensor.wrap(RawMemory.segment(start, dtype.byteSize(elements)), dtype, flat)) {
      return whole.stridedView(shape, strides, -lowest);
    }
  }
}
