package org.relaxvm.interoprelay.proposal.interp;

import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Where the tensors of AllocTensor come from. */
@FunctionalInterface
public interface TensorSource {
  /** A compact tensor in host memory with one owner, the caller; its content is undefined. */
  Tensor allocate(DType dtype, Shape shape);
}
