package org.relaxvm.tir.library;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.te.TensorExpr;

/** Which kernel a call of a library function needs. For one thread, while the call lasts. */
public final class KernelRequest {
  private final Formula formula;
  private final LibraryCall call;
  private final CallExtents extents;
  private final boolean flat;

  KernelRequest(Formula formula, LibraryCall call, boolean general) {
    this.formula = formula;
    this.call = call;
    this.extents = formula.extents(call, general);
    this.flat = formula.flat().test(call);
  }

  /** All that the kernel depends on: equal for calls that need the same kernel. */
  public List<@Nullable Object> key() {
    List<@Nullable Object> key = new ArrayList<>();
    key.add(call.signature().name());
    key.add(flat);
    CallArgs args = call.args();
    for (int i = 0; i < args.count(); i++) {
      List<Tensor> tensors = call.tensors(i);
      if (tensors.isEmpty()) {
        key.add(args.at(i));
      }
      for (Tensor tensor : tensors) {
        key.add(tensor.dtype());
        key.add(codes(tensor));
      }
    }
    return key;
  }

  private List<Long> codes(Tensor tensor) {
    return flat
        ? List.of(extents.code(tensor.elementCount()))
        : Arrays.stream(tensor.shape().toArray()).map(extents::code).boxed().toList();
  }

  /**
   * The kernel, unscheduled.
   *
   * @return empty if there is nothing to compute
   * @throws CallException if an attribute, or the shape of a tensor, is wrong
   * @throws org.relaxvm.api.error.InvalidProgramException if the operator refuses the tensors
   */
  public Optional<LibraryKernel> make() {
    check();
    if (call.output().elementCount() == 0) {
      return Optional.empty();
    }
    Operands operands = new Operands(call, extents, flat);
    TensorExpr out = formula.result().apply(operands);
    PrimFunc kernel = operands.kernel().build(out);
    return Optional.of(new LibraryKernel(kernel, operands.sources(), flat));
  }

  /**
   * Checks attributes and shapes.
   *
   * @throws CallException if one is wrong
   * @throws org.relaxvm.api.error.InvalidProgramException if the operator refuses the tensors
   */
  public void check() {
    Operands operands = new Operands(call, CallExtents.constant(), flat);
    TensorExpr out = formula.result().apply(operands);
    Analyzer analyzer = new Analyzer();
    long[] dims = new long[out.shape().size()];
    for (int axis = 0; axis < dims.length; axis++) {
      PrimExpr extent = analyzer.simplify(out.shape().get(axis));
      if (!(extent instanceof IntImm constant)) {
        throw new IllegalStateException("the extent " + extent + " is not known");
      }
      dims[axis] = constant.value();
    }
    Shape expected = Shape.of(dims);
    Shape given = call.output().shape();
    if (flat && expected.elementCount() != given.elementCount()) {
      throw call.wrong(
          Operands.OUT, "a shape of " + expected.elementCount() + " elements", "shape " + given);
    }
    if (!flat && !expected.equals(given)) {
      throw call.wrong(Operands.OUT, "shape " + expected, "shape " + given);
    }
  }
}
