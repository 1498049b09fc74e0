package org.relaxvm.tir.cost;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.cost.CallArgument.OfNumber;
import org.relaxvm.tir.cost.CallArgument.OfTensor;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * The cost of a kernel for the extents of a call. Immutable and thread-safe; a call takes as long
 * as it takes to walk over the kernel once, so who calls often keeps the answers.
 *
 * <p><b>Bytes.</b> Each tensor parameter counts once if it is read and once if it is written, with
 * the size that it has, or with as many elements as there are loads or stores if those are fewer: a
 * kernel that gathers rows reads no more of the table. Memory inside the kernel does not count.
 *
 * <p><b>Operations.</b> Those on floats in what is stored, times the iterations of the loops around
 * it. A loop whose bounds depend on an outer one counts with the mean of the outer counter. Of two
 * branches the one with more operations counts; the start of a reduction does not.
 */
public final class CostModel {
  private final PrimFunc function;
  private final LibraryCost library;

  /** The costs of a kernel. */
  public CostModel(PrimFunc function, LibraryCost library) {
    this.function = function;
    this.library = library;
  }

  /**
   * The cost of a call.
   *
   * @param args one per parameter, in their order
   * @return {@link Cost#UNKNOWN} when the arguments are not those of the kernel
   */
  public Cost of(List<CallArgument> args) {
    Map<Var, Double> values = new IdentityHashMap<>();
    Map<Buffer, OfTensor> tensors = new IdentityHashMap<>();
    if (!bind(args, values, tensors)) {
      return Cost.UNKNOWN;
    }
    Counting counting = new Counting(values, library);
    double operations = counting.operations(function.body(), 1);
    double bytes = 0;
    for (Map.Entry<Buffer, OfTensor> param : tensors.entrySet()) {
      double element = param.getValue().bytes() / Math.max(1, param.getValue().elements());
      double whole = param.getValue().elements();
      bytes += element * Math.min(whole, counting.loads(param.getKey()));
      bytes += element * Math.min(whole, counting.stores(param.getKey()));
    }
    return Cost.of(bytes, operations);
  }

  private boolean bind(
      List<CallArgument> args, Map<Var, Double> values, Map<Buffer, OfTensor> tensors) {
    List<Param> params = function.params();
    if (args.size() != params.size()) {
      return false;
    }
    for (int i = 0; i < args.size(); i++) {
      switch (params.get(i)) {
        case Param.OfHandle handle -> {}
        case Param.OfScalar(Var var) -> {
          if (args.get(i) instanceof OfNumber(double value)) {
            values.put(var, value);
          }
        }
        case Param.OfBuffer(Buffer buffer) -> {
          if (!(args.get(i) instanceof OfTensor tensor)
              || tensor.shape().rank() != buffer.rank()
              || !tensor.dtype().equals(buffer.dtype())) {
            return false;
          }
          tensors.put(buffer, tensor);
          for (int axis = 0; axis < buffer.rank(); axis++) {
            PrimExpr extent = buffer.shape().get(axis);
            if (extent instanceof Var var) {
              values.putIfAbsent(var, (double) tensor.shape().dim(axis));
            }
          }
        }
      }
    }
    return true;
  }
}
