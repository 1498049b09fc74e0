package org.relaxvm.compiler.pass.lower;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Emits what fills the heap of extents and compares extents with it. Source: docs/spec/passes.md,
 * sections 13.4 to 13.6.
 */
final class ShapeMatching {
  private static final int ASSERT_EQUAL_TO_IMM = 0;
  private static final int STORE_TO_HEAP = 1;
  private static final int NO_OP = 2;
  private static final int ASSERT_EQUAL_TO_LOAD = 3;
  private static final int USE_IMM = 0;
  private static final int LOAD_SHAPE = 1;

  private final BlockBuilder builder;
  private final ShapeSlots slots;
  private final Expr heap;

  ShapeMatching(BlockBuilder builder, ShapeSlots slots, Expr heap) {
    this.builder = builder;
    this.slots = slots;
    this.heap = heap;
  }

  /**
   * A value whose extents are to be compared.
   *
   * @param value a tensor or a shape
   * @param context says which part of the program is violated
   */
  record Todo(Expr value, List<PrimExpr> dims, StringImm context) {}

  /** Compares values with their extents, which may fill the heap. */
  void match(List<Todo> todos) {
    List<Todo> open = matchOnce(todos, false);
    compute();
    matchOnce(open, true);
  }

  /** Compares values with their extents, all of which are in the heap. */
  void requireEqual(List<Todo> todos) {
    matchOnce(todos, true);
  }

  private List<Todo> matchOnce(List<Todo> todos, boolean needsAll) {
    List<Todo> open = new ArrayList<>();
    for (Todo todo : todos) {
      List<Expr> args = new ArrayList<>();
      args.add(todo.value());
      args.add(heap);
      args.add(PrimValue.of(todo.dims().size()));
      int skipped = 0;
      for (PrimExpr dim : todo.dims()) {
        int code = code(dim, needsAll);
        args.add(PrimValue.of(code));
        args.add(PrimValue.of(operand(code, dim)));
        skipped += code == NO_OP ? 1 : 0;
      }
      args.add(todo.context());
      if (skipped < todo.dims().size()) {
        builder.emit(Call.packed("vm.builtin.match_shape", args, List.of(TupleType.VOID)), "_");
      }
      if (skipped > 0) {
        open.add(todo);
      }
    }
    return open;
  }

  private int code(PrimExpr dim, boolean needsAll) {
    if (dim instanceof IntImm) {
      return ASSERT_EQUAL_TO_IMM;
    }
    OptionalInt slot = slots.slotOf(dim);
    if (slot.isPresent() && slots.isFilled(slot.getAsInt())) {
      return ASSERT_EQUAL_TO_LOAD;
    }
    if (slot.isPresent() && dim instanceof Var) {
      slots.fill(slot.getAsInt());
      return STORE_TO_HEAP;
    }
    if (needsAll) {
      slots.requireFilled(dim);
    }
    return NO_OP;
  }

  private long operand(int code, PrimExpr dim) {
    return switch (code) {
      case NO_OP -> 0;
      case ASSERT_EQUAL_TO_IMM -> ((IntImm) dim).value();
      default -> slots.slotOf(dim).orElseThrow();
    };
  }

  /** Computes the expressions all of whose variables are known now. */
  private void compute() {
    List<Integer> computable = slots.takeComputable();
    if (computable.isEmpty()) {
      return;
    }
    Buffer buffer = Buffer.of("H", DType.INT64, List.of(IntImm.of(slots.size())));
    Map<Var, PrimExpr> values = new IdentityHashMap<>();
    slots
        .vars()
        .forEach((var, slot) -> values.put(var, Exprs.cast(var.dtype(), load(buffer, slot))));
    List<Stmt> stores = new ArrayList<>();
    for (int slot : computable) {
      PrimExpr value = Substitution.in(slots.exprOf(slot), values);
      stores.add(new BufferStore(buffer, Exprs.cast(DType.INT64, value), List.of(IntImm.of(slot))));
    }
    PrimFunc function =
        PrimFunc.of("shape_func", List.of(buffer), Seq.of(stores)).withAttrs(HostFunctions.ATTRS);
    GlobalVar name = builder.addFunction(new KernelFunction(function), function.name());
    builder.emit(Call.of(name, heap), "_");
  }

  private static PrimExpr load(Buffer buffer, int slot) {
    return buffer.load(IntImm.of(slot));
  }

  /** A shape from constants and from the heap. */
  Call shape(List<PrimExpr> dims) {
    List<Expr> args = new ArrayList<>();
    args.add(heap);
    args.add(PrimValue.of(dims.size()));
    for (PrimExpr dim : dims) {
      boolean isKnown = dim instanceof IntImm;
      args.add(PrimValue.of(isKnown ? USE_IMM : LOAD_SHAPE));
      args.add(PrimValue.of(isKnown ? ((IntImm) dim).value() : slots.requireFilled(dim)));
    }
    return Call.packed("vm.builtin.make_shape", args, List.of(ShapeType.ofRank(dims.size())));
  }

  /** A number from the heap. */
  Call scalar(PrimExpr value) {
    return Call.packed(
        "vm.builtin.make_prim_value",
        List.of(heap, PrimValue.of(LOAD_SHAPE), PrimValue.of(slots.requireFilled(value))),
        List.of(new PrimType(value.dtype())));
  }
}
