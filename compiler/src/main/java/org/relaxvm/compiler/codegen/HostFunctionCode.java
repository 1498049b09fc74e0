package org.relaxvm.compiler.codegen;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.Op;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.pass.lower.HostFunctions;
import org.relaxvm.compiler.rewrite.SelfTailCalls;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.Handle;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.AnyListItem;
import org.relaxvm.tir.stmt.CallLinkage;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.LetCall;
import org.relaxvm.tir.stmt.LoopJump;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.PackedArg.OfItem;
import org.relaxvm.tir.stmt.PackedArg.OfNull;
import org.relaxvm.tir.stmt.PackedArg.OfScalar;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.ArgKind;
import org.relaxvm.vmcore.executable.ExecBuilder;
import org.relaxvm.vmcore.executable.FunctionKind;

/**
 * Emits the body of one function as a host function. Values are arguments of packed calls: cells of
 * the lists of registers, constants and functions, numbers, or no value. For one function; not
 * thread-safe.
 *
 * <p>Source: docs/spec/vm-codegen.md, section 5.3. Rationale: docs/rationale/compiler.md, "Why does
 * a compiled function declare what it calls?" and "Why does a void value read as null in compiled
 * functions?"
 */
final class HostFunctionCode {
  /** How deep choices nest; each takes two levels of the text of the host function. */
  static final int MOST_NESTED_CHOICES = 30;

  private static final String COPY = "vm.builtin.copy";

  private final IRModule module;
  private final ExecBuilder builder;
  private final SelfTailCalls loops;
  private final Map<RelaxVar, PackedArg> values = new IdentityHashMap<>();
  private final Handle context = new Handle("ctx_ptr");
  private final Handle registerList = new Handle("r");
  private final Handle constantList = new Handle("c");
  private final Handle functionList = new Handle("f");
  private final int params;
  private int nextRegister;
  private int nestedChoices;
  private List<Stmt> statements = new ArrayList<>();

  /**
   * Whether the last statement goes on with the next iteration: nothing that follows is reached.
   */
  private boolean hasLeft;

  HostFunctionCode(IRModule module, ExecBuilder builder, GlobalVar name, RelaxFunction function) {
    this.module = module;
    this.builder = builder;
    this.loops = SelfTailCalls.of(name, function);
    this.params = function.params().size();
    for (int i = 0; i < params; i++) {
      values.put(function.params().get(i), register(i));
    }
    // The register after the parameters is that of the result.
    this.nextRegister = params + 1;
  }

  /** How many registers the function has. */
  int registers() {
    return nextRegister;
  }

  PrimFunc emit(String name, SeqExpr body) {
    List<Binding> bindings = body.bindings().toList();
    // Each iteration fills the same heap with its own extents.
    boolean hasHeap =
        !bindings.isEmpty() && LoweredForms.allocatesHeap(bindings.getFirst().value());
    int before = !loops.isEmpty() && hasHeap ? 1 : 0;
    bindings.subList(0, before).forEach(this::bind);
    List<Stmt> outside = statements;
    if (!loops.isEmpty()) {
      statements = new ArrayList<>();
    }
    PackedArg result = visit(bindings.subList(before, bindings.size()), body.body());
    if (!hasLeft) {
      store(COPY, List.of(result), params);
    }
    if (!loops.isEmpty()) {
      if (!hasLeft) {
        statements.add(LoopJump.BREAK);
      }
      Stmt iteration = Seq.of(statements);
      statements = outside;
      statements.add(For.serial(Var.index("iteration"), IntImm.of(Long.MAX_VALUE), iteration));
    }
    return new PrimFunc(
        name,
        Stream.of(context, registerList, constantList, functionList)
            .<Param>map(Param.OfHandle::new)
            .toList(),
        DType.VOID,
        Seq.of(statements),
        Map.of("global_symbol", name, HostFunctions.IS_HOST, true));
  }

  private PackedArg register(int index) {
    return new OfItem(new AnyListItem(registerList, index));
  }

  private PackedArg constant(Arg arg) {
    if (arg.kind() == ArgKind.CONSTANT) {
      return new OfItem(new AnyListItem(constantList, (int) arg.value()));
    }
    return new OfScalar(IntImm.of(arg.value()));
  }

  private PackedArg function(String name, FunctionKind kind) {
    Arg entry = builder.declareFunction(name, kind);
    return new OfItem(new AnyListItem(functionList, (int) entry.value()));
  }

  // ---------------------------------------------------------------- calls

  private CallPacked packed(String name, List<PackedArg> args, CallLinkage linkage, int register) {
    Arg unused = builder.declareFunction(name, FunctionKind.PACKED);
    Optional<AnyListItem> result =
        register < 0 ? Optional.empty() : Optional.of(new AnyListItem(registerList, register));
    return new CallPacked(name, args, linkage, result);
  }

  private void store(String name, List<PackedArg> args, int register) {
    statements.add(packed(name, args, CallLinkage.PACKED, register));
  }

  private PackedArg emit(String name, List<PackedArg> args) {
    int register = nextRegister++;
    store(name, args, register);
    return register(register);
  }

  private List<PackedArg> visitAll(List<Expr> exprs) {
    List<PackedArg> args = new ArrayList<>();
    exprs.forEach(expr -> args.add(visit(expr)));
    return args;
  }

  private PackedArg visit(Expr expr) {
    return switch (expr) {
      case RelaxVar var -> valueOf(var);
      case Constant constant ->
          constant(
              builder.convertConstant(
                  constant.data(),
                  constant.tensorType().vdevice().map(VDevice::memoryScope).orElse("")));
      case ShapeExpr shape -> constant(builder.convertConstant(LoweredForms.known(shape)));
      // Rationale: docs/rationale/compiler.md, "Why are integers in compiled functions int64?"
      case PrimValue(IntImm number) -> new OfScalar(IntImm.of(number.value()));
      case PrimValue(FloatImm number) -> new OfScalar(new FloatImm(DType.FLOAT64, number.value()));
      case PrimValue computed -> throw LoweredForms.symbolic(computed, "the number");
      case StringImm(String text) -> constant(builder.convertConstant(text));
      case DataTypeImm(var dtype) -> constant(builder.convertConstant(dtype));
      case Tuple(var fields) -> emit("vm.builtin.make_tuple", visitAll(fields));
      case TupleGetItem(Expr tuple, int index) ->
          emit("vm.builtin.tuple_getitem", List.of(visit(tuple), new OfScalar(IntImm.of(index))));
      case GlobalVar name -> functionValue(name);
      case ExternFunc extern -> function(extern.symbol(), FunctionKind.PACKED);
      case SeqExpr seq -> visit(seq.bindings().toList(), seq.body());
      case If choice -> visit(choice);
      case Call call -> visit(call);
      case RelaxFunction local -> throw LoweredForms.localFunction();
      case Op op -> throw LoweredForms.unknown(op);
    };
  }

  private PackedArg valueOf(RelaxVar var) {
    PackedArg value = values.get(var);
    if (value == null) {
      throw LoweredForms.noValue(var);
    }
    return value;
  }

  private PackedArg functionValue(GlobalVar name) {
    return switch (module.find(name).orElse(null)) {
      case RelaxFunction function ->
          function(CodeGenVM.symbolOf(name, function), FunctionKind.VMTIR);
      case ExternFunc extern -> function(extern.symbol(), FunctionKind.PACKED);
      case KernelFunction kernel -> function(name.name(), FunctionKind.PACKED);
      case null -> function(name.name(), FunctionKind.PACKED);
    };
  }

  // ---------------------------------------------------------------- bindings and choices

  /** Emits bindings and a result; no value where the last of them goes on with an iteration. */
  private PackedArg visit(List<Binding> bindings, Expr result) {
    for (Binding binding : bindings) {
      bind(binding);
      if (hasLeft) {
        return new OfNull();
      }
    }
    return visit(result);
  }

  private void bind(Binding binding) {
    if (loops.contains(binding)) {
      goOn((Call) binding.value(), loops.endedAfter(binding));
      return;
    }
    PackedArg value;
    try {
      value = visit(binding.value());
    } catch (InvalidProgramException e) {
      if (e.locations().isEmpty()) {
        e.addLocation(binding.toString());
      }
      throw e;
    }
    // A copy, so that the end of one of the two variables leaves the other one.
    boolean isAlias = binding.value() instanceof RelaxVar;
    values.put(binding.var(), isAlias ? emit(COPY, List.of(value)) : value);
  }

  private PackedArg visit(If choice) {
    if (nestedChoices == MOST_NESTED_CHOICES) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "choices are nested more than "
              + MOST_NESTED_CHOICES
              + " deep, which a compiled function cannot\n"
              + "  what to do: compile to bytecode, or make the inner choices a function");
    }
    int merged = nextRegister++;
    CallPacked condition =
        packed(
            "vm.builtin.read_if_cond", List.of(visit(choice.condition())), CallLinkage.PACKED, -1);
    Var isTrue = new Var("is_true", DType.BOOL);
    nestedChoices++;
    Branch whenTrue = branch(choice.whenTrue(), merged);
    Branch whenFalse = branch(choice.whenFalse(), merged);
    nestedChoices--;
    statements.add(
        new LetCall(
            isTrue,
            condition,
            new IfThenElse(isTrue, whenTrue.body(), Optional.of(whenFalse.body()))));
    hasLeft = whenTrue.leaves() && whenFalse.leaves();
    return register(merged);
  }

  /** A branch, and whether it goes on with the next iteration. */
  private record Branch(Stmt body, boolean leaves) {}

  private Branch branch(SeqExpr branch, int merged) {
    List<Stmt> outside = statements;
    statements = new ArrayList<>();
    PackedArg value = visit(branch.bindings().toList(), branch.body());
    boolean leaves = hasLeft;
    if (!leaves) {
      store(COPY, List.of(value), merged);
    }
    Stmt body = Seq.of(statements);
    statements = outside;
    hasLeft = false;
    return new Branch(body, leaves);
  }

  /** Goes on with the next iteration, with the arguments of a call in the first registers. */
  private void goOn(Call call, List<RelaxVar> ended) {
    int firstTemporary = nextRegister;
    List<PackedArg> args = visitAll(call.args());
    for (ParallelMoves.Move<PackedArg> move :
        ParallelMoves.of(args, this::register, () -> register(nextRegister++))) {
      store(COPY, List.of(move.from()), index(move.to()));
    }
    for (int temporary = firstTemporary; temporary < nextRegister; temporary++) {
      clear(temporary);
    }
    for (RelaxVar var : ended) {
      int register = ownRegister(var, valueOf(var));
      if (register >= params) {
        clear(register);
      }
    }
    statements.add(LoopJump.CONTINUE);
    hasLeft = true;
  }

  private static int index(PackedArg register) {
    return ((OfItem) register).item().index();
  }

  private void clear(int register) {
    store("vm.builtin.null_value", List.of(), register);
  }

  private int ownRegister(Expr killed, PackedArg value) {
    if (value instanceof OfItem(AnyListItem(Handle list, int index)) && list.equals(registerList)) {
      return index;
    }
    throw LoweredForms.noRegister(killed);
  }

  // ---------------------------------------------------------------- calls of Relax

  private PackedArg visit(Call call) {
    if (call.isOf("null_value")) {
      return new OfNull();
    }
    List<Expr> args = call.args();
    if (call.isOf("vm.kill_object")) {
      PackedArg killed = visit(args.getFirst());
      clear(ownRegister(args.getFirst(), killed));
      return killed;
    }
    int dst = TupleType.isVoid(call.type()) ? -1 : nextRegister++;
    statements.add(
        call.callee() instanceof Op op ? ofOperator(op, args, dst) : ofCallee(call, dst));
    return dst < 0 ? new OfNull() : register(dst);
  }

  private CallPacked ofOperator(Op op, List<Expr> args, int dst) {
    return switch (op.name()) {
      case "call_builtin_with_ctx" -> {
        if (!(args.get(0) instanceof ExternFunc(String symbol, var attrs))) {
          throw new InvalidProgramException(
              ErrorKind.VALUE,
              "call_builtin_with_ctx calls a packed function in a compiled function, but got "
                  + args.get(0));
        }
        List<PackedArg> words = visitAll(LoweredForms.fields(args.get(1)));
        words.addFirst(new PackedArg.OfHandle(context));
        yield packed(symbol, words, CallLinkage.PACKED, dst);
      }
      case "vm.alloc_storage" -> {
        List<PackedArg> words = visitAll(args);
        words.addFirst(new PackedArg.OfHandle(context));
        yield packed("vm.builtin.alloc_storage", words, CallLinkage.PACKED, dst);
      }
      case "vm.alloc_tensor" -> {
        if (args.size() != 5) {
          throw new InvalidProgramException(
              ErrorKind.VALUE,
              "vm.alloc_tensor takes 5 arguments in a compiled function, but got " + args.size());
        }
        List<PackedArg> words = visitAll(args.subList(0, 4));
        LoweredForms.memoryScope(module, args.get(4))
            .ifPresent(scope -> words.add(constant(builder.convertConstant(scope))));
        yield packed("vm.builtin.alloc_tensor", words, CallLinkage.PACKED, dst);
      }
      default -> throw LoweredForms.unknown(op);
    };
  }

  private CallPacked ofCallee(Call call, int dst) {
    if (call.callee() instanceof ExternFunc extern) {
      return packed(extern.symbol(), visitAll(call.args()), CallLinkage.PACKED, dst);
    }
    if (call.callee() instanceof GlobalVar name) {
      switch (module.find(name).orElse(null)) {
        case RelaxFunction function -> {}
        case ExternFunc extern -> {
          return packed(extern.symbol(), visitAll(call.args()), CallLinkage.PACKED, dst);
        }
        case KernelFunction kernel -> {
          return packed(name.name(), visitAll(call.args()), CallLinkage.CPACKED, dst);
        }
        case null -> {
          return packed(name.name(), visitAll(call.args()), CallLinkage.PACKED, dst);
        }
      }
    }
    PackedArg callee = visit(call.callee());
    List<PackedArg> words = visitAll(call.args());
    words.addFirst(callee);
    words.addFirst(new PackedArg.OfHandle(context));
    return packed("vm.builtin.invoke_closure", words, CallLinkage.PACKED, dst);
  }
}
