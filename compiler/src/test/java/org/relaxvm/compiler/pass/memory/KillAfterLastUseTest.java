package org.relaxvm.compiler.pass.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.Programs.assertEqual;
import static org.relaxvm.compiler.Programs.lines;
import static org.relaxvm.compiler.Programs.main;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.Lowering;
import org.relaxvm.compiler.builder.FunctionBuilder;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.IntImm;

class KillAfterLastUseTest {
  private static final TensorType FOUR = TensorType.of(DType.FLOAT32, 4);

  private static IRModule run(IRModule module) {
    return Lowering.run(new KillAfterLastUse(), module);
  }

  private static Call storage() {
    return MemoryOps.allocStorage(IntImm.of(16), 0, "global", DType.UINT8);
  }

  private static Call tensor(RelaxVar storage) {
    return MemoryOps.allocTensor(storage, 0, ShapeExpr.of(4), DType.FLOAT32, 0);
  }

  private static Call packed(String name, Type result, Expr... args) {
    return Call.packed(name, List.of(args), List.of(result));
  }

  private static void use(FunctionBuilder f, Expr... args) {
    f.emit("_", packed("use", TupleType.VOID, args));
  }

  @Test
  void storageEndsAfterItsLastTensorAndTensorsAfterTheirLastUse() {
    IRModule program =
        main(
            List.of(),
            f -> {
              RelaxVar x = f.param("x", FOUR);
              RelaxVar s = f.emit("s", storage());
              RelaxVar a = f.emit("a", tensor(s));
              use(f, x, a);
              RelaxVar t = f.emit("t", storage());
              RelaxVar b = f.emit("b", tensor(t));
              use(f, a, b);
              return b;
            });
    IRModule expected =
        main(
            List.of(),
            f -> {
              RelaxVar x = f.param("x", FOUR);
              RelaxVar s = f.emit("s", storage());
              RelaxVar a = f.emit("a", tensor(s));
              f.emit("_", Call.of(MemoryOps.KILL_STORAGE, s));
              use(f, x, a);
              RelaxVar t = f.emit("t", storage());
              RelaxVar b = f.emit("b", tensor(t));
              f.emit("_", Call.of(MemoryOps.KILL_STORAGE, t));
              use(f, a, b);
              f.emit("_", Call.of(MemoryOps.KILL_TENSOR, a));
              return b;
            });
    assertEqual(run(program), expected);
  }

  @Test
  void tensorsComeFirstThenStorageThenObjects() {
    IRModule program =
        main(
            List.of(),
            f -> {
              RelaxVar object = f.emit("object", packed("make", AnyType.ANY));
              RelaxVar s = f.emit("s", storage());
              RelaxVar b = f.emit("b", packed("make", FOUR));
              RelaxVar a = f.emit("a", packed("make", FOUR));
              use(f, object, s, a, b);
              return Tuple.EMPTY;
            });
    assertThat(lines(main(run(program))))
        .containsSubsequence(
            "_ = R.call_packed(\"use\", object, s, a, b)",
            "_1 = R.memory.kill_tensor(b)",
            "_2 = R.memory.kill_tensor(a)",
            "_3 = R.memory.kill_storage(s)",
            "_4 = R.vm.kill_object(object)",
            "return ()");
  }

  @Test
  void otherNamesOfAVariableVanish() {
    IRModule program =
        main(
            List.of(),
            f -> {
              RelaxVar a = f.emit("a", packed("make", FOUR));
              RelaxVar b = f.emit("b", a);
              RelaxVar c = f.matchCast(b, FOUR);
              RelaxVar both = f.emit("both", Tuple.of(c, b));
              return f.emit("d", new TupleGetItem(both, 0));
            });
    assertThat(lines(main(run(program))))
        .containsExactly("a = R.call_packed(\"make\")", "return a");
  }

  @Test
  void whatMayHaveNoRegisterIsNeverEnded() {
    try (Tensor data = Tensor.of(new float[] {1}, Shape.of(1))) {
      IRModule program =
          main(
              List.of(),
              f -> {
                RelaxVar x = f.param("x", FOUR);
                RelaxVar constant = f.emit("constant", new Constant(data));
                RelaxVar text = f.emit("text", new StringImm("t"));
                RelaxVar shape = f.emit("shape", packed("make", ShapeType.unknown()));
                RelaxVar number = f.emit("number", packed("make", new PrimType(DType.INT64)));
                RelaxVar none = f.emit("none", ValueOps.nullValue());
                RelaxVar unused = f.emit("unused", packed("make", FOUR));
                use(f, x, constant, text, shape, number, none);
                return unused;
              });
      assertThat(lines(main(run(program)))).noneMatch(line -> line.contains("kill"));
    }
  }

  @Test
  void whatNothingUsesStaysAndWhatIsEndedAlreadyIsNotEndedAgain() {
    IRModule program =
        main(
            List.of(),
            f -> {
              f.emit("unused", packed("make", FOUR));
              RelaxVar a = f.emit("a", packed("make", FOUR));
              f.emit("_", Call.of(MemoryOps.KILL_OBJECT, a));
              return PrimValue.of(0);
            });
    assertThat(lines(main(run(program))))
        .containsExactly(
            "unused = R.call_packed(\"make\")",
            "a = R.call_packed(\"make\")",
            "_ = R.vm.kill_object(a)",
            "return R.prim_value(0)");
  }

  @Test
  void aUseInABranchCountsAtTheChoiceAndBranchesHaveTheirOwn() {
    IRModule program =
        main(
            List.of(),
            f -> {
              RelaxVar c = f.param("c", TensorType.of(DType.BOOL));
              RelaxVar a = f.emit("a", packed("make", FOUR));
              RelaxVar later = f.emit("later", packed("make", FOUR));
              RelaxVar y =
                  f.choose(
                      c,
                      () -> {
                        RelaxVar inner = f.emit("inner", packed("make", FOUR));
                        return f.emit("t", packed("join", FOUR, a, inner));
                      },
                      () -> a);
              return f.emit("z", packed("join", FOUR, y, later));
            });
    assertThat(lines(main(run(program))))
        .containsExactly(
            "a = R.call_packed(\"make\")",
            "later = R.call_packed(\"make\")",
            "gv = if c: ... else: ...",
            "  inner = R.call_packed(\"make\")",
            "  t = R.call_packed(\"join\", a, inner)",
            "  _ = R.memory.kill_tensor(inner)",
            "  return t",
            "else:",
            "  return a",
            "_1 = R.memory.kill_tensor(a)",
            "z = R.call_packed(\"join\", gv, later)",
            "_2 = R.memory.kill_tensor(later)",
            "_3 = R.memory.kill_tensor(gv)",
            "return z");
  }

  @Test
  void aTupleEndsAsAnObject() {
    IRModule program =
        main(
            List.of(),
            f -> {
              RelaxVar both = f.emit("both", packed("make", TupleType.of(FOUR, FOUR)));
              return f.emit("one", new TupleGetItem(both, 0));
            });
    assertThat(lines(main(run(program))))
        .containsExactly(
            "both = R.call_packed(\"make\")",
            "one = both[0]",
            "_ = R.vm.kill_object(both)",
            "return one");
  }
}
