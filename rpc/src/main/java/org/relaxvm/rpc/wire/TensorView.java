package org.relaxvm.rpc.wire;

import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;

/**
 * A tensor as it travels: metadata and the handle of its memory. It is compact and row-major.
 *
 * @param data the handle of the memory on the server; 0 for none
 * @param byteOffset of the first element in that memory
 */
public record TensorView(long data, WireDevice device, DType dtype, Shape shape, long byteOffset) {}
