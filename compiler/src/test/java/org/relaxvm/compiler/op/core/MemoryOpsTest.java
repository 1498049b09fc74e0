package org.relaxvm.compiler.op.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.core.Rules.FOUR;
import static org.relaxvm.compiler.op.core.Rules.call;
import static org.relaxvm.compiler.op.core.Rules.var;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Var;

/** Allocation, views and the end of values: docs/spec/relax-ir.md, section 6.2. */
class MemoryOpsTest {
  private static final DataTypeImm FLOAT = new DataTypeImm(DType.FLOAT32);
  private static final StringImm GLOBAL = new StringImm(MemoryOps.GLOBAL);
  private static final PrimValue ZERO = PrimValue.of(0);

  private final Rules rules = new Rules();
  private final Var n = Var.index("n");
  private final RelaxVar storage = var(AnyType.ANY);

  @Test
  void aTensorIsAllocatedByShapeAndDType() {
    rules.gives(
        call(MemoryOps.BUILTIN_ALLOC_TENSOR, List.of(ShapeExpr.of(n, 4), FLOAT, ZERO, GLOBAL)),
        TensorType.of(DType.FLOAT32, n, 4));
    rules.refuses(
        call(MemoryOps.BUILTIN_ALLOC_TENSOR, List.of(FLOAT, ShapeExpr.of(n), ZERO, GLOBAL)),
        "builtin.alloc_tensor: the argument shape must be a shape, but is R.Any");
    rules.refuses(
        call(MemoryOps.BUILTIN_ALLOC_TENSOR, List.of(ShapeExpr.of(n), ZERO, ZERO, GLOBAL)),
        "builtin.alloc_tensor: the argument dtype must be a dtype, but is R.Prim(\"int64\")");
  }

  @Test
  void memoryIsAllocatedWithScopeAndDTypeInTheOrderOfEachOperator() {
    ShapeExpr size = ShapeExpr.of(16);
    rules.gives(
        MemoryOps.allocStorage(IntImm.of(16), 0, MemoryOps.GLOBAL, DType.FLOAT32), AnyType.ANY);
    rules.gives(call(MemoryOps.VM_ALLOC_STORAGE, List.of(size, ZERO, FLOAT, GLOBAL)), AnyType.ANY);
    rules.refuses(
        call(MemoryOps.VM_ALLOC_STORAGE, List.of(size, ZERO, GLOBAL, FLOAT)),
        "vm.alloc_storage: the argument dtype must be a dtype, but is R.Any");
    rules.refuses(
        call(MemoryOps.ALLOC_STORAGE, List.of(size, ZERO, FLOAT, FLOAT)),
        "memory.alloc_storage: the argument storage_scope must be a text, but is R.Any");
    rules.refuses(
        call(MemoryOps.ALLOC_STORAGE, List.of(ShapeExpr.of(4, 4), ZERO, GLOBAL, FLOAT)),
        "memory.alloc_storage: the argument size must be a shape with one extent: the number of"
            + " bytes, but is R.Shape([4, 4])");
  }

  @Test
  void aTensorInMemoryIsOfTheShapeAsFarAsThatIsKnown() {
    rules.gives(
        MemoryOps.allocTensor(storage, 0, ShapeExpr.of(n, 4), DType.FLOAT32, 0),
        TensorType.of(DType.FLOAT32, n, 4));
    for (OpDef op : List.of(MemoryOps.ALLOC_TENSOR, MemoryOps.VM_ALLOC_TENSOR)) {
      rules.gives(
          call(op, List.of(storage, ZERO, ShapeExpr.of(n), FLOAT)),
          TensorType.of(DType.FLOAT32, n));
      rules.gives(
          call(op, List.of(storage, ZERO, var(ShapeType.ofRank(2)), FLOAT, ZERO)),
          TensorType.ofRank(DType.FLOAT32, 2));
      rules.gives(
          call(op, List.of(storage, ZERO, var(ShapeType.of(List.of(n))), FLOAT)),
          TensorType.of(DType.FLOAT32, n));
    }
  }

  @Test
  void theEndOfAValueGivesNothingAndIsAnEffect() {
    for (OpDef op : List.of(MemoryOps.KILL_STORAGE, MemoryOps.KILL_TENSOR, MemoryOps.KILL_OBJECT)) {
      rules.gives(call(op, List.of(storage)), TupleType.VOID);
    }
    assertThat(MemoryOps.all().stream().filter(op -> !op.isPure()).map(OpDef::name))
        .containsExactly("memory.kill_storage", "memory.kill_tensor", "vm.kill_object");
  }

  @Test
  void allocatorsAreKnown() {
    assertThat(MemoryOps.all().stream().filter(OpDef::isAllocator).map(OpDef::name))
        .containsExactly(
            "builtin.alloc_tensor",
            "memory.alloc_storage",
            "memory.alloc_tensor",
            "vm.alloc_storage",
            "vm.alloc_tensor");
  }

  @Test
  void aViewHasWhatItIsGivenAndKeepsTheOthers() {
    Tuple none = Tuple.EMPTY;
    RelaxVar x = var(FOUR);
    rules.gives(call(MemoryOps.VIEW, List.of(x, none, none, none)), FOUR);
    rules.gives(
        call(MemoryOps.VIEW, List.of(x, ShapeExpr.of(2, 2), none, none)),
        TensorType.of(DType.FLOAT32, 2, 2));
    rules.gives(
        call(MemoryOps.VIEW, List.of(x, none, new DataTypeImm(DType.INT32), none)),
        TensorType.of(DType.INT32, 4));
    rules.gives(
        call(MemoryOps.VIEW, List.of(x, none, new DataTypeImm(DType.FLOAT16), none)),
        TensorType.ofRank(DType.FLOAT16, 1));
    rules.gives(
        call(MemoryOps.VIEW, List.of(x, var(ShapeType.ofRank(3)), none, ZERO)),
        TensorType.ofRank(DType.FLOAT32, 3));
    rules.gives(call(MemoryOps.ENSURE_ZERO_OFFSET, List.of(x)), FOUR);
    rules.refuses(
        call(MemoryOps.VIEW, List.of(x, none, ZERO, none)),
        "memory.view: the argument dtype must be a dtype or (), but is R.Prim(\"int64\")");
    rules.refuses(
        call(MemoryOps.VIEW, List.of(x, none, none, x)),
        "memory.view: the argument relative_byte_offset must be a number of bytes or (), but is"
            + " R.Tensor((4,), dtype=\"float32\")");
  }
}
