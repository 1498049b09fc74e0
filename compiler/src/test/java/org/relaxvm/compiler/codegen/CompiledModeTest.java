package org.relaxvm.compiler.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.compiler.Programs.main;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.Kernels;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.builder.FunctionBuilder;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.StructuralEquality;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.tir.verify.Verifier;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;

/** The host functions of compiled functions (VC-15, VC-16). */
class CompiledModeTest {
  private static final TensorType FOUR = TensorType.of(DType.FLOAT32, 4);

  /** The statements of a host function, without the prefixes of the text and of builtins. */
  private static List<String> code(VmCode code, String function) {
    PrimFunc host =
        code.kernels().stream()
            .filter(each -> each.name().equals("__vmtir__" + function))
            .findFirst()
            .orElseThrow();
    Verifier.verify(host);
    String text = TirText.print(List.of(host));
    assertThat(StructuralEquality.areEqual(host, TirText.parse(text, "printed").getFirst()))
        .as(text)
        .isTrue();
    List<String> lines = new ArrayList<>();
    for (String line :
        text.lines().dropWhile(each -> !each.contains("T.func_attr")).skip(1).toList()) {
      lines.add(
          line.substring(4)
              .replace("T.", "")
              .replace("vm.builtin.", "")
              .replace("anylist_getitem", "get")
              .replace("anylist_setitem_call", "set"));
    }
    return lines;
  }

  private static List<String> code(Function<FunctionBuilder, Expr> body) {
    return code(CodeGenVMTIR.generate(main(List.of(), body)), "main");
  }

  private static Call packed(Type result, Expr... args) {
    return Call.packed("f", List.of(args), List.of(result));
  }

  // ---------------------------------------------------------------- VC-16

  @Test
  void theExampleOfTheSpecificationHasItsRegisters() {
    VmCode code =
        CodeGenVMTIR.generate(
            main(
                List.of(),
                f -> {
                  RelaxVar cond = f.param("cond", TensorType.of(DType.BOOL));
                  RelaxVar x = f.param("x", FOUR);
                  return f.choose(
                      cond, () -> f.emit(packed(FOUR, x)), () -> f.emit(packed(FOUR, x, x)));
                }));
    assertThat(code(code, "main"))
        .containsExactly(
            "with LetStmt(call_packed(\"read_if_cond\", get(r, 0)), var=is_true):",
            "    if is_true:",
            "        set_packed(r, 4, \"f\", get(r, 1))",
            "        set_packed(r, 3, \"copy\", get(r, 4))",
            "    else:",
            "        set_packed(r, 5, \"f\", get(r, 1), get(r, 1))",
            "        set_packed(r, 3, \"copy\", get(r, 5))",
            "set_packed(r, 2, \"copy\", get(r, 3))");
    FunctionInfo main = code.executable().functions().getLast();
    assertThat(main.kind()).isEqualTo(FunctionKind.VMTIR);
    assertThat(main.paramNames()).containsExactly("cond", "x");
    assertThat(main.registerFileSize()).isEqualTo(6);
  }

  @Test
  void aFunctionHasOneRegisterMoreThanParametersAtLeast() {
    VmCode code = CodeGenVMTIR.generate(main(List.of(), f -> PrimValue.of(7)));
    assertThat(code(code, "main")).containsExactly("set_packed(r, 0, \"copy\", 7)");
    assertThat(code.executable().functions())
        .filteredOn(function -> function.kind() == FunctionKind.VMTIR)
        .extracting(FunctionInfo::registerFileSize)
        .containsExactly(1L);
    assertThat(code(f -> f.param("x", FOUR)))
        .containsExactly("set_packed(r, 1, \"copy\", get(r, 0))");
  }

  // ---------------------------------------------------------------- VC-15, statement by statement

  @Test
  void anotherNameOfAVariableIsACopy() {
    assertThat(code(f -> f.emit(f.param("x", FOUR))))
        .containsExactly(
            "set_packed(r, 2, \"copy\", get(r, 0))", "set_packed(r, 1, \"copy\", get(r, 2))");
  }

  @Test
  void constantsAreInTheirListAndNumbersInTheCall() {
    try (Tensor data = Tensor.of(new float[] {1}, Shape.of(1))) {
      assertThat(
              code(
                  f -> {
                    f.emit(
                        "_",
                        packed(
                            TupleType.VOID,
                            new Constant(data),
                            ShapeExpr.of(1, 2),
                            new StringImm("s"),
                            new DataTypeImm(DType.INT8)));
                    f.emit(
                        "_",
                        packed(
                            TupleType.VOID,
                            PrimValue.of(-3),
                            PrimValue.of(true),
                            PrimValue.of(0.5),
                            PrimValue.of(1L << 60)));
                    return new StringImm("s");
                  }))
          .containsExactly(
              "call_packed(\"f\", get(c, 0), get(c, 1), get(c, 2), get(c, 3))",
              "call_packed(\"f\", -3, 1, float64(0.5), 1152921504606846976)",
              "set_packed(r, 0, \"copy\", get(c, 2))");
    }
  }

  @Test
  void tuplesAreMadeAndOpened() {
    assertThat(
            code(
                f -> {
                  RelaxVar x = f.param("x", TupleType.of(FOUR, FOUR));
                  RelaxVar item = f.emit(new TupleGetItem(x, 1));
                  return f.emit(Tuple.of(item, PrimValue.of(1)));
                }))
        .containsExactly(
            "set_packed(r, 2, \"tuple_getitem\", get(r, 0), 1)",
            "set_packed(r, 3, \"make_tuple\", get(r, 2), 1)",
            "set_packed(r, 1, \"copy\", get(r, 3))");
  }

  @Test
  void noValueIsNone() {
    assertThat(
            code(
                f -> {
                  RelaxVar none = f.emit(ValueOps.nullValue());
                  f.emit("_", packed(TupleType.VOID, none, ValueOps.nullValue()));
                  return none;
                }))
        .containsExactly("call_packed(\"f\", None, None)", "set_packed(r, 0, \"copy\", None)");
  }

  @Test
  void theEndOfAnotherNameLeavesTheValue() {
    assertThat(
            code(
                f -> {
                  RelaxVar x = f.emit(packed(FOUR));
                  RelaxVar y = f.emit(x);
                  f.emit("_", Call.of(MemoryOps.KILL_OBJECT, x));
                  return y;
                }))
        .containsExactly(
            "set_packed(r, 1, \"f\")",
            "set_packed(r, 2, \"copy\", get(r, 1))",
            "set_packed(r, 1, \"null_value\")",
            "set_packed(r, 0, \"copy\", get(r, 2))");
  }

  @Test
  void functionsAreCalledByTheirKind() {
    BlockBuilder builder = new BlockBuilder();
    builder.addFunction(Kernels.add(), "add");
    builder.put(new GlobalVar("outer"), new ExternFunc("library.outer"));
    GlobalVar helper = builder.function("helper", f -> f.param("x", FOUR));
    builder.function(
        "main",
        f -> {
          RelaxVar x = f.param("x", FOUR);
          f.emit("_", Call.of(new GlobalVar("add"), x, x, x));
          f.emit("_", Call.of(new GlobalVar("outer"), x));
          f.emit("_", packed(TupleType.VOID, new GlobalVar("add"), helper));
          return f.emit(Call.of(helper, x));
        });
    VmCode code = CodeGenVMTIR.generate(builder.module());
    assertThat(code(code, "main"))
        .containsExactly(
            "call_cpacked(\"add\", get(r, 0), get(r, 0), get(r, 0))",
            "set_packed(r, 2, \"library.outer\", get(r, 0))",
            "call_packed(\"f\", get(f, 2), get(f, 1))",
            "set_packed(r, 3, \"invoke_closure\", ctx_ptr, get(f, 1), get(r, 0))",
            "set_packed(r, 1, \"copy\", get(r, 3))");
    assertThat(code.kernels())
        .extracting(PrimFunc::name)
        .containsExactly("__vmtir__helper", "__vmtir__main", "add");
    assertThat(code.executable().functions())
        .extracting(function -> function.name() + " " + function.kind())
        .startsWith(
            "vm.builtin.copy " + FunctionKind.PACKED,
            "helper " + FunctionKind.VMTIR,
            "add " + FunctionKind.PACKED)
        .contains("main " + FunctionKind.VMTIR, "vm.builtin.invoke_closure " + FunctionKind.PACKED);
  }

  @Test
  void aFunctionInAVariableIsInvokedAndBuiltinsGetTheContext() {
    assertThat(
            code(
                f -> {
                  RelaxVar closure = f.param("closure", AnyType.ANY);
                  f.emit(
                      CallOps.withContext(
                          "vm.builtin.alloc_shape_heap", List.of(PrimValue.of(2)), AnyType.ANY));
                  return f.emit(Call.of(closure, List.of(closure), Attrs.NONE, List.of(FOUR)));
                }))
        .containsExactly(
            "set_packed(r, 2, \"alloc_shape_heap\", ctx_ptr, 2)",
            "set_packed(r, 3, \"invoke_closure\", ctx_ptr, get(r, 0), get(r, 0))",
            "set_packed(r, 1, \"copy\", get(r, 3))");
  }

  @Test
  void aCallOfItselfWhoseResultIsReturnedIsAnIteration() {
    BlockBuilder builder = new BlockBuilder();
    builder.function(
        "main",
        f -> {
          RelaxVar go = f.param("go", TensorType.of(DType.BOOL));
          RelaxVar x = f.param("x", FOUR);
          RelaxVar y = f.param("y", FOUR);
          f.returns(FOUR);
          return f.choose(go, () -> f.emit(Call.of(f.self(), go, y, x)), () -> x);
        });
    assertThat(code(CodeGenVMTIR.generate(builder.module()), "main"))
        .containsExactly(
            "for iteration in range(9223372036854775807):",
            "    with LetStmt(call_packed(\"read_if_cond\", get(r, 0)), var=is_true):",
            "        if is_true:",
            "            set_packed(r, 5, \"copy\", get(r, 1))",
            "            set_packed(r, 1, \"copy\", get(r, 2))",
            "            set_packed(r, 2, \"copy\", get(r, 5))",
            "            set_packed(r, 5, \"null_value\")",
            "            continue",
            "        else:",
            "            set_packed(r, 4, \"copy\", get(r, 1))",
            "    set_packed(r, 3, \"copy\", get(r, 4))",
            "    break");
  }

  // ---------------------------------------------------------------- refusals

  private static void refused(Function<FunctionBuilder, Expr> body, String message) {
    IRModule module = main(List.of(), body);
    assertThatThrownBy(() -> CodeGenVMTIR.generate(module))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(message);
  }

  @Test
  void whatHasNoCodeIsRefusedWithTheFunctionAndTheBinding() {
    Var n = Var.index("n");
    refused(
        f -> {
          f.param("x", TensorType.of(DType.INT8, n));
          return f.emit(packed(FOUR, ShapeExpr.of(n, 4)));
        },
        "the shape R.shape([n, 4]) is not constant, and there is no code for symbolic ones; run"
            + " VMShapeLower first\n  at gv = R.call_packed(\"f\", R.shape([n, 4]))\n  at function"
            + " main");
    refused(
        f -> {
          f.emit("_", Call.of(MemoryOps.KILL_OBJECT, new StringImm("s")));
          return PrimValue.of(0);
        },
        "vm.kill_object ends the use of a register, but R.str(\"s\") has none\n"
            + "  at _ = R.vm.kill_object(R.str(\"s\"))\n  at function main");
  }

  @Test
  void choicesThatNestTooDeepAreRefused() {
    BlockBuilder builder = new BlockBuilder();
    builder.function(
        "main",
        f -> {
          RelaxVar c = f.param("c", TensorType.of(DType.BOOL));
          return nested(f, c, HostFunctionCode.MOST_NESTED_CHOICES + 1);
        });
    assertThatThrownBy(() -> CodeGenVMTIR.generate(builder.module()))
        .hasMessageStartingWith(
            "choices are nested more than 30 deep, which a compiled function cannot\n"
                + "  what to do: compile to bytecode, or make the inner choices a function\n  at ")
        .hasMessageEndingWith("at function main");
    BlockBuilder allowed = new BlockBuilder();
    allowed.function(
        "main",
        f -> {
          RelaxVar c = f.param("c", TensorType.of(DType.BOOL));
          return nested(f, c, HostFunctionCode.MOST_NESTED_CHOICES);
        });
    assertThat(code(CodeGenVMTIR.generate(allowed.module()), "main")).hasSizeGreaterThan(100);
  }

  private static Expr nested(FunctionBuilder f, RelaxVar c, int depth) {
    return depth == 0
        ? PrimValue.of(0)
        : f.choose(c, () -> nested(f, c, depth - 1), () -> PrimValue.of(depth));
  }

  @Test
  void aKernelWithTheNameOfABodyIsRefused() {
    BlockBuilder builder = new BlockBuilder();
    builder.addFunction(
        new KernelFunction(Kernels.add().kernel().withName("__vmtir__main")), "__vmtir__main");
    builder.function("main", f -> f.param("x", FOUR));
    assertThatThrownBy(() -> CodeGenVMTIR.generate(builder.module()))
        .hasMessageStartingWith(
            "the program has a function __vmtir__main, which is the name of the compiled body of"
                + " main");
  }
}
