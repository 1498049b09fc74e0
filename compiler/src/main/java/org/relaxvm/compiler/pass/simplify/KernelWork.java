package org.relaxvm.compiler.pass.simplify;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Stmt;

/** Estimates how long a kernel takes, by the number of elements that it stores. */
final class KernelWork extends IrVisitor {
  private final Map<Var, PrimExpr> symbols = new IdentityHashMap<>();
  private double iterations = 1;
  private double stores;

  private KernelWork() {}

  /**
   * How many elements a kernel stores; NaN where it cannot be evaluated or that is not known.
   *
   * @param inputs the first arguments
   * @param outputs the extents of the arguments after them
   */
  static double of(PrimFunc kernel, List<Tensor> inputs, List<long[]> outputs) {
    List<long[]> extents = new ArrayList<>();
    inputs.forEach(input -> extents.add(input.shape().toArray()));
    extents.addAll(outputs);
    List<Buffer> buffers = kernel.buffers();
    if (kernel.params().size() != buffers.size() || buffers.size() != extents.size()) {
      return Double.NaN;
    }
    KernelWork work = new KernelWork();
    for (int i = 0; i < buffers.size(); i++) {
      List<PrimExpr> shape = buffers.get(i).shape();
      for (int axis = 0; axis < shape.size() && axis < extents.get(i).length; axis++) {
        if (shape.get(axis) instanceof Var symbol) {
          work.symbols.put(symbol, new IntImm(symbol.dtype(), extents.get(i)[axis]));
        }
      }
    }
    work.visit(kernel);
    return work.stores;
  }

  @Override
  public void visit(Stmt stmt) {
    switch (stmt) {
      case For loop -> {
        double outer = iterations;
        PrimExpr extent = Substitution.in(loop.extent(), symbols);
        iterations *= extent instanceof IntImm known ? Math.max(known.value(), 0) : Double.NaN;
        if (iterations == 0) {
          // The loops around it run all the same.
          stores += outer;
        }
        super.visit(stmt);
        iterations = outer;
      }
      case BufferStore store -> {
        stores += iterations;
        super.visit(stmt);
      }
      // What a packed function does is known only when the program runs.
      case CallPacked call -> stores = Double.NaN;
      default -> super.visit(stmt);
    }
  }
}
