package org.relaxvm.tir.stmt;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/** Writes values that may depend on what they replace. */
public final class Stores {
  private Stores() {}

  /** Stores a value in each buffer at one index. Several are all computed before any is stored. */
  public static Stmt of(List<Buffer> buffers, List<PrimExpr> values, List<PrimExpr> indices) {
    if (buffers.size() == 1) {
      return new BufferStore(buffers.getFirst(), values.getFirst(), indices);
    }
    List<Var> vars = new ArrayList<>();
    List<Stmt> stores = new ArrayList<>();
    for (int i = 0; i < buffers.size(); i++) {
      Var var = new Var("value" + i, values.get(i).dtype());
      vars.add(var);
      stores.add(new BufferStore(buffers.get(i), var, indices));
    }
    Stmt body = Seq.of(stores);
    for (int i = vars.size() - 1; i >= 0; i--) {
      body = new Let(vars.get(i), values.get(i), body);
    }
    return body;
  }
}
