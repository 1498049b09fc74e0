package org.relaxvm.compiler.op.nn;

import java.util.List;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.create.Fills;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;

/**
 * Elements left out at random, which inference does not do. Source: docs/spec/op-set.md, section
 * 2.8.
 */
public final class Dropout {
  /** The elements, and a mask of ones: none are left out, as this is inference. */
  public static final OpDef DROPOUT =
      OpDef.named("nn.dropout")
          .args("data")
          .attrs(AttrSpec.of("rate", Kind.REAL, 0.5))
          .rule(
              call -> {
                TensorType x = ElementTypes.floats(call, 0);
                return TupleType.of(x, x);
              })
          .legalizer(
              (call, kernels) -> Tuple.of(call.arg(0), kernels.emit(Fills.onesLike(call.arg(0)))))
          .build();

  private Dropout() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(DROPOUT);
  }

  /** The elements as field 0, and a mask of ones as field 1. */
  public static Call dropout(Expr data, double rate) {
    return Call.of(DROPOUT, List.of(data), Attrs.of("rate", rate));
  }
}
